/** The rows of the periodic tasks: which tasks there are, whose turn a task is, and how the last rounds ended. */
import { sql } from 'kysely'
import { minuteMs } from '../clock.ts'
import { databaseNow } from '../database/between-processes.ts'
import type { Database, Tx } from '../database/database.ts'

/** Stands in place of a server's id: in the rows for all servers, and for a server that needs no id. */
export const allServers = ''
export const onlyServer = 'only'

/** If a server dies within a round, it keeps the others from that task for so long. */
export const claimMs = 3 * minuteMs

/** `error` is null after a success. */
export type Outcome = { durationMs: number; error: string | null }

type Task = { name: string; everyMs: number }

/** Adds the rows of a server's tasks. Removes the rows of tasks and servers that no longer exist. */
export async function registerTasks(
  tx: Tx,
  server: string,
  { own, shared }: { own: readonly Task[]; shared: readonly Task[] },
): Promise<void> {
  const now = databaseNow(tx)
  await registerRows(tx, server, own)
  // A server that starts again has no failures yet. The state of tasks for all servers is kept.
  await tx
    .updateTable('schedules')
    .set({ registered_at: now, failures: 0, failed_at: null, error: null })
    .where('server', '=', server)
    .execute()
  // A server that only answers requests does not know the tasks for all servers.
  await registerRows(tx, allServers, shared)
  await tx
    .deleteFrom('schedules')
    .where('server', 'not in', [server, allServers])
    .where('server', 'not in', ({ selectFrom }) => selectFrom('nodes').select('id'))
    .execute()
}

async function registerRows(tx: Tx, server: string, tasks: readonly Task[]) {
  if (tasks.length === 0) return
  // Always in the same order, so that two servers that start together do not deadlock.
  const ordered = tasks.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const names = ordered.map(({ name }) => name)
  const registeredAt = databaseNow(tx)
  await tx
    .insertInto('schedules')
    .values(
      ordered.map(({ name, everyMs }) => ({
        name,
        server,
        every_ms: everyMs,
        registered_at: registeredAt,
        failures: 0,
      })),
    )
    .onConflict(conflict =>
      conflict.columns(['name', 'server']).doUpdateSet(({ ref }) => ({ every_ms: ref('excluded.every_ms') })),
    )
    .execute()
  await tx.deleteFrom('schedules').where('server', '=', server).where('name', 'not in', names).execute()
}

/** True for one server in each period. If that server dies within its round, the next round comes in time. */
export async function claimRound(tx: Tx, { name, everyMs }: Task, holder: string) {
  const now = databaseNow(tx)
  const { numUpdatedRows } = await tx
    .updateTable('schedules')
    .set({ begun_at: now, holder, held_until: sql<number>`${now} + ${claimMs}` })
    .where('name', '=', name)
    .where('server', '=', allServers)
    .where(({ eb, or }) =>
      or([eb('begun_at', 'is', null), eb('begun_at', '<=', sql<number>`${now} - ${everyMs}`)]),
    )
    // A round may take longer than its period.
    .where(({ eb, or }) => or([eb('held_until', 'is', null), eb('held_until', '<=', now)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function extendClaim(tx: Tx, name: string, holder: string): Promise<void> {
  await tx
    .updateTable('schedules')
    .set({ held_until: sql<number>`${databaseNow(tx)} + ${claimMs}` })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute()
}

/**
 * Also ends a claim. False if there is no such row, or another server has claimed it: then that server's word counts.
 */
export async function writeOutcome(
  tx: Tx,
  { name, server, holder }: { name: string; server: string; holder: string | null },
  { durationMs, error }: Outcome,
): Promise<boolean> {
  const now = databaseNow(tx)
  const { numUpdatedRows } = await tx
    .updateTable('schedules')
    .set({ duration_ms: Math.round(durationMs), error, holder: null, held_until: null })
    .set(({ eb }) =>
      error === null
        ? { succeeded_at: now, failed_at: null, failures: 0 }
        : { failed_at: now, failures: eb('failures', '+', 1) },
    )
    .where('name', '=', name)
    .where('server', '=', server)
    .where('holder', holder === null ? 'is' : '=', holder)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** The state of a task, as last recorded. */
export type TaskState = {
  name: string
  /** The server that runs the task for itself; null if one server runs it for all of them. */
  server: string | null
  everyMs: number
  /** Since its server started; for a task of all servers, since the first server that knew it started. */
  registeredAgoMs: number
  /** Null if it has never succeeded. */
  succeededAgoMs: number | null
  /** Null if it has not failed since the last success. Then `failures` is 0 and `error` is null. */
  failedAgoMs: number | null
  failures: number
  error: string | null
  /** The duration of the last recorded round. */
  durationMs: number | null
}

export async function readTasks({ read }: Database): Promise<TaskState[]> {
  const rows = await read
    .selectFrom('schedules')
    .selectAll()
    .select(databaseNow(read).as('now'))
    .orderBy('name')
    .orderBy('server')
    .execute()
  return rows.map(row => ({
    name: row.name,
    server: row.server === allServers ? null : row.server,
    everyMs: row.every_ms,
    registeredAgoMs: row.now - row.registered_at,
    succeededAgoMs: row.succeeded_at === null ? null : row.now - row.succeeded_at,
    failedAgoMs: row.failed_at === null ? null : row.now - row.failed_at,
    failures: row.failures,
    error: row.error,
    durationMs: row.duration_ms,
  }))
}
