/** Looks runs up, and waits for their end. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Patience } from '../../../platform/patience.ts'
import { findConversation } from '../conversations/conversation-store.ts'
import { noConversation } from '../conversations/turns.ts'
import { type AgentRow, findAgent, listAgents } from '../definitions/agent-store.ts'
import type { RunWatch, WatchedRuns } from '../events/watched-runs.ts'
import type { LastRun } from '../records/last-run-schemas.ts'
import type { RunRecord } from '../records/run-present.ts'
import { recordOf, recordsOf } from '../records/run-records.ts'
import type { RunFilter } from '../records/run-schemas.ts'
import {
  findRun,
  findRunState,
  type LastRunRow,
  listLastRuns,
  listRuns,
  type RunState,
} from '../records/run-store.ts'

export type RunReads = {
  list(caller: Caller, agentId: string, filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>>
  /** Page by page as the agents are listed. */
  listLast(caller: Caller, page: PageRequest): Promise<Page<LastRun>>
  /** As it stands. Throws `not_found`. */
  read(scope: Scope, id: string): Promise<RunRecord>
  /** Once it has ended, or as it stands when the patience is over. Throws `not_found`. */
  waitForEnd(scope: Scope, id: string, patience: Patience): Promise<RunRecord>
  /** The same, or once it waits for somebody. */
  waitForRest(scope: Scope, id: string, patience: Patience): Promise<RunRecord>
}

export function createRunReads({
  database,
  watched,
}: {
  database: Database
  watched: WatchedRuns
}): RunReads {
  async function checkFilter(scope: Scope, agent: AgentRow, { conversationId }: RunFilter): Promise<void> {
    if (conversationId === undefined) return
    const found = await findConversation(scope, database.read, conversationId)
    if (found?.agent_id !== agent.id) throw noConversation('for this agent')
  }

  async function read(scope: Scope, id: string): Promise<RunRecord> {
    const row = (await findRun(scope, database.read, id)) ?? missing()
    return await recordOf(database.read, row)
  }

  /** By asking the database: the run may be in another process. */
  async function waitUntil(
    isOver: (run: RunState) => boolean,
    scope: Scope,
    id: string,
    { waitMs, signal }: Patience,
  ): Promise<RunRecord> {
    const until = performance.now() + waitMs
    let watch: RunWatch | null = null
    try {
      for (;;) {
        const run = (await findRunState(scope, database.read, id)) ?? missing()
        const leftMs = until - performance.now()
        if (isOver(run) || leftMs <= 0 || signal.aborted) return await read(scope, id)
        watch ??= watched.watch(id)
        await watch.changed({ signal, waitMs: leftMs })
      }
    } finally {
      watch?.end()
    }
  }

  return {
    read,
    waitForEnd: (scope, id, patience) => waitUntil(hasEnded, scope, id, patience),
    waitForRest: (scope, id, patience) => waitUntil(rests, scope, id, patience),
    async listLast({ scope }, page) {
      const { items, total } = await listAgents(scope, database.read, page)
      const ids = items.map(({ id }) => id)
      const rows = ids.length === 0 ? [] : await listLastRuns(scope, database.read, ids)
      const byAgent = new Map(rows.map(row => [row.agent_id, row]))
      return { items: ids.map(id => lastRunOf(id, byAgent.get(id))), total }
    },
    async list(caller, agentId, filter, page) {
      const agent = (await findAgent(caller.scope, database.read, agentId)) ?? missing()
      await checkFilter(caller.scope, agent, filter)
      const { createdAfter, createdBefore, ...rest } = filter
      const selection = {
        ...rest,
        createdAfterMs: createdAfter === undefined ? undefined : Date.parse(createdAfter),
        createdBeforeMs: createdBefore === undefined ? undefined : Date.parse(createdBefore),
      }
      const runs = await listRuns(caller.scope, database.read, agent, selection, page)
      return { items: await recordsOf(database.read, runs.items), total: runs.total }
    },
  }
}

const lastRunOf = (agentId: string, row: LastRunRow | undefined): LastRun => ({
  agentId,
  run: row === undefined ? null : { id: row.id, status: row.status, createdAt: toTimestamp(row.created_at) },
})

const hasEnded = (run: RunState): boolean => run.finished_at !== null
const rests = (run: RunState): boolean => hasEnded(run) || run.status === 'waiting'

const missing = (): never => {
  throw notFound()
}
