/** The OAuth client by which a service knows this workspace: made there by hand, kept here encrypted. */
import type { Integration } from '@atrium/sdk'
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input, PasswordInput } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { useToasts } from '../../ui/toast.tsx'

type Props = { entry: Integration; onClose: () => void }

export function ClientDialog({ entry: { id, name }, onClose }: Props) {
  const toasts = useToasts()
  const [clientId, setClientId] = useState('')
  const [clientSecret, setClientSecret] = useState('')
  const client = useApiQuery(['integrations', 'clients', id], (atrium, options) =>
    atrium.integrations.clients.get(id, options),
  )
  const { mutate, error, isPending } = useApiMutation(
    (atrium, _: null) => atrium.integrations.clients.set(id, { clientId, clientSecret }),
    { changes: [['integrations']] },
  )
  const errors = fieldErrorsOf(error)
  return (
    <Dialog
      open
      onClose={onClose}
      title={`The OAuth client for ${name}`}
      description={`Make an application at ${name}, and copy its id and secret here.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="oauth-client" variant="primary" busy={isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id="oauth-client"
        className="flex flex-col gap-5"
        onSubmit={event => {
          event.preventDefault()
          mutate(null, {
            onSuccess: () => {
              toasts.show({ title: `${name} can be connected` })
              onClose()
            },
          })
        }}
      >
        <Loaded query={client}>
          {({ redirectUrl }) => <CopyField label="Redirect address to register there" value={redirectUrl} />}
        </Loaded>
        <Field label="Client ID" error={errors.clientId}>
          <Input
            required
            maxLength={1_024}
            autoComplete="off"
            value={clientId}
            onChange={event => setClientId(event.currentTarget.value)}
          />
        </Field>
        <Field
          label="Client secret"
          hint="Stored encrypted and never shown again."
          error={errors.clientSecret}
        >
          <PasswordInput
            required
            maxLength={4_096}
            autoComplete="new-password"
            value={clientSecret}
            onChange={event => setClientSecret(event.currentTarget.value)}
          />
        </Field>
        {error !== null && !isToldBeside(['clientId', 'clientSecret'], error) && (
          <ErrorNotice error={error} />
        )}
      </form>
    </Dialog>
  )
}
