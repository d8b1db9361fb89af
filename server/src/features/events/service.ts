/** The outbox: what happened, written with the change itself, so that nobody is told of what was rolled back. */
import type { Caller, Environment } from '../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { decodeJson, encodeJson, type Json } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { notFound } from '../../platform/errors.ts'
import { firstIdAt, type NewId } from '../../platform/ids.ts'
import type { Event, EventFilter, EventType, RunSummary } from './schemas.ts'
import { deleteEventsBefore, type EventRow, findEvent, insertEvent, listEvents } from './store.ts'

export type Occurrence = {
  workspaceId: string
  environment: Environment
  type: EventType
  data: RunSummary
  /** What a narrowed key must reach to see it. */
  agentId: string
  narrowing: string | null
  at: number
}

export type EventService = {
  list(caller: Caller, filter: EventFilter, page: PageRequest): Promise<Page<Event>>
  get(caller: Caller, id: string): Promise<Event>
  /** Removes what is older than events are kept, slice by slice; answers how many they were. */
  tidy(): Promise<number>
}

/** A few milliseconds of the one writer's time. */
const eventsAtOnce = 1_000

/** Writes one row, in the transaction of what it tells. */
export const recordEvent = (
  tx: Tx,
  newId: NewId,
  { workspaceId, environment, type, data, agentId, narrowing, at }: Occurrence,
): Promise<void> =>
  insertEvent(tx, {
    id: newId('event'),
    workspace_id: workspaceId,
    environment,
    type,
    data: encodeJson<Record<string, unknown>>(data),
    agent_id: agentId,
    narrowing,
    created_at: at,
  })

export function createEventService(dependencies: {
  database: Database
  clock: Clock
  /** How long events are kept. */
  eventsMs: number
}): EventService {
  const { database, clock, eventsMs } = dependencies
  return {
    async list(caller, { type, createdAfter, createdBefore }, page) {
      const selection = {
        ...(type === undefined ? {} : { type }),
        ...(createdAfter === undefined ? {} : { createdAfterMs: Date.parse(createdAfter) }),
        ...(createdBefore === undefined ? {} : { createdBeforeMs: Date.parse(createdBefore) }),
      }
      const rows = await listEvents(caller.scope, database.read, selection, page)
      return { items: rows.items.map(present), total: rows.total }
    },
    async get(caller, id) {
      const row = await findEvent(caller.scope, database.read, id)
      if (row === undefined) throw notFound()
      return present(row)
    },
    async tidy() {
      const end = firstIdAt('event', clock() - eventsMs)
      for (let total = 0; ; ) {
        const deleted = await database.write(tx => deleteEventsBefore(tx, end, eventsAtOnce))
        total += deleted
        if (deleted < eventsAtOnce) return total
      }
    },
  }
}

const present = (row: EventRow): Event => ({
  id: row.id,
  environment: row.environment,
  // Only types of the list are ever written, each with its own data.
  type: row.type as EventType,
  data: decodeJson(row.data as Json<RunSummary>),
  createdAt: toTimestamp(row.created_at),
})
