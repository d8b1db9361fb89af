/** Changing an endpoint. */
import type { Webhook } from '@atrium/sdk'
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { type Endpoint, EndpointFields, isComplete, wantedOf } from './endpoint-fields.tsx'

export function EditDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const toasts = useToasts()
  const [endpoint, setEndpoint] = useState<Endpoint>({
    url: webhook.url,
    description: webhook.description ?? '',
    eventTypes: new Set(webhook.eventTypes),
    everything: webhook.eventTypes === null,
  })
  const { mutate, error, isPending } = useApiMutation(
    (atrium, _: null) => atrium.webhooks.update(webhook.id, wantedOf(endpoint)),
    { changes: [['webhooks']] },
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit the endpoint"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="edit-endpoint"
            variant="primary"
            busy={isPending}
            disabled={!isComplete(endpoint)}
          >
            Save
          </Button>
        </>
      }
    >
      <form
        id="edit-endpoint"
        className="flex flex-col gap-5"
        onSubmit={event => {
          event.preventDefault()
          mutate(null, {
            onSuccess: () => {
              toasts.show({ title: 'The endpoint is changed' })
              onClose()
            },
          })
        }}
      >
        <EndpointFields value={endpoint} onChange={setEndpoint} errors={fieldErrorsOf(error)} />
        {error !== null && !isToldBeside(['url', 'description', 'eventTypes'], error) && (
          <ErrorNotice error={error} />
        )}
      </form>
    </Dialog>
  )
}
