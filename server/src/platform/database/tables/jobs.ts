/** The job engine's table. Times are milliseconds of the database's clock. */
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
}
