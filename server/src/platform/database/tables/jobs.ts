/** Jobs, the processes on one database, and periodic tasks. Times are milliseconds of the database's clock. */

export type JobTables = {
  jobs: {
    id: string
    queue: string
    /** The workspace that the job is for, or `system`: lanes of one queue take turns. */
    lane: string
    payload: string
    state: 'queued' | 'running' | 'done' | 'dead' | 'cancelled'
    /** Not before this time. */
    run_at: number
    /** How often a worker has taken it up. */
    attempts: number
    /** Null where the queue's own number counts. */
    max_attempts: number | null
    /** At most one job with the same key is queued or running. */
    unique_key: string | null
    lease_until: number | null
    lease_token: string | null
    cancel_requested_at: number | null
    error: string | null
    created_at: number
    finished_at: number | null
  }
  /** A server that runs, or ran a moment ago. */
  nodes: {
    id: string
    role: string
    /** The name of its machine, for people. */
    host: string
    /** Which files it keeps: those of equal ids are the same. */
    storage_id: string
    started_at: number
    /** When it last said that it lives. */
    seen_at: number
  }
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
