/** The queue of runs and their verbs, with what the two share within one process. */
import type { StrangersSchemas } from '../../../platform/json-schema/strangers-schemas.ts'
import type { AuditService } from '../../audit/service.ts'
import type { AttachmentsService } from '../../knowledge/documents/attachments-service.ts'
import { createPassagesService } from '../../knowledge/documents/passages-service.ts'
import type { Limits } from '../../limits/service.ts'
import { createBudgets } from '../budgets/budgets.ts'
import { createFollowRun } from '../events/follow-run.ts'
import { createLiveRuns } from '../events/live-runs.ts'
import { readRunProgress } from '../events/run-events-store.ts'
import { createWatchedRuns } from '../events/watched-runs.ts'
import { createAttachments } from '../inputs/attachments.ts'
import { createHandover } from './handover.ts'
import { createCallPart } from './parts.ts'
import { createPauseRun } from './pause-run.ts'
import { createReadInputs } from './read-inputs.ts'
import { createEndRun } from './run-ending.ts'
import { createRunQueue } from './run-queue.ts'
import { createRunReads } from './run-reads.ts'
import { createRunReaper } from './run-reaper.ts'
import { createRunService } from './run-service.ts'
import { createStartRun } from './run-start.ts'
import { createStopRuns } from './run-stop.ts'
import { createStartCheck } from './start-check.ts'
import { createTakeRun } from './take-run.ts'
import { createWorkOnRun } from './work-on-run.ts'

/** What reads and checks the inputs of runs is made here. */
type InputName = 'budgets' | 'inputs'

type Given = Omit<
  Parameters<typeof createStartRun>[0],
  'handover' | 'stopRuns' | 'check' | 'inputs' | 'budgets'
> &
  Parameters<typeof createEndRun>[0] &
  Parameters<typeof createPauseRun>[0] &
  Omit<
    Parameters<typeof createWorkOnRun>[0],
    'live' | 'endRun' | 'pauseRun' | 'callPart' | 'random' | InputName
  > &
  Omit<Parameters<typeof createCallPart>[0], 'take'> & {
    documents: AttachmentsService
    audit: AuditService
    limits: Limits
    schemas: StrangersSchemas
    /** How many background runs this process works on at once. */
    concurrency: number
    /** How long after its process has died a run is taken up by another one. */
    leaseMs: number
    /** Numbers from 0 to 1, for the pauses between attempts. */
    random?: () => number
  }

export function createRunParts(given: Given) {
  const live = createLiveRuns()
  const handover = createHandover()
  const budgets = createBudgets(given)
  const attachments = createAttachments({
    ...given,
    passages: createPassagesService(given),
  })
  const inputs = createReadInputs({ ...given, attachments })
  const shared = { ...given, budgets, inputs }
  const endRun = createEndRun(shared)
  const stopRuns = createStopRuns({ ...shared, endRun })
  const watched = createWatchedRuns({ read: ids => readRunProgress(given.database.read, ids) })
  const reads = createRunReads({ ...shared, watched })
  const take = createTakeRun({ ...shared, handover })
  const work = createWorkOnRun({
    ...shared,
    live,
    endRun,
    random: given.random ?? Math.random,
    pauseRun: createPauseRun(shared),
    callPart: createCallPart({ ...shared, take }),
  })
  return {
    budgets,
    queue: createRunQueue({ ...shared, take, work, endRun }),
    reap: createRunReaper({ ...shared, endRun }),
    endRun,
    reads,
    runs: createRunService({
      ...shared,
      stopRuns,
      start: createStartRun({
        ...shared,
        check: createStartCheck({ ...shared, attachments }),
        handover,
        stopRuns,
      }),
      reads,
      followRun: createFollowRun({ database: shared.database, live, watched }),
    }),
  }
}
