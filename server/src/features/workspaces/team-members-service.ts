/** Who belongs to which team. */
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { notFound } from '../../platform/errors.ts'
import { checkRevision } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import { findMember, listMembers, type MemberRecord } from './members-store.ts'
import { checkMayGiveTeams } from './roles.ts'
import { addToTeam, findTeam, removeFromTeam, touchMembers, touchTeams } from './teams-store.ts'
import { lockWorkspace } from './workspace-lock.ts'

/** Every verb throws `not_found` where the workspace has no such team or member; `ifMatch` names a state of the member. */
export type TeamMemberService = {
  list(caller: Caller, teamId: string, page: PageRequest): Promise<Page<MemberRecord>>
  /** Throws `permission_missing` from a narrowed key. Does nothing where the member is in the team already. */
  add(caller: Caller, teamId: string, memberId: string, ifMatch: string | null): Promise<MemberRecord>
  /** Throws `not_found` where the member is not in the team, too. A dry run changes nothing. */
  remove(
    caller: Caller,
    teamId: string,
    memberId: string,
    options: { ifMatch: string | null; dryRun: boolean },
  ): Promise<void>
}

export function createTeamMemberService(dependencies: {
  database: Database
  clock: Clock
  audit: AuditService
  /** Called after each change, so that this process forgets who reached what. */
  onChange: () => void
}): TeamMemberService {
  const { database, clock, audit, onChange } = dependencies

  /** Who is in a team shows on the team and on the member: both get a new ETag. */
  const changed = async (caller: Caller, tx: Tx, action: string, teamId: string, memberId: string) => {
    await touchTeams(caller.scope, tx, [teamId], clock())
    await touchMembers(caller.scope, tx, [memberId])
    await audit.record(tx, caller, { action, resourceId: teamId, details: { memberId } })
    database.afterCommit(tx, onChange)
  }

  return {
    async list(caller, teamId, page) {
      if ((await findTeam(caller.scope, database.read, teamId)) === undefined) throw notFound()
      return listMembers(caller.scope, database.read, { teamId }, page)
    },
    add: (caller, teamId, memberId, ifMatch) =>
      database.write(async tx => {
        const member = await lockForChange(caller, tx, teamId, memberId)
        checkRevision(ifMatch, member)
        if (member.teamIds.includes(teamId)) return member
        checkMayGiveTeams(caller)
        await addToTeam(tx, teamId, memberId, clock())
        await changed(caller, tx, 'team.member.add', teamId, memberId)
        return { ...member, teamIds: [...member.teamIds, teamId].sort(), revision: member.revision + 1 }
      }),
    remove: (caller, teamId, memberId, { ifMatch, dryRun }) =>
      database.write(async tx => {
        const member = await lockForChange(caller, tx, teamId, memberId)
        checkRevision(ifMatch, member)
        if (!member.teamIds.includes(teamId)) throw notFound()
        if (dryRun) return
        await removeFromTeam(tx, teamId, memberId)
        await changed(caller, tx, 'team.member.remove', teamId, memberId)
      }),
  }
}

async function lockForChange(
  caller: Caller,
  tx: Tx,
  teamId: string,
  memberId: string,
): Promise<MemberRecord> {
  await lockWorkspace(caller.scope, tx)
  const team = await findTeam(caller.scope, tx, teamId)
  const member = await findMember(caller.scope, tx, memberId)
  if (team === undefined || member === undefined) throw notFound()
  return member
}
