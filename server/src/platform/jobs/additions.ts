/** How a job comes into its queue: added once where it has a key, or brought forward where it waits for later. */
import { type Insertable, sql } from 'kysely'
import type { databaseNow } from '../database/between-processes.ts'
import type { Tx } from '../database/database.ts'
import { statementOfColumns } from '../database/statement.ts'
import type { Tables } from '../database/tables.ts'
import type { NewJob } from './job.ts'

type Now = ReturnType<typeof databaseNow>

/** Whose turn it is where the job's comes. */
export const laneOf = ({ workspaceId, lane }: Pick<NewJob, 'workspaceId' | 'lane'>): string =>
  workspaceId ?? lane ?? 'system'

/** Where the job with the key ends between two looks, another one can be added. */
const maxRounds = 3

export const additions = (now: Now, insert = insertJob(now)) => ({
  /** Returns the id of the job that is now in the queue: the new one's, or that of the active one with its key. */
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

  /** Lets a queued job that was to run later run then. */
  async hasten(tx: Tx, id: string, delayMs: number): Promise<void> {
    const then = sql<number>`${now} + ${delayMs}`
    await tx
      .updateTable('jobs')
      .set({ run_at: then })
      .where('id', '=', id)
      .where('state', '=', 'queued')
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
