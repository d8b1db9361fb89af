/** How the rounds of periodic tasks ended. Times are milliseconds by the database's clock. */

export type ScheduleTables = {
  /** One row for each task that one server runs for all, and one for each server that runs a task for itself. */
  schedules: {
    name: string
    /** Empty where one server runs the task for all of them; else the server that runs it for itself. */
    server: string
    every_ms: number
    /** When its server started; of a task for all servers, when the first one that knew it started. */
    registered_at: number
    /** When the last round of a task for all servers began. */
    begun_at: number | null
    /** Who runs a task for all servers at this moment; no other may begin it until `held_until`. */
    holder: string | null
    held_until: number | null
    succeeded_at: number | null
    failed_at: number | null
    /** Of the last round that was written down. */
    duration_ms: number | null
    /** Rounds that failed since the last success. */
    failures: number
    /** The message of the last failure since the last success. */
    error: string | null
  }
}
