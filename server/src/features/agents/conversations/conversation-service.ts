/** The operations on conversations: find, rename, share, branch, erase. Runs begin and continue conversations. */

import type { Caller, ConversationAccess, Scope } from '../../../platform/caller.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, previewedIds } from '../../../platform/database/page.ts'
import { found, invalidField } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import type { AccessService, TeamsOf } from '../../workspaces/teams/access-service.ts'
import { findAgent } from '../definitions/agent-store.ts'
import { ownerOf, requireChange } from '../records/ownership.ts'
import { shownNarrowing } from '../records/run-callers.ts'
import { runInProgress } from '../records/run-errors.ts'
import { recordsOfPage } from '../records/run-records.ts'
import type { Expansion } from '../records/run-schemas.ts'
import { branchAfter } from './branching.ts'
import type {
  Conversation,
  ConversationChange,
  ConversationFilter,
  NewBranch,
} from './conversation-schemas.ts'
import {
  branchesOf,
  type ConversationRow,
  deleteConversation,
  findConversation,
  findRunOfConversation,
  firstRunsOf,
  listConversationRuns,
  listConversations,
  lockConversation,
  lockPart,
  partsOf,
  updateConversation,
} from './conversation-store.ts'
import { isBusy } from './turns.ts'

/** What erasing deletes, and the branches that lose their beginning. `runIds` names only the first deleted runs. */
type Erasure = { ids: string[]; runCount: number; runIds: string[]; branchIds: string[] }

export type ConversationService = ReturnType<typeof createConversationService>

export function createConversationService({
  database,
  clock,
  newId,
  audit,
  access,
}: Pick<Platform, 'database' | 'clock' | 'newId'> & { audit: AuditService; access: AccessService }) {
  const get = async ({ scope }: Caller, id: string): Promise<ConversationRow> =>
    found(await findConversation(scope, database.read, id))

  /** Locks a conversation and checks that the caller may change it. */
  async function lock(caller: Caller, tx: Tx, id: string): Promise<ConversationRow> {
    const row = found(await lockConversation(caller.scope, tx, id))
    requireChange(caller, row)
    return row
  }

  return {
    get,
    present: async ({ scope }: Caller, row: ConversationRow): Promise<Conversation> =>
      presentConversation(
        row,
        scope,
        await access.teamsOf(database.read, 'conversation', [accessedRow(row)]),
      ),
    async presentAll({ scope }: Caller, rows: readonly ConversationRow[]): Promise<Conversation[]> {
      const teamsOf = await access.teamsOf(database.read, 'conversation', rows.map(accessedRow))
      return rows.map(row => presentConversation(row, scope, teamsOf))
    },
    /** Throws a 400 if the filter names an agent that does not exist for the caller. */
    async list(
      { scope }: Caller,
      filter: ConversationFilter,
      page: PageRequest,
    ): Promise<Page<ConversationRow>> {
      if (
        filter.agentId !== undefined &&
        (await findAgent(scope, database.read, filter.agentId)) === undefined
      ) {
        throw invalidField('agentId', 'There is no agent with this id')
      }
      return await listConversations(scope, database.read, filter, page)
    },
    /** The runs of the conversation, the latest first. */
    async runs(caller: Caller, id: string, expansion: Expansion, page: PageRequest) {
      const runs = await listConversationRuns(caller.scope, database.read, await get(caller, id), page)
      return await recordsOfPage(database.read, runs, expansion)
    },
    /** Renames the conversation, or shares it, as only its owner can. Throws a 400 that names the field. */
    change: (
      caller: Caller,
      id: string,
      { name, ...wanted }: ConversationChange,
      ifMatch: string | null,
    ): Promise<ConversationRow> =>
      database.write(async tx => {
        const shared = await share(access, caller, tx, id, wanted)
        const row = await lock(caller, tx, id)
        checkRevision(ifMatch, row)
        const change = {
          name: name?.trim() ?? row.name,
          shared_with: shared === null ? row.shared_with : sharedWithOf(shared.access),
          revision: row.revision + 1,
          updated_at: clock(),
        }
        await updateConversation(tx, id, change)
        const details = { ...shared }
        await audit.record(tx, caller, { action: 'conversation.update', resourceId: id, details })
        return { ...row, ...change }
      }),
    /** Throws a 400 if the run is not in the conversation, and `run_in_progress` if the run has not ended. */
    branch: (caller: Caller, id: string, { runId, name }: NewBranch): Promise<ConversationRow> =>
      database.write(async tx => {
        const { id: from } = await lock(caller, tx, id)
        const run = await findRunOfConversation(tx, from, runId)
        if (run === undefined) {
          throw invalidField('runId', 'There is no run with this id in the conversation')
        }
        if (run.finished_at === null) {
          throw runInProgress(run)
        }
        const row = await branchAfter(caller.scope, tx, run, {
          id: newId('conversation'),
          now: clock(),
          name,
          ownerId: ownerOf(caller),
        })
        const details = { parentId: id, branchRunId: runId }
        await audit.record(tx, caller, { action: 'conversation.branch', resourceId: row.id, details })
        return row
      }),
    /**
     * Erases the conversation for good, with its runs and the conversations that its runs began with other agents.
     * Throws `conversation_busy` while a run is in progress, and `precondition_failed`.
     */
    remove: (
      caller: Caller,
      id: string,
      { ifMatch, dryRun }: { ifMatch: string | null; dryRun: boolean },
    ): Promise<Erasure> =>
      database.write(async tx => {
        const row = await lock(caller, tx, id)
        checkRevision(ifMatch, row)
        const rows = [row, ...(await lockParts(tx, id))]
        const busy = rows.find(one => one.run_count > one.ended_count)
        if (busy !== undefined) throw await isBusy(caller.scope, tx, busy.id)
        const runCount = rows.reduce((sum, one) => sum + one.run_count, 0)
        const ids = rows.map(one => one.id)
        const erasure = {
          ids,
          runCount,
          runIds: await firstRunsOf(tx, ids, previewedIds),
          branchIds: await branchesOf(caller.scope, tx, id),
        }
        if (dryRun) return erasure
        const runIds: string[] = []
        for (const one of rows) runIds.push(...(await deleteConversation(tx, one)))
        await audit.forgetReplies(tx, [...erasure.ids, ...runIds])
        const details = { runs: runIds.length }
        await audit.record(tx, caller, { action: 'conversation.delete', resourceId: id, details })
        return erasure
      }),
  }
}

/** Includes conversations with agents that the caller does not reach: they were held for this conversation. */
async function lockParts(tx: Tx, id: string): Promise<ConversationRow[]> {
  const parts: ConversationRow[] = []
  for (const partId of await partsOf(tx, id)) {
    const row = await lockPart(tx, partId)
    if (row !== undefined) parts.push(row)
  }
  return parts
}

/** Writes the teams. The transaction undoes this if a later check fails. Null if the change does not share. */
async function share(
  access: AccessService,
  caller: Caller,
  tx: Tx,
  id: string,
  { access: wanted, teamIds: wantedIds }: Pick<ConversationChange, 'access' | 'teamIds'>,
): Promise<Pick<Conversation, 'access' | 'teamIds'> | null> {
  if (wanted === undefined && wantedIds === undefined) return null
  const row = found(await findConversation(caller.scope, tx, id))
  requireChange(caller, row)
  if (row.owner_id === null) {
    throw invalidField('access', 'The conversation belongs to the workspace, which reads it anyway')
  }
  const present = (await access.teamsOf(tx, 'conversation', [accessedRow(row)]))(id)
  const shared = wanted ?? accessOf(row)
  const teamIds = shared === 'teams' ? (wantedIds ?? present) : []
  if (shared === 'teams' && teamIds.length === 0) throw invalidField('teamIds', 'must name a team')
  if (shared !== 'teams' && (wantedIds ?? []).length > 0) {
    throw invalidField('teamIds', 'must be empty unless `access` is `teams`')
  }
  await access.share(caller, tx, id, teamIds)
  return { access: shared, teamIds }
}

const accessOf = ({ owner_id: owner, shared_with: sharedWith }: ConversationRow): ConversationAccess =>
  owner === null ? 'workspace' : (sharedWith ?? 'private')

const sharedWithOf = (access: ConversationAccess): ConversationRow['shared_with'] =>
  access === 'private' ? null : access

const accessedRow = (row: ConversationRow) => ({ id: row.id, access: accessOf(row) })

const presentConversation = (row: ConversationRow, scope: Scope, teamsOf: TeamsOf): Conversation => ({
  id: row.id,
  agentId: row.agent_id,
  ownerId: row.owner_id,
  access: accessOf(row),
  teamIds: teamsOf(row.id),
  endUserId: row.end_user_id,
  ...shownNarrowing(row, scope),
  name: row.name,
  parentId: row.parent_id,
  branchRunId: row.branch_run_id,
  runCount: row.run_count,
  summary:
    row.summary === null || row.summary_until_run_id === null || scope.endUser !== undefined
      ? null
      : { text: row.summary, untilRunId: row.summary_until_run_id },
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})
