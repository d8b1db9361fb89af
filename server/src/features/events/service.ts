/** Reads the outbox: callers see the events that they may read, for as long as events are kept. */
import type { Caller, Scope } from '../../platform/caller.ts'
import { toTimestamp } from '../../platform/clock.ts'
import type { Query } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { forbidden, found, notFound, type ServiceError } from '../../platform/errors.ts'
import { firstIdAt } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import type { RunTexts } from './data-schemas.ts'
import {
  type Event,
  type EventChoice,
  type EventFilter,
  type EventType,
  eventTypes,
  isCovered,
  permissionFor,
} from './schemas.ts'
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

/** Returns the present texts of runs, by run id. Leaves out runs that the scope may not read. */
export type ReadRunTexts = (
  scope: Scope,
  query: Query,
  runIds: readonly string[],
) => Promise<ReadonlyMap<string, RunTexts>>

/** Takes a few milliseconds of the database's single writer. */
const eventsAtOnce = 1_000

export function createEventService(
  dependencies: Pick<Platform, 'database' | 'clock'> & {
    /** How long events are kept. */
    eventsMs: number
    readRunTexts: ReadRunTexts
  },
) {
  const { database, clock, eventsMs, readRunTexts } = dependencies

  const present = async (scope: Scope, query: Query, rows: readonly EventRow[]): Promise<Event[]> => {
    const runIds = rows.flatMap(row => runIdOf(row) ?? [])
    const texts = runIds.length === 0 ? new Map() : await readRunTexts(scope, query, runIds)
    return rows.map(row => presentEvent(row, texts))
  }

  /** Undefined if the scope does not see the event or the event is no longer kept. */
  const read = async (scope: Scope, query: Query, id: string): Promise<Event | undefined> => {
    const row = await findEvent(scope, query, id)
    return row === undefined ? undefined : (await present(scope, query, [row]))[0]
  }

  return {
    read,

    /** Throws 403 for a type whose records the caller may not read. Without a type, such events are left out. */
    async list(
      caller: Caller,
      { type, agentId, collectionId }: EventFilter,
      page: PageRequest,
    ): Promise<Page<Event>> {
      const selection = {
        types: typesToList(caller, type),
        readable: typesToList(caller),
        agentId,
        collectionId,
      }
      const rows = await listEvents(caller.scope, database.read, selection, page)
      return { items: await present(caller.scope, database.read, rows.items), total: rows.total }
    },
    async get(caller: Caller, id: string): Promise<Event> {
      const event = found(await read(caller.scope, database.read, id))
      if (!readableTypes(caller).includes(event.type)) throw notFound()
      return event
    },
    /** Removes events that are older than they are kept, slice by slice. Returns how many. */
    async tidy(): Promise<number> {
      const end = firstIdAt('event', clock() - eventsMs)
      return bySlices(limit => database.write(tx => deleteEventsBefore(tx, end, limit)), eventsAtOnce)
    },
  }
}

/** The types whose records the caller may read. */
export const readableTypes = ({ permissions }: Pick<Caller, 'permissions'>): EventType[] =>
  eventTypes.filter(type => permissions.has(permissionFor(type)))

/** The types of a list: the wanted ones, or all that the caller may read. Null means all types. */
export function typesToList(
  caller: Pick<Caller, 'permissions'>,
  wanted: EventChoice = '*',
): EventType[] | null {
  const readable = readableTypes(caller)
  if (wanted === '*') return readable.length === eventTypes.length ? null : readable
  if (!caller.permissions.has(permissionFor(wanted))) throw unreadable(wanted)
  return eventTypes.filter(type => isCovered(type, [wanted]))
}

/** The ids and types of the events that a scope sees after `afterId`, oldest first. A replay delivers these again. */
export const readEventsBehind: (
  scope: Scope,
  query: Query,
  selection: EventSelection,
  from: { afterId: string; limit: number },
) => Promise<{ id: string; type: string }[]> = listEventsBehind

export const countSeenEvents: (scope: Scope, query: Query, selection: EventSelection) => Promise<number> =
  countEvents

const unreadable = (wanted: Exclude<EventChoice, '*'>): ServiceError =>
  forbidden('permission', `Events of the type ${wanted} need the permission ${permissionFor(wanted)}`, {
    permission: permissionFor(wanted),
  })

const runIdOf = ({ type, data }: EventRow): string | null =>
  type.startsWith('run.') ? String(decodeJson(data).id) : null

const unreadRun: RunTexts = {
  metadata: null,
  output: null,
  structuredOutput: null,
  pendingApprovals: [],
  pendingToolCalls: [],
  truncated: false,
}

/** A document's event that was written before documents had warnings. */
const absent = ({ type }: EventRow) => (type.startsWith('document.') ? { warnings: [] } : {})

function presentEvent(row: EventRow, textsOf: ReadonlyMap<string, RunTexts>): Event {
  const data = decodeJson(row.data)
  const runId = runIdOf(row)
  const texts = runId === null ? null : (textsOf.get(runId) ?? unreadRun)
  // The run waited at the time of the event, but may have an answer now.
  const shown =
    texts !== null && data.status === 'waiting' ? { ...texts, output: null, structuredOutput: null } : texts
  // Only types of `eventTypes` are ever written, each with its own data.
  return {
    id: row.id,
    type: row.type,
    createdAt: toTimestamp(row.created_at),
    workspaceId: row.workspace_id,
    environment: row.environment,
    data: { ...absent(row), ...data, ...shown },
  } as Event
}
