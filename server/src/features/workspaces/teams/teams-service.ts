/** The teams of a workspace, and their members. */
import type { Caller } from '../../../platform/caller.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { found, limitReached, notFound, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision, type Deletion } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import { touchReached } from '../records/access-store.ts'
import { findMember, listMembers, lockWorkspace, type MemberRecord } from '../records/members-store.ts'
import { checkMayGiveTeams } from '../records/roles.ts'
import {
  addToTeam,
  countTeams,
  deleteTeam,
  findTeam,
  findTeamNamed,
  insertTeam,
  listTeams,
  memberIdsOfTeam,
  removeFromTeam,
  type TeamRecord,
  touchMembers,
  touchTeams,
  updateTeam,
} from '../records/teams-store.ts'
import type { NewTeam, Team, TeamChange } from './teams-schemas.ts'

export type TeamService = ReturnType<typeof createTeamService>

const maxTeams = 1_000

export function createTeamService(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId'> & {
    audit: AuditService
    /** Called after each change, so that this process drops its cached reach of members. */
    onChange: () => void
  },
) {
  const { database, clock, newId, audit, onChange } = dependencies

  /** A team's members appear on the team and on the member, so both get a new ETag. */
  const changed = async (caller: Caller, tx: Tx, action: string, teamId: string, memberId: string) => {
    await touchTeams(caller.scope, tx, [teamId], clock())
    await touchMembers(caller.scope, tx, [memberId])
    await audit.record(tx, caller, { action, resourceId: teamId, details: { memberId } })
    database.afterCommit(tx, onChange)
  }

  return {
    list: (caller: Caller, page: PageRequest): Promise<Page<TeamRecord>> =>
      listTeams(caller.scope, database.read, page),
    async get(caller: Caller, id: string): Promise<TeamRecord> {
      return found(await findTeam(caller.scope, database.read, id))
    },
    /** Throws `already_exists` if a team has this name, and `limit_reached` at 1,000 teams. */
    create: (caller: Caller, { name, description = null }: NewTeam): Promise<TeamRecord> =>
      database.write(async tx => {
        await lockWorkspace(caller.scope, tx)
        await checkNameIsFree(caller, tx, name.trim())
        if ((await countTeams(caller.scope, tx)) >= maxTeams) {
          throw limitReached('teams', maxTeams, `A workspace has at most ${maxTeams} teams`)
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
        return found(await findTeam(caller.scope, tx, id))
      }),
    /** Throws `already_exists` if another team has this name. */
    update: (caller: Caller, id: string, change: TeamChange, ifMatch: string | null): Promise<TeamRecord> =>
      database.write(async tx => {
        const team = await lockForChange(caller, tx, id, ifMatch)
        const name = change.name?.trim() ?? team.name
        if (name !== team.name) await checkNameIsFree(caller, tx, name)
        const { description = team.description } = change
        await updateTeam(caller.scope, tx, id, { name, description, updated_at: clock() })
        await audit.record(tx, caller, {
          action: 'team.update',
          resourceId: id,
          details: { fields: Object.keys(change) },
        })
        return found(await findTeam(caller.scope, tx, id))
      }),
    /** Returns the members that the team had; they stay members of the workspace. A dry run changes nothing. */
    remove: (caller: Caller, id: string, { ifMatch, dryRun }: Deletion): Promise<{ memberIds: string[] }> =>
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
    /** Every method about members throws `not_found` if the workspace has no such team or member. */
    async listMembers(caller: Caller, teamId: string, page: PageRequest): Promise<Page<MemberRecord>> {
      found(await findTeam(caller.scope, database.read, teamId))
      return listMembers(caller.scope, database.read, { teamId }, page)
    },
    /**
     * Does nothing if the member is already in the team. `ifMatch` names a revision of the member.
     */
    addMember: (caller: Caller, teamId: string, memberId: string, ifMatch: string | null) =>
      database.write(async tx => {
        const member = await lockMember(caller, tx, teamId, memberId)
        checkRevision(ifMatch, member)
        if (member.teamIds.includes(teamId)) return member
        checkMayGiveTeams(caller)
        await addToTeam(tx, teamId, memberId, clock())
        await changed(caller, tx, 'team.member.add', teamId, memberId)
        return { ...member, teamIds: [...member.teamIds, teamId].sort(), revision: member.revision + 1 }
      }),
    /** Also throws `not_found` if the member is not in the team. A dry run changes nothing. */
    removeMember: (caller: Caller, teamId: string, memberId: string, { ifMatch, dryRun }: Deletion) =>
      database.write(async tx => {
        const member = await lockMember(caller, tx, teamId, memberId)
        checkRevision(ifMatch, member)
        if (!member.teamIds.includes(teamId)) throw notFound()
        if (dryRun) return
        await removeFromTeam(tx, teamId, memberId)
        await changed(caller, tx, 'team.member.remove', teamId, memberId)
      }),
  }
}

/** The team in its wire format. */
export const presentTeam = ({ reach, revision: _, ...team }: TeamRecord): Team => ({
  ...team,
  ...reach,
  createdAt: toTimestamp(team.createdAt),
  updatedAt: toTimestamp(team.updatedAt),
})

async function lockForChange(caller: Caller, tx: Tx, id: string, ifMatch: string | null) {
  await lockWorkspace(caller.scope, tx)
  const team = found(await findTeam(caller.scope, tx, id))
  checkRevision(ifMatch, team)
  return team
}

async function checkNameIsFree(caller: Caller, tx: Tx, name: string): Promise<void> {
  const id = await findTeamNamed(caller.scope, tx, name)
  if (id !== null) {
    throw new ServiceError(
      'already_exists',
      `There is a team with the name ${JSON.stringify(name)} already`,
      {
        details: { resource: 'team', field: 'name', id },
      },
    )
  }
}

async function lockMember(caller: Caller, tx: Tx, teamId: string, memberId: string): Promise<MemberRecord> {
  await lockWorkspace(caller.scope, tx)
  const team = await findTeam(caller.scope, tx, teamId)
  const member = await findMember(caller.scope, tx, memberId)
  if (team === undefined || member === undefined) throw notFound()
  return member
}
