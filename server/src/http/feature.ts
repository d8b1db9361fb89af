/** The parts that a feature hands to the wiring. */
import type { Queues } from '../platform/jobs/job.ts'
import type { Schedule } from '../platform/schedules/schedules.ts'
import type { WorkspaceData } from '../platform/workspace-data.ts'
import type { Route } from './route.ts'

export type Feature<Services extends object> = {
  /** The services that later features, the operator's commands and the console's pages call. */
  services: Services
  /** In the order of the reference page. */
  routes?: readonly Route[]
  /** The heading of the routes in the reference. */
  tag?: string
  /** The handlers of its jobs, by queue. */
  queues?: Queues
  /** Its periodic tasks; they run in servers that work on jobs. */
  schedules?: readonly Schedule[]
  /** The data that the feature keeps for a workspace. */
  workspaceData?: WorkspaceData
  /** Stops the work that runs beside the services. */
  close?(): Promise<void>
}
