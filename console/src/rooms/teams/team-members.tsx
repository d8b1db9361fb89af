/** Who belongs to a team: added and taken out one by one. */
import type { Member, Team } from '@atrium/sdk'
import { UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery, usePagedQuery } from '../../api/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { Pager } from '../../ui/table.tsx'
import { useToasts } from '../../ui/toast.tsx'

const pageSize = 20
/** What the membership of a team shows in. */
const changes = [['team'], ['teams'], ['members']]

export function TeamMembers({ team, mayWrite }: { team: Team; mayWrite: boolean }) {
  const [adding, setAdding] = useState(false)
  const members = usePagedQuery(['team', team.id, 'members'], (atrium, query, options) =>
    atrium.workspace.teams.members(team.id, query, options).page(),
  )
  return (
    <Card
      title="Members"
      actions={
        mayWrite && (
          <Button icon={UserPlus} size="small" onClick={() => setAdding(true)}>
            Add a member
          </Button>
        )
      }
    >
      <Loaded query={members}>
        {({ items, total }) =>
          total === 0 ? (
            <p className="text-muted">This team has no members yet.</p>
          ) : (
            <>
              <ul aria-label="Members of the team" className="divide-y">
                {items.map(member => (
                  <Line key={member.id} team={team} member={member} mayWrite={mayWrite} />
                ))}
              </ul>
              <Pager page={members.page} pageSize={pageSize} total={total} onPage={members.setPage} />
            </>
          )
        }
      </Loaded>
      {adding && <AddMemberDialog team={team} onClose={() => setAdding(false)} />}
    </Card>
  )
}

type LineProps = { team: Team; member: Member; mayWrite: boolean }

function Line({ team, member: { id, name, email, kind }, mayWrite }: LineProps) {
  const toasts = useToasts()
  const remove = useApiMutation(
    ({ workspace: { teams } }, memberId: string) => teams.removeMember(team.id, memberId),
    { changes },
  )
  const add = useApiMutation(
    ({ workspace: { teams } }, memberId: string) => teams.addMember(team.id, memberId),
    { changes },
  )
  const takeOut = () =>
    remove.mutate(id, {
      onSuccess: () => toasts.show({ title: `${name} is out of the team`, undo: () => add.mutateAsync(id) }),
      onError: error => toasts.fail(error),
    })
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <span className="min-w-0">
        <span dir="auto" className="block font-medium break-words">
          {name}
        </span>
        <span className="block text-[13px] break-all text-muted">
          {kind === 'service' ? 'Service account' : email}
        </span>
      </span>
      {mayWrite && (
        <IconButton
          icon={UserMinus}
          label={`Take ${name} out of the team`}
          size="small"
          disabled={remove.isPending}
          onClick={takeOut}
        />
      )}
    </li>
  )
}

/** As many as anybody looks through in one list. */
const mostOffered = 500

/** Choosing a member of the workspace for a team. */
function AddMemberDialog({ team, onClose }: { team: Team; onClose: () => void }) {
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

type AddFormProps = { team: Team; candidates: readonly Member[]; onClose: () => void }

function AddForm({ team, candidates, onClose }: AddFormProps) {
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
