/** A form on a page: its fields, what failed, and its button. */
import { Button, ButtonLink } from './button.tsx'
import type { FormDialogProps } from './dialog.tsx'
import { Form } from './field.tsx'
import { ErrorNotice } from './notices.tsx'

type SaveFormProps = Pick<
  FormDialogProps,
  'submitLabel' | 'busy' | 'disabled' | 'error' | 'beside' | 'onSubmit' | 'children'
> & {
  /** Without its button, for people who may only look. */
  readOnly?: boolean
  /** The page to go back to. */
  cancelTo?: string
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
