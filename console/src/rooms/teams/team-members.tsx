/** Who belongs to a team: added and taken out one by one. */
import type { Member, Team } from '@atrium/sdk'
import { UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiMutation, useApiQuery, usePagedQuery } from '../../api/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Pager, RecordName } from '../../ui/table.tsx'
import { useToasts } from '../../ui/toast.tsx'

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
              <Pager of={members} total={total} />
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
  const add = useApiMutation(({ workspace: { teams } }) => teams.addMember(team.id, id), { changes })
  const remove = useApiAction(({ workspace: { teams } }) => teams.removeMember(team.id, id), {
    changes,
    done: () => ({ title: `${name} is out of the team`, undo: () => add.mutateAsync() }),
  })
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <span className="min-w-0">
        <RecordName name={name} below={kind === 'service' ? 'Service account' : email} />
      </span>
      {mayWrite && (
        <IconButton
          icon={UserMinus}
          label={`Take ${name} out of the team`}
          size="small"
          disabled={remove.isPending}
          onClick={() => remove.run()}
        />
      )}
    </li>
  )
}

/** As many as a person looks through in one list. */
const mostOffered = 500

/** Choosing a member of the workspace for a team. */
function AddMemberDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const toasts = useToasts()
  const members = useApiQuery(['members', 'all'], async (atrium, options) => {
    const found: Member[] = []
    for await (const member of atrium.workspace.members.list({}, options)) {
      found.push(member)
      if (found.length === mostOffered) break
    }
    return found
  })
  const candidates = members.data?.filter(({ teamIds }) => !teamIds.includes(team.id)) ?? []
  const { fields, of, sending } = useForm({
    initial: { memberId: '' },
    write: ({ workspace: { teams } }, { memberId }) => teams.addMember(team.id, memberId),
    changes,
    onDone: () => {
      const name = candidates.find(({ id }) => id === fields.memberId)?.name ?? 'The member'
      toasts.show({ title: `${name} is in the team` })
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      size="small"
      title={`Add a member to “${team.name}”`}
      submitLabel="Add to the team"
      disabled={fields.memberId === ''}
      {...sending}
    >
      <Loaded query={members}>
        {() =>
          candidates.length === 0 ? (
            <p className="text-muted">Every member is in the team already.</p>
          ) : (
            <SelectField
              label="Member"
              hint="They reach at once what is kept to the team."
              required
              {...of('memberId')}
              emptyLabel="Choose a member…"
              options={candidates.map(({ id, name, email, kind }) => ({
                value: id,
                label: kind === 'service' ? `${name} (service account)` : `${name} (${email})`,
              }))}
            />
          )
        }
      </Loaded>
    </FormDialog>
  )
}
