/** The verbs of feedback: given on a run that has ended, and taken back. */
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { notFound, ServiceError } from '../../../platform/errors.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import type { NewFeedback } from '../records/feedback-schemas.ts'
import { revisionOfRun } from '../records/run-present.ts'
import { findRun, type RunRow, stepsOf } from '../records/run-store.ts'
import { noFeedback, updateFeedback } from './feedback-store.ts'

export type FeedbackService = {
  /** Replaces what was given before. Throws `conflict` where the run has not ended. */
  give(caller: Caller, runId: string, feedback: NewFeedback): Promise<void>
  /** Answers whether there is any to take back. `ifMatch` is the run's. */
  takeBack(
    caller: Caller,
    runId: string,
    options: { ifMatch: string | null; dryRun: boolean },
  ): Promise<boolean>
}

export function createFeedbackService(dependencies: {
  database: Database
  clock: Clock
  audit: AuditService
}): FeedbackService {
  const { database, clock, audit } = dependencies
  return {
    give: (caller, runId, { rating, comment, endUserId }) =>
      database.write(async tx => {
        const run: RunRow = (await findRun(caller.scope, tx, runId)) ?? missing()
        if (run.finished_at === null) throw new ServiceError('conflict', 'The run has not ended yet')
        await updateFeedback(caller.scope, tx, runId, {
          feedback_rating: rating,
          feedback_comment: comment ?? null,
          feedback_end_user_id: endUserId ?? null,
          feedback_at: clock(),
        })
        await audit.record(tx, caller, { action: 'run.feedback', resourceId: runId, details: { rating } })
      }),
    takeBack: (caller, runId, { ifMatch, dryRun }) =>
      database.write(async tx => {
        const run: RunRow = (await findRun(caller.scope, tx, runId)) ?? missing()
        checkRevision(ifMatch, revisionOfRun({ row: run, steps: await stepsOf(tx, [runId]) }))
        const isThere = run.feedback_rating !== null
        if (dryRun) return isThere
        if (isThere) await updateFeedback(caller.scope, tx, runId, noFeedback)
        await audit.record(tx, caller, { action: 'run.feedback_delete', resourceId: runId })
        return isThere
      }),
  }
}

const missing = (): never => {
  throw notFound()
}
