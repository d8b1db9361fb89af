/** A form on a page: its fields, what failed, and its button. */
import type { ReactNode } from 'react'
import { Button, ButtonLink } from './button.tsx'
import { Form } from './field.tsx'
import { ErrorNotice } from './notices.tsx'

type SaveFormProps = {
  /** The verb, not OK. */
  submitLabel: string
  busy: boolean
  disabled?: boolean
  /** Without its button, for people who may only look. */
  readOnly?: boolean
  error: unknown
  /** Fields whose faults stand beside their inputs. */
  beside?: readonly string[]
  /** The page to go back to. */
  cancelTo?: string
  onSubmit: () => void
  children: ReactNode
}

export function SaveForm(props: SaveFormProps) {
  const { submitLabel, busy, disabled = false, readOnly = false } = props
  const { error, beside, cancelTo, onSubmit, children } = props
  return (
    <Form onSubmit={onSubmit}>
      {children}
      <ErrorNotice error={error} beside={beside} />
      {!readOnly && (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={busy} disabled={disabled}>
            {submitLabel}
          </Button>
          {cancelTo !== undefined && <ButtonLink to={cancelTo}>Cancel</ButtonLink>}
        </div>
      )}
    </Form>
  )
}
