/** Which collections and agents of a workspace are kept to which teams, in its archive: by names, since a team gets a new id elsewhere. */

import { type Caller, type Environment, environments } from '../../platform/caller.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { type KnownWorkspace, operatorCaller, type Session } from '../session.ts'

const short = Type.String({ maxLength: 2_000 })

/** With the ids that the archive has. */
export const ArchivedAccess = Type.Array(
  Type.Closed({
    environment: Type.Union([Type.Literal('live'), Type.Literal('test')]),
    kind: Type.Union([Type.Literal('collection'), Type.Literal('agent')]),
    id: short,
    teams: Type.Array(short, { maxItems: 100 }),
  }),
  { maxItems: 1_000 },
)
export type ArchivedAccess = Static<typeof ArchivedAccess>

type StoredAccess = { id: string; access: string; teamIds: readonly string[] }

/** `list` gives what an environment has, a page after the other. */
export async function describeAccess(
  session: Session,
  workspace: KnownWorkspace,
  teamNames: ReadonlyMap<string, string>,
  list: (caller: Caller) => AsyncIterable<{ kind: 'collection' | 'agent'; records: readonly StoredAccess[] }>,
): Promise<ArchivedAccess> {
  const described: ArchivedAccess = []
  for (const environment of environments) {
    for await (const { kind, records } of list(operatorCaller(session, workspace, { environment }))) {
      for (const { id, access, teamIds } of records) {
        if (access !== 'teams') continue
        described.push({
          environment,
          kind,
          id,
          teams: teamIds.flatMap(teamId => teamNames.get(teamId) ?? []),
        })
      }
    }
  }
  return described
}

/** Of a team that could not be made, nothing is left of its access: then it is kept to the others, or to owners and admins. */
export async function takeAccess(
  session: Session,
  workspace: KnownWorkspace,
  archived: ArchivedAccess,
  made: { teamIds: ReadonlyMap<string, string>; ids: ReadonlyMap<string, string> },
): Promise<void> {
  const { collections, agents } = session.services
  const callerIn = (environment: Environment) => operatorCaller(session, workspace, { environment })
  for (const { environment, kind, id, teams } of archived) {
    const newId = made.ids.get(id)
    if (newId === undefined) continue
    const teamIds = teams.flatMap(name => made.teamIds.get(name) ?? [])
    const change = { access: 'teams' as const, teamIds }
    if (kind === 'collection') await collections.update(callerIn(environment), newId, change, null)
    else await agents.update(callerIn(environment), newId, change, null)
  }
}
