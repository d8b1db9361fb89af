/** Jobs, the processes on one database, and periodic tasks. Times are milliseconds of the database's clock. */
import { id, integer, table, text } from '../table.ts'

export const jobsTables = {
  jobs: table({
    id: id().primaryKey(),
    queue: id(),
    /** The lane of the job: its workspace, a lane that the job names, or `system`. Lanes of one queue take turns. */
    lane: id(),
    payload: text(),
    /** `alone`: queued, but no other job may begin on its server while it runs. */
    state: id<'queued' | 'alone' | 'running' | 'done' | 'dead' | 'cancelled'>(),
    /** The job does not run before this time. */
    run_at: integer(),
    /** How often a worker has taken the job up. */
    attempts: integer(),
    /** Null if the queue's own number applies. */
    max_attempts: integer().nullable(),
    /** At most one job with the same key is queued or running. */
    unique_key: id().nullable(),
    lease_until: integer().nullable(),
    lease_token: id().nullable(),
    cancel_requested_at: integer().nullable(),
    error: text().nullable(),
    created_at: integer(),
    finished_at: integer().nullable(),
    /** How many servers ended while it ran, without a known cause. */
    kills: integer().default(0),
    /** How many servers it is known to have ended. */
    deaths: integer().default(0),
    /** While it runs: `waits` until no other job is young, then `runs` for as long as no other job begins. */
    alone: id<'waits' | 'runs'>().nullable(),
  }).with(
    "INDEX jobs_queued (queue, lane, run_at, id) WHERE state = 'queued'",
    "INDEX jobs_running (queue, lease_until) WHERE state = 'running'",
    "INDEX jobs_alone (run_at, id) WHERE state = 'alone'",
    "INDEX jobs_running_alone (alone) WHERE state = 'running' AND alone IS NOT NULL",
    'INDEX jobs_finished (state, finished_at) WHERE finished_at IS NOT NULL',
    'UNIQUE INDEX jobs_unique (queue, unique_key) WHERE unique_key IS NOT NULL AND finished_at IS NULL',
  ),
  /** Why servers ended, by the leases that they held. A row of its own: the blocked server may have locked the job. */
  job_verdicts: table({
    job_id: id(),
    /** Jobs that were claimed together have the same token. */
    lease_token: id(),
    cause: id<'blocked' | 'out_of_memory' | 'innocent'>(),
    created_at: integer(),
  }).with('PRIMARY KEY (job_id, lease_token)'),
  /** A server that runs, or ran a moment ago. */
  nodes: table({
    id: id().primaryKey(),
    role: id(),
    /** The name of the server's machine, for people. */
    host: text(),
    /** The id of the server's file storage. Servers with equal ids keep the same files. */
    storage_id: id(),
    started_at: integer(),
    /** When the server last said that it lives. */
    seen_at: integer(),
  }),
  /** One row for each task that one server runs for all, and one for each server that runs a task for itself. */
  schedules: table({
    name: id(),
    /** Empty if one server runs the task for all servers; else the server that runs the task for itself. */
    server: id(),
    every_ms: integer(),
    /** When its server started; for a task of all servers, when the first server that knew it started. */
    registered_at: integer(),
    /** When the last round of a task for all servers began. */
    begun_at: integer().nullable(),
    /** Who runs a task for all servers at this moment. No other server may begin it until `held_until`. */
    holder: id().nullable(),
    held_until: integer().nullable(),
    succeeded_at: integer().nullable(),
    failed_at: integer().nullable(),
    /** The duration of the last recorded round. */
    duration_ms: integer().nullable(),
    /** Rounds that failed since the last success. */
    failures: integer(),
    /** The message of the last failure since the last success. */
    error: text().nullable(),
  }).with('PRIMARY KEY (name, server)'),
}
