/** What a feature hands to the wiring, as its table of contents. */
import type { Queues } from '../platform/jobs/job.ts'
import type { Schedule } from '../platform/schedules/schedules.ts'
import type { WorkspaceData } from '../platform/workspace-data.ts'
import type { Route } from './route.ts'

export type Feature<Services extends object> = {
  /** What later features, the operator's commands and the console's pages call. */
  services: Services
  /** In the order of the reference. */
  routes?: readonly Route[]
  /** The heading that the reference lists them under. */
  tag?: string
  /** The handlers of its jobs, by queue. */
  queues?: Queues
  /** Its periodic tasks, in servers that work on jobs. */
  schedules?: readonly Schedule[]
  /** What it keeps of a workspace. */
  workspaceData?: WorkspaceData
  /** Ends what runs beside its services. */
  close?(): Promise<void>
}
