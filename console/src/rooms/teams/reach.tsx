/** What is kept to a team, by name, each a link to its own room. */
import type { Atrium, Team } from '@atrium/sdk'
import { Link } from '@tanstack/react-router'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { Card } from '../../ui/page.tsx'
import { useOpenRooms } from '../rooms-context.ts'

type Kept = { id: string; name: string }

export function Reach({ team }: { team: Team }) {
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
): Promise<{ collections: Kept[]; agents: Kept[] }> {
  const named = (permission: string, ids: readonly string[], get: (id: string) => Promise<Kept>) =>
    permissions.has(permission) ? Promise.all(ids.slice(0, mostNamed).map(get)) : Promise.resolve([])
  const [collections, found] = await Promise.all([
    named('knowledge:read', team.collectionIds, id => knowledge.collections.get(id, options)),
    named('agents:read', team.agentIds, id => agents.get(id, options)),
  ])
  return { collections, agents: found }
}

type NamesProps = { title: string; path: string; param: string; kept: readonly Kept[]; total: number }

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
