/** Handing the workspace over to another member. */
import type { Member } from '@atrium/sdk'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { usePerson } from '../../session/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'

/** As many as one page has. */
const mostOffered = 100

export function TransferCard() {
  const person = usePerson()
  const people = useApiQuery(['members', 'people'], (atrium, options) =>
    atrium.workspace.members.list({ kind: 'person', pageSize: mostOffered }, options).page(),
  )
  return (
    <Card
      title="Hand it over"
      description="Another member becomes the owner, and you become an admin, in one step."
    >
      <Loaded query={people}>
        {({ items }) => <TransferForm heirs={items.filter(({ userId }) => userId !== person.id)} />}
      </Loaded>
    </Card>
  )
}

function TransferForm({ heirs }: { heirs: readonly Member[] }) {
  const [heirId, setHeirId] = useState('')
  const [asking, setAsking] = useState(false)
  const { mutateAsync } = useApiMutation((atrium, id: string) => atrium.workspace.transfer(id))
  const heir = heirs.find(({ id }) => id === heirId)
  if (heirs.length === 0) {
    return <p className="text-muted">You are the only person here. Invite somebody first.</p>
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        setAsking(true)
      }}
    >
      <Field label="New owner">
        <Select required value={heirId} onChange={event => setHeirId(event.currentTarget.value)}>
          <option value="">Choose a person…</option>
          {heirs.map(({ id, name, email }) => (
            <option key={id} value={id}>
              {name} ({email})
            </option>
          ))}
        </Select>
      </Field>
      <div>
        <Button type="submit" disabled={heir === undefined}>
          Hand it over…
        </Button>
      </div>
      {heir !== undefined && (
        <ConfirmDialog
          open={asking}
          onClose={() => setAsking(false)}
          title={`Hand the workspace over to ${heir.name}?`}
          confirmLabel="Hand it over"
          onConfirm={async () => {
            await mutateAsync(heir.id)
            // Many parts of the page depend on the person's own permissions, so the whole page reloads.
            window.location.reload()
          }}
        >
          <p>
            {heir.name} can then delete it, name other owners and change your role. You cannot take it back
            yourself.
          </p>
        </ConfirmDialog>
      )}
    </form>
  )
}
