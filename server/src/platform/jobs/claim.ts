/**
 * The claim: one statement takes up the next jobs of a queue. Lanes (workspaces) take turns: the statement
 * walks from lane to lane by the index, so its cost does not depend on how many jobs a lane has queued.
 */
import { sql } from 'kysely'
import type { Engine, Tx } from '../database/database.ts'
import { databaseNow } from '../database/now.ts'

export type Claim = {
  queue: string
  /** How many jobs at the most. */
  limit: number
  /** The lane that had the last turn; the walk begins behind it. */
  afterLane: string
  /** How many more jobs a lane may have at the most, where that is less than `limit`. */
  rooms: Readonly<Record<string, number>>
  leaseMs: number
  /** The fencing token, a new one for each claim. */
  token: string
}

export type ClaimedJob = {
  id: string
  lane: string
  payload: string
  attempts: number
  max_attempts: number | null
}

/**
 * Returns the jobs claimed, in no order. Fewer than `limit` means that no lane behind `afterLane` has more:
 * the caller goes on from the first lane, '' .
 */
export const claimJobs = (engine: Engine) => {
  const now = databaseNow(engine)
  return async (tx: Tx, { queue, limit, afterLane, rooms, leaseMs, token }: Claim): Promise<ClaimedJob[]> => {
    // Literals, not parameters: only so do both engines see that the partial index holds what is asked for.
    const due = sql`state = 'queued' AND queue = ${queue} AND run_at <= (SELECT ms FROM clock)`
    const nextLane = (previous: ReturnType<typeof sql>) =>
      sql`(SELECT min(lane) FROM jobs WHERE state = 'queued' AND queue = ${queue} AND lane > ${previous})`
    // The lane's earliest job tells whether any is due: one step into the index, where EXISTS makes PostgreSQL read them all.
    const isDue = sql`(SELECT min(run_at) FROM jobs WHERE state = 'queued' AND queue = ${queue} AND lane = walk.lane)
      <= (SELECT ms FROM clock)`
    const roomOf = (lane: ReturnType<typeof sql>) =>
      sql`coalesce((SELECT places FROM room WHERE room.lane = ${lane}), ${sql.lit(limit)})`
    const dueOfLane = sql`SELECT id, run_at FROM jobs WHERE ${due} AND lane = walk.lane ORDER BY run_at, id LIMIT ${limit}`
    const { rows } = await sql<ClaimedJob>`
      WITH RECURSIVE
      clock (ms) AS (SELECT ${now}),
      room (lane, places) AS (${roomRows(engine, rooms)}),
      walk (lane, found) AS (
        SELECT ${nextLane(sql`${afterLane}`)}, 0
        UNION ALL
        SELECT
          ${nextLane(sql`walk.lane`)},
          walk.found + CASE WHEN ${isDue} AND ${roomOf(sql`walk.lane`)} > 0 THEN 1 ELSE 0 END
        FROM walk WHERE walk.lane IS NOT NULL AND walk.found < ${limit}
      ),
      candidate AS (${candidates(engine, dueOfLane)}),
      chosen AS (
        SELECT id FROM (
          SELECT id, lane, row_number() OVER (PARTITION BY lane ORDER BY run_at, id) AS turn FROM candidate
        ) AS turns
        WHERE turn <= ${roomOf(sql`turns.lane`)}
        ORDER BY turn, lane LIMIT ${limit}
      )
      UPDATE jobs SET
        state = 'running',
        attempts = attempts + 1,
        lease_until = (SELECT ms FROM clock) + ${leaseMs},
        lease_token = ${token}
      WHERE id IN (SELECT id FROM chosen) AND state = 'queued'
      RETURNING id, lane, payload, attempts, max_attempts
    `.execute(tx)
    return rows
  }
}

const roomRows = (engine: Engine, rooms: Claim['rooms']) =>
  engine === 'sqlite'
    ? sql`SELECT key, value FROM json_each(${JSON.stringify(rooms)})`
    : sql`SELECT key, value::int FROM json_each_text(${JSON.stringify(rooms)}::json)`

/** The due jobs of each lane of the walk; SQLite knows no LATERAL, PostgreSQL must lock what it takes. */
const candidates = (engine: Engine, dueOfLane: ReturnType<typeof sql>) =>
  engine === 'sqlite'
    ? sql`SELECT jobs.id, walk.lane, jobs.run_at FROM walk CROSS JOIN jobs
        WHERE jobs.id IN (SELECT id FROM (${dueOfLane}))`
    : sql`SELECT due.id, walk.lane, due.run_at FROM walk CROSS JOIN LATERAL (
        ${dueOfLane} FOR UPDATE SKIP LOCKED
      ) AS due`
