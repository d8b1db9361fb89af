/**
 * The SQL of the job engine. Every change of a running job names its lease token, and tells whether it still held.
 */
import { type Insertable, sql } from 'kysely'
import { databaseNow } from '../database/between-processes.ts'
import type { Engine, Query, Tx } from '../database/database.ts'
import { engineOf, statement, statementOfColumns } from '../database/statement.ts'
import type { Tables } from '../database/tables.ts'
import type { RowRange } from '../schedules/rounds.ts'
import type { NewJob } from './job.ts'
import { againQueued, lostWorkers, runningAlone } from './losses-store.ts'
import { type ClaimedJob, type JobRow, type Lease, type Now, rowsOf } from './rows.ts'

export type JobCount = { queue: string; state: 'queued' | 'running' | 'dead'; count: number }

export type JobStore = ReturnType<typeof createJobStore>

export function createJobStore(query: Query) {
  const now = databaseNow(query)
  return {
    claim: claimJobs,
    ...additions(now),
    ...reads,
    ...leases(now),
    ...endings(now),
    ...housekeeping(now),
    ...lostWorkers(now),
    ...runningAlone(now),
  }
}

const reads = {
  find: (query: Query, id: string): Promise<JobRow | undefined> =>
    query.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst(),

  async counts(query: Query): Promise<JobCount[]> {
    const { rows } = await sql<JobCount>`
      SELECT queue, 'queued' AS state, count(*) AS count FROM jobs WHERE state IN ('queued', 'alone') GROUP BY queue
      UNION ALL
      SELECT queue, 'running', count(*) FROM jobs WHERE state = 'running' GROUP BY queue
      UNION ALL
      SELECT queue, 'dead', count(*) FROM jobs WHERE state = 'dead' AND finished_at IS NOT NULL GROUP BY queue
    `.execute(query)
    return rows
  },
}

const holdLease = statement((tx, lease: Lease) =>
  tx
    .selectFrom('jobs')
    .select(['cancel_requested_at', 'kills'])
    .where('id', '=', lease.id)
    .where('lease_token', '=', lease.token)
    .forUpdate(),
)

const endLease = (now: Now) =>
  statement((tx, ended: Lease & Pick<JobRow, 'state' | 'error'>) =>
    tx
      .updateTable('jobs')
      .set({
        state: ended.state,
        error: ended.error,
        finished_at: now,
        lease_token: null,
        lease_until: null,
        alone: null,
      })
      .where('id', '=', ended.id)
      .where('lease_token', '=', ended.token),
  )

const leases = (now: Now, end = endLease(now)) => ({
  /** Locks the job's row for the rest of the transaction; null if the lease is no longer ours. */
  async hold(tx: Tx, lease: Lease): Promise<{ cancelRequested: boolean; kills: number } | null> {
    const [row] = (await holdLease(tx, lease)).rows
    return row === undefined ? null : { cancelRequested: row.cancel_requested_at !== null, kills: row.kills }
  },

  /** Extends leases. Returns the leases that are still ours, and whether each job is to be cancelled. */
  async extend(tx: Tx, held: readonly Lease[], leaseMs: number): Promise<{ id: string; cancel: boolean }[]> {
    const rows = await tx
      .updateTable('jobs')
      .set({ lease_until: sql<number>`${now} + ${leaseMs}` })
      .where(where => where.or(held.map(lease => where.and({ id: lease.id, lease_token: lease.token }))))
      .returning(['id', 'cancel_requested_at'])
      .execute()
    return rows.map(row => ({ id: row.id, cancel: row.cancel_requested_at !== null }))
  },

  /** The ids of jobs that someone wants cancelled. */
  async toBeCancelled(query: Query, ids: readonly string[]): Promise<string[]> {
    const rows = await query
      .selectFrom('jobs')
      .select('id')
      .where('id', 'in', ids)
      .where('cancel_requested_at', 'is not', null)
      .execute()
    return rows.map(row => row.id)
  },

  /** Ends a running job. */
  async finish(tx: Tx, lease: Lease, state: 'done' | 'dead' | 'cancelled', error: string | null) {
    const { numAffectedRows } = await end(tx, { ...lease, state, error })
    return numAffectedRows === 1n
  },

  /** Queues a running job again after a failed attempt. */
  async retry(tx: Tx, lease: Lease, delayMs: number, error: string): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set({
        state: againQueued,
        run_at: sql<number>`${now} + ${delayMs}`,
        error,
        lease_token: null,
        lease_until: null,
        alone: null,
      })
      .where('id', '=', lease.id)
      .where('lease_token', '=', lease.token)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  },

  /**
   * Queues a running job again as if it had not been taken up. A job that is to be cancelled keeps its lease, and is
   * given up when the lease runs out.
   */
  async giveBack(tx: Tx, lease: Lease): Promise<void> {
    await tx
      .updateTable('jobs')
      .set({
        state: againQueued,
        // A job that waits to run alone has begun no attempt.
        attempts: sql<number>`CASE WHEN alone = 'waits' THEN attempts ELSE attempts - 1 END`,
        lease_token: null,
        lease_until: null,
        alone: null,
      })
      .where('id', '=', lease.id)
      .where('lease_token', '=', lease.token)
      .where('cancel_requested_at', 'is', null)
      .execute()
  },
})

const endings = (now: Now) => ({
  async cancel(tx: Tx, id: string): Promise<'cancelled' | 'requested' | 'ended'> {
    const queued = await tx
      .updateTable('jobs')
      .set({ state: 'cancelled', finished_at: now })
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'alone'])
      .executeTakeFirstOrThrow()
    if (queued.numUpdatedRows === 1n) return 'cancelled'
    const running = await tx
      .updateTable('jobs')
      .set({ cancel_requested_at: now })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .executeTakeFirstOrThrow()
    return running.numUpdatedRows === 1n ? 'requested' : 'ended'
  },

  /** Returns the queue of the job that is queued again. */
  async redrive(tx: Tx, id: string): Promise<string | null> {
    const row = await tx
      .updateTable('jobs')
      .set({
        state: 'queued',
        attempts: 0,
        kills: 0,
        deaths: 0,
        run_at: now,
        finished_at: null,
        cancel_requested_at: null,
      })
      .where('id', '=', id)
      .where('state', '=', 'dead')
      // Not if a newer job with the same key has taken its place.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('jobs as active')
              .select('active.id')
              .whereRef('active.queue', '=', 'jobs.queue')
              .whereRef('active.unique_key', '=', 'jobs.unique_key')
              .where('active.finished_at', 'is', null),
          ),
        ),
      )
      .returning('queue')
      .executeTakeFirst()
    return row?.queue ?? null
  },
})

const housekeeping = (now: Now) => ({
  /**
   * The queues that have a job to claim, and whether one of their jobs waits to run alone. This is one read, while a
   * claim would be a transaction for each queue.
   */
  async due(query: Query, queues: readonly string[]): Promise<{ queues: string[]; isAnyAlone: boolean }> {
    const listed = rowsOf(engineOf(query), queues)
    const { rows } = await sql<{ queue: string; state: 'queued' | 'alone' }>`
      SELECT value AS queue, 'queued' AS state FROM ${listed} WHERE EXISTS (
        SELECT 1 FROM jobs WHERE state = 'queued' AND queue = value AND run_at <= ${now}
      )
      UNION ALL
      SELECT queue, state FROM jobs WHERE state = 'alone' AND run_at <= ${now}
        AND queue IN (SELECT value FROM ${listed})`.execute(query)
    return {
      queues: rows.flatMap(({ queue, state }) => (state === 'queued' ? [queue] : [])),
      isAnyAlone: rows.some(({ state }) => state === 'alone'),
    }
  },

  /** Running jobs whose lease has run out: their workers are gone. */
  expired: (query: Query, queues: readonly string[], { after, limit }: RowRange): Promise<JobRow[]> =>
    query
      .selectFrom('jobs')
      .selectAll()
      .where(sql<boolean>`state = 'running'`)
      .where('queue', 'in', queues)
      .where('lease_until', '<', now)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),

  /** Locks an expired job for the rest of the transaction; undefined if another worker was quicker. */
  takeExpired: (tx: Tx, lease: Lease): Promise<JobRow | undefined> =>
    tx
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', lease.id)
      .where('lease_token', '=', lease.token)
      .where('lease_until', '<', now)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst(),

  /** Ends the leases of all processes. */
  async expireAll(tx: Tx): Promise<void> {
    await tx.updateTable('jobs').set({ lease_until: 0 }).where(sql<boolean>`state = 'running'`).execute()
  },

  /** Removes jobs that ended in `state` longer ago than `ageMs`; returns how many, at most `limit`. */
  async purge(tx: Tx, state: 'done' | 'dead' | 'cancelled', ageMs: number, limit: number): Promise<number> {
    const { numDeletedRows } = await tx
      .deleteFrom('jobs')
      .where('id', 'in', old =>
        old
          .selectFrom('jobs')
          .select('id')
          .where('state', '=', state)
          .where('finished_at', 'is not', null)
          .where('finished_at', '<', sql<number>`${now} - ${ageMs}`)
          .orderBy('finished_at')
          .limit(limit),
      )
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
})

// The claim: one statement takes up the next jobs of a queue. Lanes (workspaces) take turns. The statement walks from
// lane to lane by the index, so its cost does not depend on how many jobs a lane has queued.

type Claim = {
  queue: string
  /** The most jobs to claim. */
  limit: number
  /** The lane that had the last turn; the walk begins behind it. */
  afterLane: string
  /** How many more jobs a lane may have, if that is less than `limit`. */
  rooms: Readonly<Record<string, number>>
  leaseMs: number
  /** The fencing token, a new one for each claim. */
  token: string
}

/**
 * Returns the jobs claimed, in no order. Fewer than `limit` means that no lane behind `afterLane` has more:
 * the caller goes on from the first lane, '' .
 */
async function claimJobs(
  tx: Tx,
  { queue, limit, afterLane, rooms, leaseMs, token }: Claim,
): Promise<ClaimedJob[]> {
  const engine = engineOf(tx)
  // The state is a literal, not a parameter: only then do both engines see that the partial index holds these rows.
  const due = sql`state = 'queued' AND queue = ${queue} AND run_at <= (SELECT ms FROM clock)`
  const nextLane = (previous: ReturnType<typeof sql>) =>
    sql`(SELECT min(lane) FROM jobs WHERE state = 'queued' AND queue = ${queue} AND lane > ${previous})`
  // The lane's earliest job tells whether any is due: one step into the index. With EXISTS, PostgreSQL reads all.
  const isDue = sql`(SELECT min(run_at) FROM jobs WHERE state = 'queued' AND queue = ${queue} AND lane = walk.lane)
    <= (SELECT ms FROM clock)`
  const roomOf = (lane: ReturnType<typeof sql>) =>
    sql`coalesce((SELECT places FROM room WHERE room.lane = ${lane}), ${sql.lit(limit)})`
  const dueOfLane = sql`SELECT id, run_at FROM jobs WHERE ${due} AND lane = walk.lane ORDER BY run_at, id LIMIT ${limit}`
  const { rows } = await sql<ClaimedJob>`
    WITH RECURSIVE
    clock (ms) AS (SELECT ${databaseNow(tx)}),
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
    RETURNING id, lane, payload, attempts, max_attempts, kills
  `.execute(tx)
  return rows
}

const roomRows = (engine: Engine, rooms: Claim['rooms']) =>
  engine === 'sqlite'
    ? sql`SELECT key, value FROM json_each(${JSON.stringify(rooms)})`
    : sql`SELECT key, value::int FROM json_each_text(${JSON.stringify(rooms)}::json)`

/** The due jobs of each lane of the walk. SQLite has no LATERAL; PostgreSQL must lock the rows that it takes. */
const candidates = (engine: Engine, dueOfLane: ReturnType<typeof sql>) =>
  engine === 'sqlite'
    ? sql`SELECT jobs.id, walk.lane, jobs.run_at FROM walk CROSS JOIN jobs
        WHERE jobs.id IN (SELECT id FROM (${dueOfLane}))`
    : sql`SELECT due.id, walk.lane, due.run_at FROM walk CROSS JOIN LATERAL (
        ${dueOfLane} FOR UPDATE SKIP LOCKED
      ) AS due`

// How a job enters its queue. A job with a key is added once; a job that waits for a later time is brought forward.

/** The lane in which the job waits for its turn. */
export const laneOf = ({ workspaceId, lane }: Pick<NewJob, 'workspaceId' | 'lane'>): string =>
  workspaceId ?? lane ?? 'system'

/** If the job with the key ends between the two statements, another one can be added. */
const maxRounds = 3

const additions = (now: Now, insert = insertJob(now)) => ({
  /** Returns the id of the job that is now in the queue: the new job, or the active job with the same key. */
  async insert(tx: Tx, id: string, job: NewJob, lease?: { token: string; leaseMs: number }): Promise<string> {
    const row = {
      id,
      queue: job.queue,
      lane: laneOf(job),
      payload: JSON.stringify(job.payload),
      state: lease === undefined ? ('queued' as const) : ('running' as const),
      run_at: job.runAt,
      delay_ms: job.delayMs,
      attempts: lease === undefined ? 0 : 1,
      max_attempts: job.maxAttempts ?? null,
      unique_key: job.uniqueKey ?? null,
      lease_ms: lease?.leaseMs,
      lease_token: lease?.token ?? null,
    }
    for (let round = 1; round <= maxRounds; round++) {
      const [inserted] = (await insert(tx, row, row)).rows
      if (inserted !== undefined) return inserted.id
      const active = job.uniqueKey === undefined ? undefined : await findActive(tx, job.queue, job.uniqueKey)
      if (active !== undefined) return active
    }
    throw new Error(`Job ${id} could not be added`)
  },

  /** Brings forward a queued job that was to run later. */
  async hasten(tx: Tx, id: string, delayMs: number): Promise<void> {
    const then = sql<number>`${now} + ${delayMs}`
    await tx
      .updateTable('jobs')
      .set({ run_at: then })
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'alone'])
      .where('run_at', '>', then)
      .execute()
  },
})

function insertJob(now: Now) {
  return statementOfColumns(
    (tx, job: Insertable<Tables['jobs']> & { lease_ms: number; delay_ms: number }, columns) =>
      tx
        .insertInto('jobs')
        .values({
          id: job.id,
          queue: job.queue,
          lane: job.lane,
          payload: job.payload,
          state: job.state,
          run_at: columns.includes('delay_ms')
            ? sql<number>`${now} + ${job.delay_ms}`
            : columns.includes('run_at')
              ? job.run_at
              : now,
          attempts: job.attempts,
          max_attempts: job.max_attempts,
          unique_key: job.unique_key,
          lease_until: columns.includes('lease_ms') ? sql<number>`${now} + ${job.lease_ms}` : null,
          lease_token: job.lease_token,
          cancel_requested_at: null,
          error: null,
          created_at: now,
          finished_at: null,
        })
        .onConflict(conflict => conflict.doNothing())
        .returning('id'),
  )
}

async function findActive(tx: Tx, queue: string, uniqueKey: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('jobs')
    .select('id')
    .where('queue', '=', queue)
    .where('unique_key', '=', uniqueKey)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}
