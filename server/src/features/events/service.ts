/** Reading the outbox: what happened, to those who may see it, for as long as it is kept. */
import type { Caller, Scope } from '../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../platform/clock.ts'
import type { Database, Query } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { found, notFound, ServiceError } from '../../platform/errors.ts'
import { firstIdAt } from '../../platform/ids.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import { type Event, type EventFilter, type EventType, eventTypes, permissionFor } from './schemas.ts'
import {
  countEvents,
  deleteEventsBefore,
  type EventRow,
  type EventSelection,
  findEvent,
  listEvents,
  listEventsBehind,
} from './store.ts'

export type EventService = ReturnType<typeof createEventService>

/** A few milliseconds of the one writer's time. */
const eventsAtOnce = 1_000

export function createEventService(dependencies: {
  database: Database
  clock: Clock
  /** How long events are kept. */
  eventsMs: number
}) {
  const { database, clock, eventsMs } = dependencies
  return {
    /** Throws 403 for a type whose records the caller may not read; without a type it leaves those out. */
    async list(
      caller: Caller,
      { type, agentId, collectionId, createdAfter, createdBefore }: EventFilter,
      page: PageRequest,
    ): Promise<Page<Event>> {
      const selection = {
        types: typesToList(caller, type),
        readable: typesToList(caller),
        agentId,
        collectionId,
        createdAfterMs: createdAfter === undefined ? undefined : Date.parse(createdAfter),
        createdBeforeMs: createdBefore === undefined ? undefined : Date.parse(createdBefore),
      }
      const rows = await listEvents(caller.scope, database.read, selection, page)
      return { items: rows.items.map(present), total: rows.total }
    },
    async get(caller: Caller, id: string): Promise<Event> {
      const row = found(await findEvent(caller.scope, database.read, id))
      const event = present(row)
      if (!readableTypes(caller).includes(event.type)) throw notFound()
      return event
    },
    /** Removes what is older than events are kept, slice by slice; returns how many they were. */
    async tidy(): Promise<number> {
      const end = firstIdAt('event', clock() - eventsMs)
      return bySlices(limit => database.write(tx => deleteEventsBefore(tx, end, limit)), eventsAtOnce)
    },
  }
}

/** The types whose records the caller may read. */
export const readableTypes = ({ permissions }: Pick<Caller, 'permissions'>): EventType[] =>
  eventTypes.filter(type => permissions.has(permissionFor(type)))

/** Those of a list: the type that is asked for, or all that the caller may read; null for every type there is. */
export function typesToList(caller: Pick<Caller, 'permissions'>, wanted?: EventType): EventType[] | null {
  const readable = readableTypes(caller)
  if (wanted === undefined) return readable.length === eventTypes.length ? null : readable
  if (!readable.includes(wanted)) throw unreadable(wanted)
  return [wanted]
}

/** One event, to deliver it; undefined if it is not kept any more. */
export async function readEvent(scope: Scope, query: Query, id: string): Promise<Event | undefined> {
  const row = await findEvent(scope, query, id)
  return row === undefined ? undefined : present(row)
}

/** The ids and types of what a scope sees, oldest first, behind `afterId`; to deliver them again. */
export const readEventsBehind: (
  scope: Scope,
  query: Query,
  selection: EventSelection,
  from: { afterId: string; limit: number },
) => Promise<{ id: string; type: string }[]> = listEventsBehind

export const countSeenEvents: (scope: Scope, query: Query, selection: EventSelection) => Promise<number> =
  countEvents

const unreadable = (type: EventType): ServiceError =>
  new ServiceError(
    'permission_missing',
    `Events of the type ${type} need the permission ${permissionFor(type)}`,
  )

const present = (row: EventRow): Event =>
  ({
    id: row.id,
    environment: row.environment,
    type: row.type,
    data: decodeJson(row.data),
    createdAt: toTimestamp(row.created_at),
    // Only types of the list are ever written, each with its own data.
  }) as Event
