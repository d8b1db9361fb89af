/**
 * The SQL about jobs whose workers are gone. The cause is known by a verdict, or because the job ran alone, or not at
 * all.
 */
import { sql } from 'kysely'
import { dayMs } from '../clock.ts'
import type { Tx } from '../database/database.ts'
import { engineOf } from '../database/statement.ts'
import type { Verdict } from '../watch/watch-files.ts'
import { type ClaimedJob, type JobRow, type Lease, type Now, rowsOf } from './rows.ts'

/** After so many lost workers of unknown cause, a job runs alone. */
export const killsBeforeAlone = 3

/** The state of a job that is queued again. */
export const againQueued = sql<
  'queued' | 'alone'
>`CASE WHEN deaths > 0 OR kills >= ${sql.lit(killsBeforeAlone)} THEN 'alone' ELSE 'queued' END`

const keptVerdictMs = dayMs

export const lostWorkers = (now: Now) => ({
  /** Records why a server ended. The first verdict about a lease holds. */
  async judge(tx: Tx, verdicts: readonly Verdict[]): Promise<void> {
    if (verdicts.length === 0) return
    await tx
      .insertInto('job_verdicts')
      .values(
        verdicts.map(({ id, token, cause }) => ({ job_id: id, lease_token: token, cause, created_at: now })),
      )
      .onConflict(conflict => conflict.doNothing())
      .execute()
  },

  /** The verdict about this lease, which is removed; null if there is none. */
  async takeVerdict(tx: Tx, { id, token }: Lease): Promise<Verdict['cause'] | null> {
    const row = await tx
      .deleteFrom('job_verdicts')
      .where('job_id', '=', id)
      .where('lease_token', '=', token)
      .returning('cause')
      .executeTakeFirst()
    return row?.cause ?? null
  },

  /** Verdicts about jobs that have gone back into their queues by themselves. */
  async purgeVerdicts(tx: Tx): Promise<void> {
    await tx
      .deleteFrom('job_verdicts')
      .where('created_at', '<', sql<number>`${now} - ${sql.lit(keptVerdictMs)}`)
      .execute()
  },

  /** Counts a lost worker of an expired job. Attempts count errors, and so the lost attempt counts no more. */
  async countLoss(tx: Tx, lease: Lease, loss: 'kill' | 'death' | null): Promise<void> {
    await tx
      .updateTable('jobs')
      .set({
        attempts: sql<number>`CASE WHEN alone = 'waits' THEN attempts ELSE attempts - 1 END`,
        kills: sql<number>`kills + ${sql.lit(loss === 'kill' ? 1 : 0)}`,
        deaths: sql<number>`deaths + ${sql.lit(loss === 'death' ? 1 : 0)}`,
      })
      .where('id', '=', lease.id)
      .where('lease_token', '=', lease.token)
      .execute()
  },
})

// Jobs that run alone. One server at a time prepares for such a job or runs it, so that the others go on.

export type AloneJob = ClaimedJob & Pick<JobRow, 'queue' | 'cancel_requested_at'>

export const runningAlone = (now: Now) => ({
  /** Claims the job that has waited longest to run alone, with a lease until it begins; undefined if none may. */
  async claimAlone(
    tx: Tx,
    claim: { queues: readonly string[]; token: string; leaseMs: number },
  ): Promise<Pick<JobRow, 'id' | 'queue'> | undefined> {
    const { queues, token, leaseMs } = claim
    const isPostgres = engineOf(tx) === 'postgres'
    const { rows } = await sql<Pick<JobRow, 'id' | 'queue'>>`
      UPDATE jobs SET
        state = 'running', alone = 'waits', lease_token = ${token}, lease_until = ${now} + ${leaseMs}
      WHERE state = 'alone' AND id = (
        SELECT id FROM jobs WHERE state = 'alone' AND run_at <= ${now}
          AND queue IN (SELECT value FROM ${rowsOf(engineOf(tx), queues)})
          AND NOT EXISTS (SELECT 1 FROM jobs AS other WHERE other.state = 'running'
            AND other.alone IS NOT NULL AND other.lease_until >= ${now})
        ORDER BY run_at, id LIMIT 1 ${isPostgres ? sql`FOR UPDATE SKIP LOCKED` : sql``}
      )
      RETURNING id, queue`.execute(tx)
    return rows[0]
  },

  /** Begins the attempt of a job that `claimAlone` claimed; undefined if the lease is lost. */
  async beginAlone(tx: Tx, lease: Lease, leaseMs: number): Promise<AloneJob | undefined> {
    return await tx
      .updateTable('jobs')
      .set({
        alone: 'runs',
        attempts: sql<number>`attempts + 1`,
        lease_until: sql<number>`${now} + ${leaseMs}`,
      })
      .where('id', '=', lease.id)
      .where('lease_token', '=', lease.token)
      .returning([
        'id',
        'queue',
        'lane',
        'payload',
        'attempts',
        'max_attempts',
        'kills',
        'cancel_requested_at',
      ])
      .executeTakeFirst()
  },

  /** Other jobs may begin beside it from now on. */
  async endAlone(tx: Tx, lease: Lease): Promise<void> {
    await tx
      .updateTable('jobs')
      .set({ alone: null })
      .where('id', '=', lease.id)
      .where('lease_token', '=', lease.token)
      .execute()
  },
})
