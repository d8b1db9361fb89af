/** Sending what has happened in a time again: first how much that is, then the sending. */

import type { Webhook } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { ErrorNotice, Notice } from '../../ui/notices.tsx'
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
  const error = replay.error ?? preview.error
  const fieldErrors = fieldErrorsOf(error)
  const send = (range: Range) =>
    replay.mutate(range, {
      onSuccess: () => {
        toasts.show({ title: `${count(events, 'event is', 'events are')} sent again` })
        onClose()
      },
    })
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Replay a time"
      description="Events that this endpoint is told of are sent again, delivered or not, oldest first. Each keeps its webhook-id."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {counted === null ? (
            <Button
              variant="primary"
              busy={preview.isPending}
              disabled={from === ''}
              onClick={() => preview.mutate(rangeOf(from, to))}
            >
              Count the events
            </Button>
          ) : (
            <Button
              variant="primary"
              busy={replay.isPending}
              disabled={events === 0}
              onClick={() => send(counted)}
            >
              Send them again
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="From" hint="In your time zone." error={fieldErrors.createdAfter}>
          <Input
            type="datetime-local"
            required
            value={from}
            onChange={event => change(setFrom)(event.currentTarget.value)}
          />
        </Field>
        <Field label="Until" optional hint="Up to now unless given." error={fieldErrors.createdBefore}>
          <Input
            type="datetime-local"
            value={to}
            onChange={event => change(setTo)(event.currentTarget.value)}
          />
        </Field>
        <div role="status">
          {counted !== null && (
            <Notice tone={events === 0 ? 'info' : 'warn'}>
              {events === 0
                ? 'Nothing has happened then that this endpoint is told of.'
                : `${count(events, 'event')} would be sent to the endpoint.`}
            </Notice>
          )}
        </div>
        {error !== null && !isToldBeside(['createdAfter', 'createdBefore'], error) && (
          <ErrorNotice error={error} />
        )}
      </div>
    </Dialog>
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
