/** The same inputs once more, on a revision or model of choice; then both answers side by side. */

import type { Run } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../../api/queries.ts'
import { useMay, useScope } from '../../../api/scope.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'

type Revision = 'published' | 'same' | 'latest'

const revisions: readonly { value: Revision; label: string; needsWrite: boolean }[] = [
  { value: 'published', label: 'The published one', needsWrite: false },
  { value: 'same', label: 'The one that ran then', needsWrite: true },
  { value: 'latest', label: 'The latest, a draft too', needsWrite: true },
]

export function RerunDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const navigate = useNavigate()
  const mayWrite = useMay('agents:write')
  const { environment } = useScope()
  const [revision, setRevision] = useState<Revision>('published')
  const [model, setModel] = useState('')
  const models = useApiQuery(
    ['models'],
    (atrium, options) => atrium.models.list({ pageSize: 100 }, options).page(),
    {
      enabled: mayWrite && environment === 'live',
    },
  )
  const { mutate, error, isPending } = useApiMutation(
    (atrium, _: null) =>
      atrium.runs.rerun(run.id, withoutUndefined({ revision, model: model === '' ? undefined : model })),
    { changes: [['agents', run.agentId]] },
  )
  const start = () =>
    mutate(null, {
      onSuccess: ({ id }) => void navigate({ to: `/runs/${run.id}/compare`, search: { with: id } }),
    })
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Run it again?"
      description="With the same prompt, variables and memory, in a conversation of its own. Then you see both answers side by side."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isPending} onClick={start}>
            Run again
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Revision">
          <Select value={revision} onChange={event => setRevision(event.currentTarget.value as Revision)}>
            {revisions
              .filter(({ needsWrite }) => mayWrite || !needsWrite)
              .map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
          </Select>
        </Field>
        {mayWrite && environment === 'live' && (
          <Field label="Model">
            <Select value={model} onChange={event => setModel(event.currentTarget.value)}>
              <option value="">The revision’s own</option>
              {models.data?.items.map(({ id }) => (
                <option key={id}>{id}</option>
              ))}
            </Select>
          </Field>
        )}
        {error !== null && <ErrorNotice error={error} />}
      </div>
    </Dialog>
  )
}
