/** A new secret for a key, while the old one lives on for as long as a program needs to change over. */
import type { ApiKey } from '@atrium/sdk'
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

export function RotateDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [overlapSeconds, setOverlapSeconds] = useState(3_600)
  const { mutate, data, error, isPending } = useApiMutation(
    (atrium, seconds: number) => atrium.apiKeys.rotate(apiKey.id, { overlapSeconds: seconds }),
    { changes: [['api-keys']] },
  )
  if (data?.key !== undefined) {
    return (
      <Dialog
        open
        onClose={onClose}
        dismissible={false}
        title={`The new secret of “${apiKey.name}”`}
        footer={
          <Button variant="primary" onClick={onClose}>
            I have kept it
          </Button>
        }
      >
        <ShownOnce apiKey={data} secret={data.key} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={`Rotate “${apiKey.name}”?`}
      description="The key gets a new secret. Its name, permissions and limits stay."
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
        <Field
          label="The old secret lives on for"
          hint="Long enough to put the new one into every program that uses it."
        >
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
