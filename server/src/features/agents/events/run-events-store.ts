/** The rows of runs' events. */
import type { Query, Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { insertRows } from '../../../platform/database/rows.ts'
import type { RunEventType } from './run-event-schemas.ts'
import type { StoredEvent } from './run-log.ts'

export async function insertRunEvents(tx: Tx, runId: string, events: readonly StoredEvent[]): Promise<void> {
  const rows = events.map(({ position, type, data, at }) => ({
    run_id: runId,
    position,
    type,
    data: encodeJson(data),
    created_at: at,
  }))
  await insertRows(tx, 'run_events', rows)
}

/** The events from a position on, in order. */
export async function readRunEvents(
  query: Query,
  runId: string,
  from: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await query
    .selectFrom('run_events')
    .selectAll()
    .where('run_id', '=', runId)
    .where('position', '>=', from)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(({ position, type, data, created_at }) => ({
    position,
    // Only types from `runEventTypes` are ever written.
    type: type as RunEventType,
    data: decodeJson(data),
    at: created_at,
  }))
}

/** The state of each run as a text: its status, end and last event. Without a scope, because no caller sees it. */
export async function readRunProgress(
  query: Query,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await query
    .selectFrom('runs')
    .select(({ selectFrom }) => [
      'id',
      'status',
      'finished_at',
      selectFrom('run_events')
        .select(({ fn }) => fn.max('position').as('position'))
        .whereRef('run_id', '=', 'runs.id')
        .as('last'),
    ])
    .where('id', 'in', runIds)
    .execute()
  return new Map(rows.map(({ id, status, finished_at: end, last }) => [id, `${status} ${end} ${last}`]))
}

/** 0 for a run without events. */
export async function lastEventPosition(query: Query, runId: string): Promise<number> {
  const { last } = await query
    .selectFrom('run_events')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  return last ?? 0
}
