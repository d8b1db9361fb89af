/** One team: who belongs to it, and what is kept to it. */
import type { Atrium, Member, Team } from '@atrium/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { Pencil, Trash2, UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiMutation, useApiQuery, usePagedQuery } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { useRoomParam } from '../../api/search-values.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { Card, Page } from '../../ui/page.tsx'
import { Pager, RecordName } from '../../ui/table.tsx'
import { useOpenRooms } from '../room.ts'
import { SandboxNotice, useMayChangeTeams } from './live-only.tsx'
import { TeamDialog } from './team-dialog.tsx'

const back = { to: '/settings/teams', label: 'Teams' }

export function Room() {
  const teamId = useRoomParam('teamId')
  const mayWrite = useMayChangeTeams()
  const [openDialog, setOpenDialog] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpenDialog(null)
  const team = useApiQuery(['team', teamId], (atrium, options) => atrium.workspace.teams.get(teamId, options))
  return (
    <Page
      narrow
      back={back}
      title={team.data?.name ?? 'Team'}
      description={team.data?.description ?? undefined}
      actions={
        mayWrite &&
        team.data !== undefined && (
          <>
            <Button icon={Trash2} onClick={() => setOpenDialog('delete')}>
              Delete…
            </Button>
            <Button icon={Pencil} onClick={() => setOpenDialog('edit')}>
              Edit
            </Button>
          </>
        )
      }
    >
      <SandboxNotice />
      <Loaded query={team}>
        {loaded => (
          <>
            <TeamMembers team={loaded} mayWrite={mayWrite} />
            <Reach team={loaded} />
            {openDialog === 'edit' && <TeamDialog team={loaded} onClose={close} />}
            {openDialog === 'delete' && <DeleteDialog team={loaded} onClose={close} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function DeleteDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const navigate = useNavigate()
  const kept = team.collectionIds.length + team.agentIds.length
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete the team “${team.name}”?`}
      confirmLabel="Delete the team"
      onConfirm={atrium => atrium.workspace.teams.delete(team.id)}
      changes={[['teams'], ['members']]}
      onDone={() => navigate({ to: '/settings/teams' })}
      done={`The team “${team.name}” is deleted`}
    >
      <p>
        {team.memberCount === 0
          ? 'It has no members.'
          : `${count(team.memberCount, 'member')} stay in the workspace.`}
      </p>
      <p>
        {kept === 0
          ? 'Nothing is kept to it.'
          : 'Nothing that is kept to it is opened: what no other team reaches is left to owners and admins.'}
      </p>
    </ConfirmDialog>
  )
}

type NamedRecord = { id: string; name: string }

function Reach({ team }: { team: Team }) {
  const { permissions, environment } = useScope()
  const kept = useApiQuery(['team', team.id, 'reach', team.updatedAt], (atrium, options) =>
    readKept(atrium, team, permissions, options),
  )
  const isEmpty = team.collectionIds.length + team.agentIds.length === 0
  return (
    <Card
      title="Kept to this team"
      description={`Besides owners and admins, only its members reach this ${environment === 'test' ? 'in the sandbox' : 'in the live environment'}.`}
    >
      {isEmpty ? (
        <p className="text-muted">
          Nothing yet. In the settings of a collection or an agent, choose that only some teams reach it.
        </p>
      ) : (
        <Loaded query={kept}>
          {({ collections, agents }) => (
            <div className="grid gap-6 sm:grid-cols-2">
              <Names
                title="Collections"
                path="/knowledge/collections/$collectionId"
                param="collectionId"
                kept={collections}
                total={team.collectionIds.length}
              />
              <Names
                title="Agents"
                path="/agents/$agentId"
                param="agentId"
                kept={agents}
                total={team.agentIds.length}
              />
            </div>
          )}
        </Loaded>
      )}
    </Card>
  )
}

/** The others are only counted. */
const mostNamed = 50

async function readKept(
  { knowledge, agents }: Atrium,
  team: Team,
  permissions: ReadonlySet<string>,
  options: { signal: AbortSignal },
): Promise<{ collections: NamedRecord[]; agents: NamedRecord[] }> {
  const named = (permission: string, ids: readonly string[], get: (id: string) => Promise<NamedRecord>) =>
    permissions.has(permission) ? Promise.all(ids.slice(0, mostNamed).map(get)) : Promise.resolve([])
  const [collections, found] = await Promise.all([
    named('knowledge:read', team.collectionIds, id => knowledge.collections.get(id, options)),
    named('agents:read', team.agentIds, id => agents.get(id, options)),
  ])
  return { collections, agents: found }
}

type NamesProps = { title: string; path: string; param: string; kept: readonly NamedRecord[]; total: number }

function Names({ title, path, param, kept, total }: NamesProps) {
  const isOpen = useOpenRooms().some(room => room.path === path)
  return (
    <section className="min-w-0">
      <h3 dir="auto" className="font-medium">
        {title}
      </h3>
      {total === 0 && <p className="text-muted">None</p>}
      <ul className="mt-1 flex flex-col gap-1">
        {kept.map(({ id, name }) => (
          <li key={id} className="min-w-0 break-words">
            {isOpen ? (
              <Link to={path} params={{ [param]: id }} className="text-accent-text hover:underline">
                {name}
              </Link>
            ) : (
              name
            )}
          </li>
        ))}
        {total > kept.length && <li className="text-muted">and {total - kept.length} more</li>}
      </ul>
    </section>
  )
}

/** What the membership of a team shows in. */
const changes = [['team'], ['teams'], ['members']]

function TeamMembers({ team, mayWrite }: { team: Team; mayWrite: boolean }) {
  const [adding, setAdding] = useState(false)
  const members = usePagedQuery(['team', team.id, 'members'], (atrium, query, options) =>
    atrium.workspace.teams.members(team.id, query, options),
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

function AddMemberDialog({ team, onClose }: { team: Team; onClose: () => void }) {
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
    done: (_, { memberId }) => {
      const name = candidates.find(({ id }) => id === memberId)?.name ?? 'The member'
      return { title: `${name} is in the team` }
    },
    onDone: onClose,
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
