/** Sending what has happened in a time again: first how much that is, then the sending. */

import type { Webhook } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { Notice } from '../../ui/notices.tsx'
import { useToasts } from '../../ui/toast.tsx'

type Range = { createdAfter: string; createdBefore?: string }

const dayMs = 86_400_000

export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const toasts = useToasts()
  const [from, setFrom] = useState(() => localMinute(startOf(webhook)))
  const [to, setTo] = useState('')
  const preview = useApiMutation((atrium, range: Range) => atrium.webhooks.previewReplay(webhook.id, range))
  const replay = useApiMutation((atrium, range: Range) => atrium.webhooks.replay(webhook.id, range), {
    changes: [['webhooks', 'deliveries', webhook.id]],
  })
  // What was counted is what is sent: the counted range goes with the count.
  const counted = preview.data === undefined ? null : (preview.variables ?? null)
  const events = preview.data?.reduce((sum, effect) => sum + effect.count, 0) ?? 0
  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    preview.reset()
    replay.reset()
  }
  const fieldErrors = fieldErrorsOf(replay.error ?? preview.error)
  const send = (range: Range) =>
    replay.mutate(range, {
      onSuccess: () => {
        toasts.show({ title: `${count(events, 'event is', 'events are')} sent again` })
        onClose()
      },
    })
  return (
    <FormDialog
      onClose={onClose}
      size="small"
      title="Replay a time"
      description="Events that this endpoint is told of are sent again, delivered or not, oldest first. Each keeps its webhook-id."
      submitLabel={counted === null ? 'Count the events' : 'Send them again'}
      busy={preview.isPending || replay.isPending}
      disabled={counted === null ? from === '' : events === 0}
      error={replay.error ?? preview.error}
      beside={['createdAfter', 'createdBefore']}
      onSubmit={() => (counted === null ? preview.mutate(rangeOf(from, to)) : send(counted))}
    >
      <TextField
        label="From"
        hint="In your time zone."
        error={fieldErrors.createdAfter}
        type="datetime-local"
        required
        value={from}
        onChange={change(setFrom)}
      />
      <TextField
        label="Until"
        optional
        hint="Up to now unless given."
        error={fieldErrors.createdBefore}
        type="datetime-local"
        value={to}
        onChange={change(setTo)}
      />
      <div role="status">
        {counted !== null && (
          <Notice tone={events === 0 ? 'info' : 'warn'}>
            {events === 0
              ? 'Nothing has happened then that this endpoint is told of.'
              : `${count(events, 'event')} would be sent to the endpoint.`}
          </Notice>
        )}
      </div>
    </FormDialog>
  )
}

/** Since it fails; else the last day. */
const startOf = ({ failingSince }: Webhook): Date =>
  failingSince === null ? new Date(Date.now() - dayMs) : new Date(failingSince)

/** As `datetime-local` wants it: the minute, in the person's own time zone. */
function localMinute(time: Date): string {
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
}

const rangeOf = (from: string, to: string): Range =>
  withoutUndefined({
    createdAfter: new Date(from).toISOString(),
    createdBefore: to === '' ? undefined : new Date(to).toISOString(),
  })
