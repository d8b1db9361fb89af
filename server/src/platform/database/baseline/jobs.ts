/** The job engine, and the processes that work on this database. */
import type { Ddl } from '../ddl.ts'

export const jobsSchema = ({ id, text, integer }: Ddl): string[] => [
  `CREATE TABLE jobs (
    id ${id} PRIMARY KEY,
    queue ${id} NOT NULL,
    lane ${id} NOT NULL,
    payload ${text} NOT NULL,
    state ${id} NOT NULL,
    run_at ${integer} NOT NULL,
    attempts ${integer} NOT NULL,
    max_attempts ${integer},
    unique_key ${id},
    lease_until ${integer},
    lease_token ${id},
    cancel_requested_at ${integer},
    error ${text},
    created_at ${integer} NOT NULL,
    finished_at ${integer}
  )`,
  "CREATE INDEX jobs_queued ON jobs (queue, lane, run_at, id) WHERE state = 'queued'",
  "CREATE INDEX jobs_running ON jobs (queue, lease_until) WHERE state = 'running'",
  'CREATE INDEX jobs_finished ON jobs (state, finished_at) WHERE finished_at IS NOT NULL',
  `CREATE UNIQUE INDEX jobs_unique ON jobs (queue, unique_key)
    WHERE unique_key IS NOT NULL AND finished_at IS NULL`,
  `CREATE TABLE nodes (
    id ${id} PRIMARY KEY,
    role ${id} NOT NULL,
    host ${text} NOT NULL,
    storage_id ${id} NOT NULL,
    started_at ${integer} NOT NULL,
    seen_at ${integer} NOT NULL
  )`,
]
