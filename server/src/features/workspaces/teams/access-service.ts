/** Keeps collections and agents to teams: checks what a caller asks for, and writes it. */
import type { Access, Caller, ConversationAccess } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import {
  type FieldError,
  forbidden,
  invalidField,
  limitReached,
  ServiceError,
} from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import {
  type AccessKind,
  countKept,
  readTeamIds,
  teamIdsOfUser,
  writeTeamIds,
} from '../records/access-store.ts'
import { lockWorkspace } from '../records/members-store.ts'
import { existingTeamIds } from '../records/teams-store.ts'
import type { AccessChange } from './teams-schemas.ts'

type AccessSetting = { access: Access; teamIds: string[] }

export type AccessService = ReturnType<typeof createAccessService>

/** The access fields of a body; each may be undefined. */
export const accessChange = (access: Access | undefined, teamIds: string[] | undefined): AccessChange => ({
  access,
  teamIds,
})

/** The teams of a record, by the record's id. */
export type TeamsOf = (id: string) => string[]

/** Limited, because each query of a member lists the records that are kept from them. */
const maxKept = 1_000

export function createAccessService(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    /** Called after each change, so that this process drops its cached reach of members. */
    onChange: () => void
  },
) {
  const { database, clock, onChange } = dependencies

  async function checkTeams(caller: Caller, tx: Tx, teamIds: readonly string[], isNew: boolean) {
    const existing = await existingTeamIds(caller.scope, tx, teamIds)
    const own =
      caller.permissions.has('teams:write') || caller.userId === null
        ? null
        : await teamIdsOfUser(caller.scope, tx, caller.userId)
    const errors = teamIds.flatMap((id, index): FieldError[] => {
      const field = `teamIds.${index}`
      if (!existing.has(id)) return [{ field, message: 'There is no team with this id' }]
      if (own === null || own.has(id)) return []
      return [{ field, message: 'is no team of yours; to name others the key needs teams:write' }]
    })
    if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
    if (isNew && own !== null && teamIds.length === 0) {
      throw invalidField('teamIds', 'must name a team of yours: else only owners and admins could see it')
    }
  }

  return {
    /** The teams that reach these records; empty for a record that the whole workspace reaches. */
    async teamsOf(
      query: Query,
      kind: AccessKind,
      rows: readonly { id: string; access: Access | ConversationAccess }[],
    ): Promise<TeamsOf> {
      const kept = rows.filter(({ access }) => access === 'teams').map(({ id }) => id)
      if (kept.length === 0) return () => []
      const teams = await readTeamIds(query, kind, kept)
      return id => teams.get(id) ?? []
    },

    /**
     * To be called before the record is locked: teams are deleted under the same lock. Returns the new setting; null
     * if the change names none. Throws a 400 that names the field, and 403 `permission_missing`. Throws
     * `limit_reached` if 1,000 records of the workspace are already kept to teams.
     */
    async prepare(
      caller: Caller,
      tx: Tx,
      wanted: AccessChange,
      present: () => Promise<AccessSetting | null>,
    ): Promise<AccessSetting | null> {
      if (wanted.access === undefined && wanted.teamIds === undefined) return null
      await lockWorkspace(caller.scope, tx)
      const before = await present()
      const access = wanted.access ?? before?.access ?? 'workspace'
      if (access === 'workspace' && (wanted.teamIds ?? []).length > 0) {
        throw invalidField('teamIds', 'must be empty unless `access` is `teams`')
      }
      if (before !== null && !caller.permissions.has('teams:write')) {
        throw forbidden(
          'permission',
          'The key lacks the permission teams:write, which changing `access` and `teamIds` needs',
          { permission: 'teams:write' },
        )
      }
      const isKept = access === 'teams'
      const teamIds = isKept ? (wanted.teamIds ?? before?.teamIds ?? []) : []
      if (isKept) await checkTeams(caller, tx, teamIds, before === null)
      if (isKept && before?.access !== 'teams' && (await countKept(caller.scope, tx)) >= maxKept) {
        throw limitReached(
          'records kept to teams',
          maxKept,
          `A workspace keeps at most ${maxKept} collections and agents to teams`,
        )
      }
      return { access, teamIds: [...teamIds].sort() }
    },

    /**
     * Sets the teams with which a conversation is shared. To be called before the conversation is locked: teams are
     * deleted under the same lock. Throws a 400 that names each id that is not a team, or not one of the caller's.
     */
    async share(caller: Caller, tx: Tx, conversationId: string, teamIds: readonly string[]): Promise<void> {
      await lockWorkspace(caller.scope, tx)
      await checkTeams(caller, tx, teamIds, false)
      await writeTeamIds(tx, 'conversation', conversationId, teamIds, clock())
    },

    /** Writes the teams of a record. The record's own feature writes the record's column. */
    async write(tx: Tx, kind: AccessKind, id: string, after: AccessSetting): Promise<void> {
      await writeTeamIds(tx, kind, id, after.teamIds, clock())
      database.afterCommit(tx, onChange)
    },
  }
}
