/** One team: who belongs to it, and what is kept to it. */
import type { Atrium, Team } from '@atrium/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { useRoomParam } from '../../api/search-values.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { count } from '../../ui/format.ts'
import { Card, Page } from '../../ui/page.tsx'
import { useOpenRooms } from '../room.ts'
import { SandboxNotice, useMayChangeTeams } from './live-only.tsx'
import { TeamDialog } from './team-dialog.tsx'
import { TeamMembers } from './team-members.tsx'

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

/** What is kept to a team, by name, each a link to its own room. */
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
