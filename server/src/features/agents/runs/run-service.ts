/** The verbs of runs: start, follow to the end, look up, cancel. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { notFound, ServiceError } from '../../../platform/errors.ts'
import { type Patience, waitFor } from '../../../platform/patience.ts'
import type { AuditService } from '../../audit/service.ts'
import type { StopRuns } from '../conversations/turns.ts'
import type { FollowedEvent, FollowRun } from '../events/follow-run.ts'
import type { Cursor } from '../events/run-event-schemas.ts'
import type { RunRecord } from '../records/run-present.ts'
import type { NewRun, RunFilter } from '../records/run-schemas.ts'
import { countRunsUnderWay, findRun } from '../records/run-store.ts'
import type { RunReads } from './run-reads.ts'
import type { Repeated, StartRun } from './run-start.ts'

export type RunService = {
  /** How many runs of the workspace are queued or running, in both environments. */
  underWay(scope: Scope): Promise<number>
  /**
   * Starts a run and answers it once it has ended, or as it stands when the patience is over; with none, it is
   * left to the workers. Throws `conflict` where the agent is paused, `permission_missing` where the caller may
   * not use one of its tools, and `run_limit`.
   */
  run(
    caller: Caller,
    agentId: string,
    wanted: NewRun,
    patience: Patience,
    repeated?: Repeated,
  ): Promise<RunRecord>
  /** Starts a run as `run` does, to be followed from its beginning. */
  begin(caller: Caller, agentId: string, wanted: NewRun, repeated?: Repeated): Promise<string>
  /** What happens behind `after`, until the run has ended, waits for somebody, or the signal is aborted. */
  follow(caller: Caller, id: string, after: Cursor, signal: AbortSignal): AsyncIterable<FollowedEvent>
  /** Whether there is nothing behind `after` and never will be. */
  isOver(caller: Caller, id: string, after: Cursor): Promise<boolean>
  list(caller: Caller, agentId: string, filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>>
  listLast: RunReads['listLast']
  get(caller: Caller, id: string, patience: Patience): Promise<RunRecord>
  /** Answers once the run has stopped; a run that has ended is answered as it is. */
  cancel(caller: Caller, id: string, signal: AbortSignal): Promise<RunRecord>
}

/** A run in another process hears of it within a second, and has a tool or a database to wait for. */
const longestCancelMs = 10_000

export function createRunService(dependencies: {
  database: Database
  audit: AuditService
  start: StartRun
  stopRuns: StopRuns
  reads: RunReads
  followRun: FollowRun
}): RunService {
  const { database, audit, start, stopRuns, reads, followRun } = dependencies
  return {
    async run(caller, agentId, wanted, patience, repeated) {
      const inForeground = patience.waitMs > 0
      const { id, ended } = await start(caller, agentId, wanted, { inForeground, repeated })
      if (ended === null) return await reads.waitForRest(caller.scope, id, patience)
      await waitFor(ended, patience)
      return await reads.read(caller.scope, id)
    },
    async begin(caller, agentId, wanted, repeated) {
      return (await start(caller, agentId, wanted, { inForeground: true, repeated })).id
    },
    follow: (caller, id, after, signal) => followRun.follow(caller.scope, id, after, signal),
    isOver: (caller, id, after) => followRun.isOver(caller.scope, id, after),
    underWay: scope => countRunsUnderWay(scope, database.read),
    list: reads.list,
    listLast: reads.listLast,
    get: (caller, id, patience) => reads.waitForRest(caller.scope, id, patience),
    async cancel(caller, id, signal) {
      await database.write(async tx => {
        const row = (await findRun(caller.scope, tx, id)) ?? missing()
        if (row.root_run_id !== null && row.finished_at === null) throw isPart(row.root_run_id)
        await stopRuns(tx, [row])
        await audit.record(tx, caller, { action: 'run.cancel', resourceId: id })
      })
      return await reads.waitForEnd(caller.scope, id, { waitMs: longestCancelMs, signal })
    },
  }
}

/** It is worked on within the job of the run at the head, which would stop with it. */
const isPart = (rootRunId: string): ServiceError =>
  new ServiceError('conflict', `The run is a part of ${rootRunId}; cancel that one`)

const missing = (): never => {
  throw notFound()
}
