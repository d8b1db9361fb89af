/** Records verdicts through a connection of the watcher's own: the pool of the blocked main thread gives no answer. */
import pg from 'pg'
import type { Verdict } from './watch-files.ts'

const patienceMs = 5_000

export async function writeVerdicts(url: string, verdicts: readonly Verdict[]): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'atrium-watch',
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  })
  // The query that waits fails as well.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(
      `INSERT INTO job_verdicts (job_id, lease_token, cause, created_at)
        SELECT id, token, cause, CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint)
        FROM unnest($1::text[], $2::text[], $3::text[]) AS listed (id, token, cause) ON CONFLICT DO NOTHING`,
      [verdicts.map(({ id }) => id), verdicts.map(({ token }) => token), verdicts.map(({ cause }) => cause)],
    )
  } finally {
    await client.end()
  }
}
