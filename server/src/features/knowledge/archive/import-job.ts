/** The job that takes an archive in. */
import type { Caller } from '../../../platform/caller.ts'
import type { Json } from '../../../platform/database/json.ts'
import type { NewJob } from '../../../platform/jobs/job.ts'
import { storeCaller } from '../../../platform/stored-caller.ts'

export const importQueue = 'knowledge-import'

export type ImportPayload = { importId: string; caller: Json<Record<string, unknown>> }

export const importJob = (caller: Caller, importId: string): NewJob => ({
  queue: importQueue,
  workspaceId: caller.scope.workspaceId,
  payload: { importId, caller: storeCaller(caller) } satisfies ImportPayload,
})
