/** The operations on runs: start, follow to the end, look up, cancel. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import { type Patience, toTimestamp, waitFor } from '../../../platform/clock.ts'
import type { Query } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { found, invalidField, notFound, ServiceError } from '../../../platform/errors.ts'
import { parseFilterText } from '../../../platform/filter/filter.ts'
import { findConversation } from '../conversations/conversation-store.ts'
import { noConversation } from '../conversations/turns.ts'
import { agentExists, listAgents } from '../definitions/agent-store.ts'
import { type FollowedEvent, followRun, isRunOver } from '../events/follow-run.ts'
import type { Cursor } from '../events/run-event-schemas.ts'
import type { RunWatch } from '../events/watched-runs.ts'
import { type RunInput, runInputOf } from '../inputs/messages.ts'
import { type Message, messagesOf } from '../records/message-schemas.ts'
import { requireChange } from '../records/ownership.ts'
import {
  type ListedRecord,
  presentRun,
  type RunRecord,
  recordOf,
  recordsOfPage,
} from '../records/run-records.ts'
import type { AllRunsFilter, LastRun, NewRun, Run, RunFilter } from '../records/run-schemas.ts'
import {
  countRunsUnderWay,
  findRun,
  findRunState,
  type LastRunRow,
  listLastRuns,
  listRuns,
  type RunState,
} from '../records/run-store.ts'
import type { RunDependencies } from './run-dependencies.ts'
import { stopRuns } from './run-ending.ts'
import { type Repeated, type Start, startRun } from './run-start.ts'

export type RunService = ReturnType<typeof createRunService>

export function createRunService(dependencies: RunDependencies) {
  const { database, audit, watched } = dependencies

  async function read(scope: Scope, id: string): Promise<RunRecord> {
    return await recordOf(database.read, found(await findRun(scope, database.read, id)))
  }

  /** Asks the database, because the run may be in another process. */
  async function waitUntil(
    isReached: (run: RunState) => boolean,
    scope: Scope,
    id: string,
    patience: Patience,
  ): Promise<RunRecord> {
    const until = performance.now() + patience.waitMs
    let watch: RunWatch | null = null
    try {
      for (;;) {
        const run = found(await findRunState(scope, database.read, id))
        const leftMs = until - performance.now()
        if (isReached(run) || leftMs <= 0 || patience.signal.aborted) return await read(scope, id)
        watch ??= watched.watch(id)
        await watch.changed({ signal: patience.signal, waitMs: leftMs })
      }
    } finally {
      watch?.end()
    }
  }

  return {
    ...createRunLists(dependencies),

    /** How many runs of the workspace are queued or running, in both environments. */
    underWay: (scope: Scope): Promise<number> => countRunsUnderWay(scope, database.read),

    /**
     * Starts a run and returns it once it has ended, or as it is when the patience is over. Without patience the run
     * is left to the workers. Throws like `startRun`.
     */
    async run(
      caller: Caller,
      agentId: string,
      newRun: RunInput,
      patience: Patience,
      repeated?: Repeated,
    ): Promise<RunRecord> {
      const start = { agentId, newRun, repeated }
      const { id, ended } = await startRun(dependencies, caller, start, patience.waitMs > 0)
      if (ended === null) return await waitUntil(isAtRest, caller.scope, id, patience)
      await waitFor(ended, patience)
      return await read(caller.scope, id)
    },

    /** Starts a run like `run`, and returns its id at once, so that the run can be followed from its beginning. */
    async begin(caller: Caller, agentId: string, newRun: RunInput, repeated?: Repeated): Promise<string> {
      return (await startRun(dependencies, caller, { agentId, newRun, repeated }, true)).id
    },

    /** Like `begin`, for a request with unchecked messages. Uses the agent's model unless `start` names one. */
    start: async (
      caller: Caller,
      { newRun, ...start }: Pick<Start, 'agentId' | 'model' | 'earlierIds' | 'searches'> & { newRun: NewRun },
    ): Promise<string> =>
      (await startRun(dependencies, caller, { ...start, newRun: runInputOf(newRun) }, true)).id,

    /** Returns the run as its reader sees it, and its messages with the bytes of images. Throws `not_found`. */
    show: async ({ scope }: Caller, id: string): Promise<AskedRun> => askedRun(await read(scope, id), scope),

    /** Starts a run for the workers to take up, and returns its id. Throws like `startRun`. */
    async enqueue(caller: Caller, start: Start): Promise<string> {
      return (await startRun(dependencies, caller, start, false)).id
    },

    /** The events behind `after`, until the run ends, waits for an approval or a result, or the signal is aborted. */
    follow: (
      { scope }: Caller,
      id: string,
      after: Cursor,
      signal: AbortSignal,
    ): AsyncIterable<FollowedEvent> => followRun(dependencies, scope, id, after, signal),

    /** Whether the run has ended and has no event behind `after`. */
    isOver: ({ scope }: Caller, id: string, after: Cursor): Promise<boolean> =>
      isRunOver(dependencies, scope, id, after),

    /**
     * Returns the run once it has ended or waits for an approval or a result, or as it is when the patience is over.
     * Throws `not_found`.
     */
    get: ({ scope }: Caller, id: string, patience: Patience): Promise<RunRecord> =>
      waitUntil(isAtRest, scope, id, patience),

    /** Cancels the run. Returns it once it has stopped, or as it is when the patience is over. */
    async cancel(caller: Caller, id: string, patience: Patience): Promise<RunRecord> {
      await database.write(async tx => {
        const row = found(await findRun(caller.scope, tx, id))
        requireChange(caller, row)
        // A part that has ended names the job of the run at the head, which may still be in progress.
        if (row.finished_at === null) {
          if (row.root_run_id !== null) throw isPart(row.root_run_id)
          await stopRuns(dependencies, tx, [row])
        }
        await audit.record(tx, caller, { action: 'run.cancel', resourceId: id })
      })
      return await waitUntil(hasEnded, caller.scope, id, patience)
    },
  }
}

const createRunLists = ({ database }: RunDependencies) => ({
  /** Lists runs of all agents, unless the filter names one. Throws a 400 if the caller has no such agent. */
  async listAll({ scope }: Caller, filter: AllRunsFilter, page: PageRequest): Promise<Page<ListedRecord>> {
    const { agentId } = filter
    if (agentId !== undefined && !(await agentExists(scope, database.read, agentId))) {
      throw invalidField('agentId', 'There is no agent with this id')
    }
    return await listReached(scope, database.read, filter, page)
  },

  /** Like `listAll`, for one agent. Throws `not_found` if the agent does not exist. */
  async list(
    { scope }: Caller,
    agentId: string,
    filter: RunFilter,
    page: PageRequest,
  ): Promise<Page<ListedRecord>> {
    if (!(await agentExists(scope, database.read, agentId))) throw notFound()
    return await listReached(scope, database.read, { ...filter, agentId }, page)
  },

  /** The newest run of each agent, in the order and the pages of the list of agents. */
  async listLast({ scope }: Caller, page: PageRequest): Promise<Page<LastRun>> {
    const { items, total } = await listAgents(scope, database.read, page)
    const ids = items.map(({ id }) => id)
    const rows = ids.length === 0 ? [] : await listLastRuns(scope, database.read, ids)
    const byAgent = new Map(rows.map(row => [row.agent_id, row]))
    return { items: ids.map(id => lastRunOf(id, byAgent.get(id))), total }
  },
})

const ofRuns = { kinds: {}, noun: 'field of runs' }

/** Throws a 400 if the caller has no conversation with the filter's id. The filter's agent must have been found. */
async function listReached(
  scope: Scope,
  query: Query,
  { expand = '', filter, ...selection }: AllRunsFilter,
  page: PageRequest,
): Promise<Page<ListedRecord>> {
  const { agentId, conversationId } = selection
  if (conversationId !== undefined) {
    const row = await findConversation(scope, query, conversationId)
    if (row === undefined || (agentId ?? row.agent_id) !== row.agent_id) {
      throw noConversation(agentId === undefined ? undefined : 'for this agent')
    }
  }
  const matching = filter === undefined ? undefined : parseFilterText(ofRuns, filter)
  const runs = await listRuns(scope, query, { ...selection, matching }, page)
  return await recordsOfPage(query, runs, { expand })
}

/** A run with the messages that it was given. */
type AskedRun = { run: Run; messages: Message[] }

const askedRun = (record: RunRecord, scope: Scope): AskedRun => ({
  run: presentRun(record, scope),
  messages: messagesOf(record.row) ?? [{ role: 'user', content: record.row.prompt }],
})

const hasEnded = (run: RunState): boolean => run.finished_at !== null
const isAtRest = (run: RunState): boolean => hasEnded(run) || run.status === 'waiting'

const lastRunOf = (agentId: string, row: LastRunRow | undefined): LastRun => ({
  agentId,
  run: row === undefined ? null : { id: row.id, status: row.status, createdAt: toTimestamp(row.created_at) },
})

/** A part is worked on within the job of the run at the head, which would stop with it. */
const isPart = (rootRunId: string): ServiceError =>
  new ServiceError('run_is_part', `The run is a part of ${rootRunId}; cancel that one`, {
    details: { rootRunId },
  })
