/** The dependencies of the runs of one process. */
import type { CallModel } from '../../../platform/models/call.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { RemoteTools } from '../../integrations/connections/remote-tools-service.ts'
import type { AttachmentsService } from '../../knowledge/documents/attachments-service.ts'
import type { ReadNarrowing } from '../../knowledge/search/narrowing-service.ts'
import type { Limits } from '../../limits/service.ts'
import type { WorkspaceModels } from '../../models/models-service.ts'
import type { CallbackService } from '../../webhooks/callbacks/callbacks-service.ts'
import type { Budgets } from '../budgets/budgets.ts'
import type { LiveRuns } from '../events/run-log.ts'
import type { WatchedRuns } from '../events/watched-runs.ts'
import type { Attachments } from '../inputs/attachments.ts'
import type { CurrentCaller } from '../records/run-callers.ts'
import type { WaitTimes } from '../records/tool-calls-store.ts'
import type { Handover } from './take-run.ts'

type PlatformParts = Pick<
  Platform,
  | 'database'
  | 'clock'
  | 'sleep'
  | 'newId'
  | 'log'
  | 'faults'
  | 'jobs'
  | 'runNow'
  | 'schemas'
  | 'callerCheckMs'
>

export type RunsOptions = PlatformParts & {
  audit: AuditService
  outbox: Outbox
  limits: Limits
  callbacks: Pick<CallbackService, 'check' | 'admit'>
  models: WorkspaceModels
  documents: AttachmentsService
  readNarrowing: ReadNarrowing
  tools: readonly Tool[]
  remoteTools: RemoteTools
  currentCaller: CurrentCaller
  /** How long the server waits for an approval, and how long for a result. */
  waitMs: WaitTimes
  /** How many background runs this process works on at once. */
  concurrency: number
  /** How long after a process has died another process takes up its runs. */
  leaseMs: number
  /** Numbers from 0 to 1, for the pauses between attempts. */
  random?: () => number
}

/** Adds the parts that `createRuns` makes once, so that the operations and the queue share them. */
export type RunDependencies = RunsOptions & {
  budgets: Budgets
  attachments: Attachments
  callModel: CallModel
  live: LiveRuns
  watched: WatchedRuns
  handover: Handover
}
