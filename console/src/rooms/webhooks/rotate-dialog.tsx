/** A new secret for an endpoint, while deliveries carry a signature of the old one as well. */
import type { Webhook } from '@atrium/sdk'
import { useState } from 'react'
import { useApiMutation } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { ShownOnce } from './shown-once.tsx'

const overlaps = [
  { seconds: 3_600, label: 'One hour' },
  { seconds: 86_400, label: 'One day' },
  { seconds: 604_800, label: 'Seven days' },
  { seconds: 0, label: 'Not at all: it ends at once' },
]

export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [overlapSeconds, setOverlapSeconds] = useState(86_400)
  const { mutate, data, error, isPending } = useApiMutation(
    (atrium, seconds: number) => atrium.webhooks.rotateSecret(webhook.id, { overlapSeconds: seconds }),
    { changes: [['webhooks']] },
  )
  if (data?.secret !== undefined) {
    return (
      <Dialog
        open
        onClose={onClose}
        dismissible={false}
        size="large"
        title="The new signing secret"
        footer={
          <Button variant="primary" onClick={onClose}>
            I have kept it
          </Button>
        }
      >
        <ShownOnce secret={data.secret} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Rotate the signing secret?"
      description="Deliveries are signed by a new secret. For a while they carry a signature of the old one too."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isPending} onClick={() => mutate(overlapSeconds)}>
            Make a new secret
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="The old secret lives on for" hint="Long enough to give the receiver the new one.">
          <Select
            value={overlapSeconds}
            onChange={event => setOverlapSeconds(Number(event.currentTarget.value))}
          >
            {overlaps.map(({ seconds, label }) => (
              <option key={seconds} value={seconds}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        {error !== null && <ErrorNotice error={error} />}
      </div>
    </Dialog>
  )
}
