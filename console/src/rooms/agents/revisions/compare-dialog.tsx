/** Two revisions side by side: what differs, field by field. */
import type { Agent } from '@atrium/sdk'
import { useState } from 'react'
import { Loaded } from '../../../api/loaded.tsx'
import { useApiQuery } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { type FieldChange, FieldChanges } from '../field-changes.tsx'

type CompareDialogProps = { agent: Agent; revision: number; onClose: () => void }

export function CompareDialog({ agent, revision, onClose }: CompareDialogProps) {
  const [with_, setWith] = useState(() => String(firstOther(agent, revision)))
  const other = Number(with_)
  const isThere = Number.isInteger(other) && other >= 1 && other <= agent.revision
  const [before, after] = other < revision ? [other, revision] : [revision, other]
  const changes = useApiQuery(
    ['agents', agent.id, 'revisions', 'changes', before, after],
    async (atrium, options) => {
      const [one, two] = await Promise.all(
        [before, after].map(number => atrium.agents.revisions.get(agent.id, number, options)),
      )
      return changesBetween(one?.content ?? {}, two?.content ?? {})
    },
    { enabled: isThere },
  )
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={`Compare revision ${revision}`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="flex min-w-0 flex-col gap-5">
        <Field
          label="With revision"
          hint={`1 to ${agent.revision}; ${agent.publishedRevision} is the one that runs.`}
          error={isThere ? undefined : `There are revisions 1 to ${agent.revision}.`}
        >
          <Input
            type="number"
            min={1}
            max={agent.revision}
            value={with_}
            onChange={event => setWith(event.currentTarget.value)}
          />
        </Field>
        {isThere && (
          <Loaded query={changes}>
            {data => <FieldChanges changes={data} of={`${before} and ${after}`} none="They hold the same." />}
          </Loaded>
        )}
      </div>
    </Dialog>
  )
}

/** The one before; for the first, the one that runs. */
const firstOther = (agent: Agent, revision: number): number =>
  revision > 1 ? revision - 1 : Math.max(1, agent.publishedRevision)

function changesBetween(before: object, after: object): FieldChange[] {
  const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...left.keys(), ...right.keys()])]
    .map(field => ({ field, before: left.get(field), after: right.get(field) }))
    .filter(change => JSON.stringify(change.before) !== JSON.stringify(change.after))
}
