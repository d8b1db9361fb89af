/** The teams of a workspace; who belongs to them is told in `team-members-service.ts`. */
import type { Caller } from '../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { notFound, ServiceError } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import { checkRevision } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import { touchReached } from './access-store.ts'
import type { NewTeam, Team, TeamChange } from './teams-schemas.ts'
import {
  countTeams,
  deleteTeam,
  findTeam,
  hasTeamNamed,
  insertTeam,
  listTeams,
  memberIdsOfTeam,
  type TeamRecord,
  touchMembers,
  updateTeam,
} from './teams-store.ts'
import { lockWorkspace } from './workspace-lock.ts'

export type TeamService = {
  list(caller: Caller, page: PageRequest): Promise<Page<TeamRecord>>
  get(caller: Caller, id: string): Promise<TeamRecord>
  /** Throws `conflict` where a team has that name, or the workspace has 1,000 teams. */
  create(caller: Caller, team: NewTeam): Promise<TeamRecord>
  /** Throws `conflict` where another team has that name. */
  update(caller: Caller, id: string, change: TeamChange, ifMatch: string | null): Promise<TeamRecord>
  /** Answers the members who leave the team with it; they stay members of the workspace. A dry run changes nothing. */
  remove(
    caller: Caller,
    id: string,
    options: { ifMatch: string | null; dryRun: boolean },
  ): Promise<{ memberIds: string[] }>
}

const maxTeams = 1_000

export function createTeamService(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  /** Called after each change, so that this process forgets who reached what. */
  onChange: () => void
}): TeamService {
  const { database, clock, newId, audit, onChange } = dependencies

  return {
    list: (caller, page) => listTeams(caller.scope, database.read, page),
    async get(caller, id) {
      return (await findTeam(caller.scope, database.read, id)) ?? missing()
    },
    create: (caller, { name, description = null }) =>
      database.write(async tx => {
        await lockWorkspace(caller.scope, tx)
        await checkNameIsFree(caller, tx, name.trim())
        if ((await countTeams(caller.scope, tx)) >= maxTeams) {
          throw new ServiceError('conflict', `A workspace has at most ${maxTeams} teams`)
        }
        const id = newId('team')
        await insertTeam(caller.scope, tx, {
          id,
          workspace_id: caller.scope.workspaceId,
          name: name.trim(),
          description,
          created_at: clock(),
          updated_at: clock(),
          revision: 1,
        })
        await audit.record(tx, caller, {
          action: 'team.create',
          resourceId: id,
          details: { name: name.trim() },
        })
        return (await findTeam(caller.scope, tx, id)) ?? missing()
      }),
    update: (caller, id, change, ifMatch) =>
      database.write(async tx => {
        const team = await lockForChange(caller, tx, id, ifMatch)
        const name = change.name?.trim() ?? team.name
        if (name !== team.name) await checkNameIsFree(caller, tx, name)
        const { description = team.description } = change
        await updateTeam(caller.scope, tx, id, { name, description }, clock())
        await audit.record(tx, caller, {
          action: 'team.update',
          resourceId: id,
          details: { fields: Object.keys(change) },
        })
        return (await findTeam(caller.scope, tx, id)) ?? missing()
      }),
    remove: (caller, id, { ifMatch, dryRun }) =>
      database.write(async tx => {
        const team = await lockForChange(caller, tx, id, ifMatch)
        const memberIds = await memberIdsOfTeam(tx, id)
        if (dryRun) return { memberIds }
        await touchMembers(caller.scope, tx, memberIds)
        await touchReached(caller.scope, tx, id, clock())
        await deleteTeam(caller.scope, tx, id)
        await audit.record(tx, caller, {
          action: 'team.delete',
          resourceId: id,
          details: { name: team.name, memberIds },
        })
        database.afterCommit(tx, onChange)
        return { memberIds }
      }),
  }
}

/** As it goes over the wire. */
export const presentTeam = ({ reach, revision: _, ...team }: TeamRecord): Team => ({
  ...team,
  ...reach,
  createdAt: toTimestamp(team.createdAt),
  updatedAt: toTimestamp(team.updatedAt),
})

const missing = (): never => {
  throw notFound()
}

async function lockForChange(
  caller: Caller,
  tx: Tx,
  id: string,
  ifMatch: string | null,
): Promise<TeamRecord> {
  await lockWorkspace(caller.scope, tx)
  const team = (await findTeam(caller.scope, tx, id)) ?? missing()
  checkRevision(ifMatch, team)
  return team
}

async function checkNameIsFree(caller: Caller, tx: Tx, name: string): Promise<void> {
  if (await hasTeamNamed(caller.scope, tx, name)) {
    throw new ServiceError('conflict', `There is a team with the name ${JSON.stringify(name)} already`)
  }
}
