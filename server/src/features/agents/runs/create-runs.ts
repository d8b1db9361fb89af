/** The runs of one process: their verbs, their queue and their repair, with what these share. */
import { createCallModel } from '../../../platform/models/call.ts'
import { createPassagesService } from '../../knowledge/documents/passages-service.ts'
import { createBudgets } from '../budgets/budgets.ts'
import { readRunProgress } from '../events/run-events-store.ts'
import { createLiveRuns } from '../events/run-log.ts'
import { createWatchedRuns } from '../events/watched-runs.ts'
import { createAttachments } from '../inputs/attachments.ts'
import type { RunDependencies, RunsOptions } from './run-dependencies.ts'
import { createRunQueue } from './run-queue.ts'
import { createRunReaper } from './run-reaper.ts'
import { createRunService } from './run-service.ts'

export function createRuns(options: RunsOptions) {
  const { database, random = Math.random } = options
  const dependencies: RunDependencies = {
    ...options,
    budgets: createBudgets(options),
    attachments: createAttachments({ ...options, passages: createPassagesService(options) }),
    callModel: createCallModel({ ...options, random }),
    live: createLiveRuns(),
    watched: createWatchedRuns({ read: ids => readRunProgress(database.read, ids) }),
    handover: new Map(),
  }
  return {
    runs: createRunService(dependencies),
    queue: createRunQueue(dependencies),
    reap: createRunReaper(dependencies),
    budgets: dependencies.budgets,
  }
}
