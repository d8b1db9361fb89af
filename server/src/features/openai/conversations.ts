/** Conversations of OpenAI's clients: the items that a client adds, and the answers of responses. */

import type { Fields } from '@atrium/connectors/fields'
import { type Caller, keyIdOf } from '../../platform/caller.ts'
import { type Clock, dayMs } from '../../platform/clock.ts'
import { takeTurn } from '../../platform/database/between-processes.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { decodeJson, encodeJson, type Json } from '../../platform/database/json.ts'
import { found, invalidField, limitReached, ServiceError } from '../../platform/errors.ts'
import { idPrefixes, type NewId } from '../../platform/ids.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import type { Message } from '../agents/records/message-schemas.ts'
import type { AuditService } from '../audit/service.ts'
import { type Limits, requireStorage } from '../limits/service.ts'
import {
  type ConversationRow,
  countConversations,
  deleteConversation,
  deleteUnused,
  findConversation,
  insertConversation,
  lockConversation,
  updateConversation,
} from './conversations-store.ts'
import {
  type EarlierResponses,
  type History,
  mostReferredRuns,
  nullWhereNotFound,
} from './earlier-responses.ts'
import { type Item, itemsOf, runIdOf } from './items.ts'
import { createReader, type Reader, type Said } from './requests/reading.ts'
import { itemSaid } from './requests/requests.ts'
import { readAttributes } from './requests/store-request.ts'

/** For one key. A key cannot delete another key's conversations, so these must not stop it from beginning its own. */
const mostConversations = 10_000
const mostItemsAtOnce = 100
const mostEntries = 1_000
const mostCharacters = 2_000_000
/** How long an unused conversation is kept. */
const keptMs = 30 * dayMs
const deletedAtOnce = 100

/** A client's message, or the words of a run, which are read from that run: one item by its id, or all. */
type Entry = { id: string; message: Message } | { itemId: string } | { runId: string }

export type Conversations = ReturnType<typeof createConversations>

type Dependencies = {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  limits: Limits
  earlier: EarlierResponses
}

export function createConversations(dependencies: Dependencies) {
  const rows = createRows(dependencies)
  return { ...createRecords(dependencies, rows), ...createItems(dependencies, rows) }
}

type Rows = ReturnType<typeof createRows>

function createRows({ database, clock, newId, audit, limits }: Dependencies) {
  const read = async (caller: Caller, id: string): Promise<ConversationRow> =>
    found(await findConversation(caller.scope, database.read, ownOf(caller, id)))

  /** Returns the changed row, or null if the conversation has been deleted. */
  async function change(
    caller: Caller,
    tx: Tx,
    id: string,
    changed: (row: ConversationRow) => { metadata?: Fields; entries?: Entry[] },
  ): Promise<ConversationRow | null> {
    const row = await lockConversation(caller.scope, tx, ownOf(caller, id))
    if (row === undefined) return null
    const { metadata = decodeJson(row.metadata), entries = entriesOf(row) } = changed(row)
    const next = { ...row, ...columnsOf(metadata, entries), updated_at: clock() }
    const more = next.stored_bytes - row.stored_bytes
    if (more > 0) await requireStorage(limits, caller, tx, more)
    await updateConversation(caller.scope, tx, id, next)
    return next
  }

  const changeAudited = (caller: Caller, id: string, changed: Parameters<typeof change>[3]) =>
    database.write(async tx => {
      const row = found((await change(caller, tx, id, changed)) ?? undefined)
      await audit.record(tx, caller, { action: 'openai_conversation.update', resourceId: id })
      return row
    })

  const entryOf = (message: Message) => ({
    id: `item_${newId('openAiConversation').slice(idPrefixes.openAiConversation.length + 1)}`,
    message,
  })

  return { read, change, changeAudited, entryOf }
}

function createRecords(
  { database, clock, newId, audit, limits }: Dependencies,
  { read, changeAudited, entryOf }: Rows,
) {
  return {
    get: read,

    async create(caller: Caller, body: Fields): Promise<ConversationRow> {
      const reader = createReader()
      const metadata = readAttributes(body.metadata, 'metadata', reader) ?? {}
      const messages = readItems(body.items ?? [], reader)
      reader.finish()
      const { workspaceId: workspace_id, environment } = caller.scope
      const id = newId('openAiConversation')
      const now = clock()
      const row: ConversationRow = {
        id,
        workspace_id,
        environment,
        author_id: authorOf(caller),
        ...columnsOf(metadata, messages.map(entryOf)),
        created_at: now,
        updated_at: now,
      }
      return await database.write(async tx => {
        await takeTurn(tx, `openai conversations ${row.author_id}`)
        if ((await countConversations(caller.scope, tx, row.author_id)) >= mostConversations) {
          const message = `A key has at most ${mostConversations} conversations of OpenAI's clients`
          throw limitReached('conversations', mostConversations, `${message}: delete some`)
        }
        await requireStorage(limits, caller, tx, row.stored_bytes)
        await insertConversation(caller.scope, tx, row)
        await audit.record(tx, caller, { action: 'openai_conversation.create', resourceId: id })
        return row
      })
    },

    update(caller: Caller, id: string, body: Fields): Promise<ConversationRow> {
      const reader = createReader()
      const metadata = readAttributes(body.metadata, 'metadata', reader) ?? {}
      if (body.metadata === undefined) reader.fault('metadata', 'is required: null takes it away')
      reader.finish()
      return changeAudited(caller, id, () => ({ metadata }))
    },

    /** The responses stay: each is erased separately. */
    remove: (caller: Caller, id: string): Promise<void> =>
      database.write(async tx => {
        found(await lockConversation(caller.scope, tx, ownOf(caller, id)))
        await deleteConversation(caller.scope, tx, id)
        await audit.record(tx, caller, { action: 'openai_conversation.delete', resourceId: id })
      }),

    /** Deletes conversations that were not used for 30 days; returns how many. */
    tidy: (): Promise<number> =>
      bySlices(limit => database.write(tx => deleteUnused(tx, clock() - keptMs, limit)), deletedAtOnce),
  }
}

function createItems({ database, earlier }: Dependencies, { read, change, changeAudited, entryOf }: Rows) {
  async function itemsIn(caller: Caller, row: ConversationRow): Promise<Item[]> {
    const items: Item[] = []
    for (const entry of entriesOf(row)) {
      if ('message' in entry) items.push(...itemsOf(entry.message, () => entry.id))
      else
        for (const [id, message] of (await wordsOf(caller, entry)).output)
          items.push(...itemsOf(message, () => id))
    }
    return items
  }

  /** Empty for a run that has been erased, or that the caller no longer reaches. */
  async function wordsOf(caller: Caller, entry: Exclude<Entry, { message: Message }>) {
    const runId = 'runId' in entry ? entry.runId : (runIdOf(entry.itemId) ?? '')
    const found = await earlier.outputOf(caller, runId).catch(nullWhereNotFound)
    const { isWorking, output } = found ?? { isWorking: false, output: new Map<string, Message>() }
    const wanted = [...output].filter(([id]) => 'runId' in entry || id === entry.itemId)
    return { runId: found === null ? null : runId, isWorking, output: wanted }
  }

  return {
    items: async (caller: Caller, id: string): Promise<Item[]> => itemsIn(caller, await read(caller, id)),

    async addItems(caller: Caller, id: string, body: Fields): Promise<Item[]> {
      const reader = createReader()
      const messages = readItems(body.items, reader)
      reader.finish()
      const added = messages.map(entryOf)
      await changeAudited(caller, id, row => ({ entries: longer(row, added) }))
      return added.flatMap(({ id: itemId, message }) => itemsOf(message, () => itemId))
    },

    /** Throws a 400 for an item of a response: that item is deleted with its response. */
    removeItem: (caller: Caller, id: string, itemId: string): Promise<ConversationRow> =>
      changeAudited(caller, id, row => {
        const entries = entriesOf(row)
        const rest = entries.filter(entry => 'runId' in entry || idOf(entry) !== itemId)
        if (rest.length === entries.length) throw notAnItem(itemId)
        return { entries: rest }
      }),

    /**
     * The messages of the conversation before a response. Throws a 400 if the conversation does not exist or is full,
     * and `conversation_busy` while its last response is in progress.
     */
    async history(caller: Caller, id: string): Promise<History & { seenIds: string[] }> {
      const row = await read(caller, id).catch(nullWhereNotFound)
      if (row === null)
        throw invalidField('conversation', `There is no conversation ${id.slice(0, 100)} here`)
      const entries = entriesOf(row)
      const runs = entries.filter(entry => 'runId' in entry)
      if (runs.length >= mostReferredRuns) {
        throw invalidField('conversation', `has ${mostReferredRuns} responses, the most: begin another one`)
      }
      const messages: Message[] = []
      const runIds = new Set<string>()
      const seenIds = runs.map(({ runId }) => runId)
      for (const entry of entries) {
        if ('message' in entry) messages.push(entry.message)
        else {
          const { runId, isWorking, output } = await wordsOf(caller, entry)
          if (runId === null) continue
          if (isWorking) throw busy(runId)
          messages.push(...output.map(([, message]) => message))
          runIds.add(runId)
        }
      }
      return {
        said: messages.map(message => ({ param: 'conversation', message })),
        runIds: [...runIds],
        seenIds,
      }
    },

    /**
     * Appends a request and the run that answers it. Does nothing if the conversation has been deleted. Throws
     * `conversation_busy` if another response has begun that this request has not seen.
     */
    append: (caller: Caller, id: string, { rest, runId, seenIds }: Appended): Promise<unknown> =>
      database.write(tx =>
        change(caller, tx, id, row => {
          const entries = entriesOf(row)
          const unseen = entries.find(entry => 'runId' in entry && !seenIds.includes(entry.runId))
          if (unseen !== undefined && 'runId' in unseen) throw busy(unseen.runId)
          const asked = rest.map(({ itemId, message }) =>
            itemId === undefined ? entryOf(message) : { itemId },
          )
          return { entries: [...entries, ...asked, { runId }] }
        }),
      ),
  }
}

type Appended = {
  rest: readonly (Said & { itemId?: string })[]
  runId: string
  seenIds: readonly string[]
}

const idOf = (entry: Exclude<Entry, { runId: string }>): string =>
  'itemId' in entry ? entry.itemId : entry.id

/** A key reads what its narrowing allows, and items do not show their sources. So no other key may read them. */
const authorOf = (caller: Caller): string => keyIdOf(caller) ?? caller.userId ?? 'system'
const ownOf = (caller: Caller, id: string) => ({ id, authorId: authorOf(caller) })

/** The entries were checked when they came. */
const entriesOf = ({ entries }: ConversationRow): Entry[] => decodeJson(entries as Json<Entry[]>)

function columnsOf(metadata: Fields, entries: readonly Entry[]) {
  const texts = { metadata: encodeJson(metadata), entries: encodeJson(entries) }
  const stored_bytes = Buffer.byteLength(texts.metadata) + Buffer.byteLength(texts.entries)
  return { ...texts, stored_bytes } as Pick<ConversationRow, 'metadata' | 'entries' | 'stored_bytes'>
}

function longer(row: ConversationRow, added: readonly Entry[]): Entry[] {
  const entries = [...entriesOf(row), ...added]
  if (entries.length <= mostEntries && JSON.stringify(entries).length <= mostCharacters) return entries
  const most = `${mostEntries} items with ${mostCharacters} characters`
  throw invalidField('items', `would make more than ${most}: begin another conversation`)
}

function readItems(value: unknown, reader: Reader): Message[] {
  const items = reader.list(value, 'items')
  if (items === undefined) reader.fault('items', 'is required')
  if ((items ?? []).length > mostItemsAtOnce) {
    reader.fault('items', `must have at most ${mostItemsAtOnce} items: send the others in another request`)
  }
  return (items ?? []).slice(0, mostItemsAtOnce).flatMap((item, at) => {
    const param = `items[${at}]`
    return itemSaid(item, param, reader).flatMap(one => {
      if ('message' in one) return [one.message]
      reader.fault(param, 'must say something itself: references are for `input`')
      return []
    })
  })
}

const busy = (runId: string): ServiceError =>
  new ServiceError('conversation_busy', 'A response of the conversation is in progress', {
    details: { runId },
  })

const notAnItem = (itemId: string): ServiceError =>
  /^(msg|fc)_/.test(itemId)
    ? invalidField('item_id', 'is of a response: delete the response')
    : new ServiceError('not_found')

export const presentConversation = ({ id, metadata, created_at: createdAt }: ConversationRow) => ({
  id,
  object: 'conversation',
  created_at: Math.floor(createdAt / 1_000),
  metadata: decodeJson(metadata),
})
