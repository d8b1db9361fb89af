/** Choosing a member of the workspace for a team. */
import type { Member, Team } from '@atrium/sdk'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { useToasts } from '../../ui/toast.tsx'

/** As many as anybody looks through in one list. */
const mostOffered = 500

export function AddMemberDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const members = useApiQuery(['members', 'all'], async (atrium, options) => {
    const found: Member[] = []
    for await (const member of atrium.workspace.members.list({}, options)) {
      found.push(member)
      if (found.length === mostOffered) break
    }
    return found
  })
  return (
    <Dialog open onClose={onClose} size="small" title={`Add a member to “${team.name}”`}>
      <Loaded query={members}>
        {all => (
          <AddForm
            team={team}
            candidates={all.filter(({ teamIds }) => !teamIds.includes(team.id))}
            onClose={onClose}
          />
        )}
      </Loaded>
    </Dialog>
  )
}

type FormProps = { team: Team; candidates: readonly Member[]; onClose: () => void }

function AddForm({ team, candidates, onClose }: FormProps) {
  const toasts = useToasts()
  const [memberId, setMemberId] = useState('')
  const { mutate, error, isPending } = useApiMutation(
    ({ workspace: { teams } }, id: string) => teams.addMember(team.id, id),
    { changes: [['team'], ['teams'], ['members']] },
  )
  const chosen = candidates.find(({ id }) => id === memberId)
  const add = () =>
    mutate(memberId, {
      onSuccess: () => {
        toasts.show({ title: `${chosen?.name ?? 'The member'} is in the team` })
        onClose()
      },
    })
  if (candidates.length === 0) return <p className="text-muted">Every member is in the team already.</p>
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        add()
      }}
    >
      <Field label="Member" hint="They reach at once what is kept to the team.">
        <Select required value={memberId} onChange={event => setMemberId(event.currentTarget.value)}>
          <option value="">Choose a member…</option>
          {candidates.map(({ id, name, email, kind }) => (
            <option key={id} value={id}>
              {kind === 'service' ? `${name} (service account)` : `${name} (${email})`}
            </option>
          ))}
        </Select>
      </Field>
      {error !== null && <ErrorNotice error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={isPending} disabled={memberId === ''}>
          Add to the team
        </Button>
      </div>
    </form>
  )
}
