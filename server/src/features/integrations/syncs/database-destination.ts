/** The sync engine's destination in this server: items are rows, and become documents of a collection. */
import { Readable } from 'node:stream'
import type { Destination, FetchedContent, Item, ItemFailure, ItemMetadata } from '@atrium/connectors'
import type { BlobStore, ReceivedFile } from '../../../platform/blobs/blobs.ts'
import { safeName } from '../../../platform/blobs/file-name.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { AuditService } from '../../audit/service.ts'
import type { DocumentService } from '../../knowledge/documents/documents-service.ts'
import type { Limits } from '../../limits/service.ts'
import {
  askForGone,
  countItems,
  deleteItems,
  findItems,
  type ItemChange,
  type ItemRow,
  itemsAtOnce,
  markGone,
  markPending,
  markSeen,
  nextPending,
  nextUnseen,
  triedItems,
  updateItem,
  upsertItems,
} from './items-store.ts'
import { isPassing, type SyncAttempt, textOf } from './sync-attempt.ts'
import { type ConnectionSyncChange, type Counts, failedBefore } from './syncs-store.ts'

export type DestinationDependencies = {
  blobs: BlobStore
  limits: Limits
  documents: Pick<DocumentService, 'put' | 'get' | 'findByExternalId'>
  audit: AuditService
}

const rowsAtOnce = 50

/** Every write goes through the attempt. It moves the sync's row on, or finds that another attempt holds the sync. */
export async function openDatabaseDestination(
  dependencies: DestinationDependencies,
  attempt: SyncAttempt,
): Promise<Destination> {
  const { database, scope, sync } = attempt
  // Items that became documents of another collection say nothing about this collection.
  const outside = { outside: sync.collection_id }
  const forget = () => database.write(tx => deleteItems(scope, tx, sync.connection_id, outside))
  if (sync.phase === 'listing') while ((await forget()) > 0);
  // Only a confirmed sync may remove what an earlier sync took for gone. Without a confirmation, the service is asked
  // again.
  const askAgain = () => database.write(tx => askForGone(scope, tx, sync.connection_id))
  if (sync.phase === 'listing' && sync.pages === 0 && sync.confirm_deletes === null)
    while ((await askAgain()) > 0);
  const { known } = await countItems(scope, database.read, sync.connection_id)
  return {
    get position() {
      const { phase, is_full, since, page, pages, landmark } = attempt.sync
      return { phase, isFull: is_full === 1, since, page, pages, landmark }
    },
    requireTime: attempt.requireTime,
    ...listInto(attempt, known),
    ...fetchInto(dependencies, attempt),
    failureOf,
    isOwnError: error => error instanceof ServiceError,
  }
}

type ListingPart = Pick<Destination, 'startOver' | 'addListed' | 'addRemoved' | 'settleUnlisted' | 'endPage'>

function listInto(attempt: SyncAttempt, knownBefore: number): ListingPart {
  const { database, scope } = attempt
  const { connection_id: connectionId } = attempt.sync
  let known = knownBefore
  return {
    async startOver() {
      await attempt.write(async () => ({
        change: { is_full: 1, since: null, page: null, landmark: null, pages: 0 },
      }))
    },

    async addListed(items) {
      let news = 0
      await attempt.write(async tx => {
        const slice = await putItems(attempt, tx, items)
        news = slice.news
        return { counts: { listed: slice.listed, unchanged: slice.unchanged } }
      })
      known += news
      return known
    },

    addRemoved: ids =>
      attempt.write(async tx => {
        await markGone(scope, tx, connectionId, ids)
        return {}
      }),

    async settleUnlisted(as) {
      const mark = as === 'waiting' ? markPending : markGone
      for (let after: string | undefined = ''; after !== undefined; ) {
        const ids = await nextUnseen(scope, database.read, attempt.sync, { after, limit: itemsAtOnce })
        after = ids.at(-1)
        if (after === undefined) return
        await attempt.write(async tx => {
          await mark(scope, tx, connectionId, ids)
          return {}
        })
      }
    },

    async endPage({ nextSince, ...end }) {
      const change: ConnectionSyncChange = { ...end, setbacks: 0 }
      if (nextSince !== undefined) change.next_since = nextSince
      await attempt.write(async () => ({ counts: { pages: 1 }, change }))
    },
  }
}

type FetchingPart = Pick<
  Destination,
  'waiting' | 'put' | 'markGone' | 'markFailed' | 'summary' | 'endFetching'
>

function fetchInto(
  { blobs, limits, documents, audit }: DestinationDependencies,
  attempt: SyncAttempt,
): FetchingPart {
  const { database, scope, caller, clock, signal } = attempt
  const { id: syncId, connection_id: connectionId, collection_id: collectionId } = attempt.sync
  // The audit entry of the sync's beginning stands for all its documents.
  const parts = audit.partsOf(null)

  const update = (item: Item, change: ItemChange, counts: Counts = {}): Promise<void> =>
    attempt.write(async tx => {
      await updateItem(scope, tx, { connection_id: connectionId, external_id: item.id }, change)
      return { counts }
    })

  /**
   * Throws `already_exists` if other programs or people put a document under the item's id. That document is theirs.
   */
  const requireOwn = async ({ id: externalId }: Item): Promise<void> => {
    const known = await documents.findByExternalId(caller, { collectionId, externalId })
    if (known === undefined) return
    const [item] = await findItems(scope, database.read, connectionId, [externalId])
    if (item?.document_id === known.id) return
    // A connection of the same service left the document when it was disconnected, and this connection goes on with
    // it.
    const { metadata } = await documents.get(caller, known.id, { waitMs: 0, signal })
    if (decodeJson(metadata).source === attempt.integrationId) return
    throw new ServiceError(
      'already_exists',
      `The collection has a document of another source with this external id: ${known.id}`,
      { details: { resource: 'document', field: 'externalId', id: known.id } },
    )
  }

  return {
    async *waiting(tries) {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const next = { after, attempts: tries, limit: rowsAtOnce }
        const rows: ItemRow[] = await nextPending(scope, database.read, attempt.sync, next)
        if (rows.length > 0) {
          yield rows.map(row => ({ item: itemOf(row), tries: row.tried_in === syncId ? row.attempts : 0 }))
        }
        after = rows.at(-1)?.external_id
      }
    },

    async put(item, content) {
      await requireOwn(item)
      const file = await receiveContent(blobs, content, limits.of(caller).uploadBytes)
      try {
        const title = cleanTitle(content.title ?? item.title ?? '')
        const own = { source: attempt.integrationId, connectionId }
        const fields = {
          title: title !== '' ? title : undefined,
          metadata: { ...metadataOf(content.metadata), ...own },
        }
        await documents.put(caller, { collectionId, externalId: item.id }, fields, file, {
          ifMatch: null,
          ifNoneMatch: false,
          waitMs: 0,
          signal,
          audit: parts,
          also: async (tx, { row: document, outcome }) => {
            await updateItem(
              scope,
              tx,
              { connection_id: connectionId, external_id: item.id },
              {
                pending: 0,
                sha256: file.sha256,
                document_id: document.id,
                tried_in: syncId,
                updated_at: clock(),
                error_code: null,
                error_message: null,
              },
            )
            const counts = { [outcome === 'created' ? 'added' : outcome]: 1 }
            await attempt.advance(tx, { counts, change: { setbacks: 0 } })
          },
        })
      } finally {
        await blobs.discard(file)
      }
    },

    markGone: item => update(item, { gone: 1, pending: 0, tried_in: syncId, error_code: null }),

    markFailed: (item, failure, tries, isLast) =>
      update(
        item,
        {
          attempts: tries,
          tried_in: syncId,
          updated_at: clock(),
          error_code: failure.code,
          error_message: textOf(failure),
        },
        { failed: isLast ? 1 : 0 },
      ),

    async summary() {
      const { pending, kept } = await countItems(scope, database.read, connectionId)
      const { tried, failed, first } = await triedItems(scope, database.read, attempt.sync)
      return {
        tried,
        failed,
        first: first === undefined ? null : { id: first.external_id, message: first.error_message ?? '' },
        waiting: pending,
        kept,
        failedBefore: await failedBefore(scope, database.read, attempt.sync),
      }
    },

    endFetching: (waiting, isDoubtful) =>
      attempt.write(async () => ({
        change: isDoubtful ? { failed: waiting } : { failed: waiting, phase: 'removing' },
      })),
  }
}

/** Writes the content to staging. Throws `payload_too_large`, and the error of a content that breaks off. */
export const receiveContent = (
  blobs: BlobStore,
  { body, fileName, mediaType }: FetchedContent,
  maxBytes: number,
): Promise<ReceivedFile> =>
  blobs.receive(Readable.from(body), {
    // Signs that separate folders elsewhere are part of a name in many services.
    name: safeName(fileName.replaceAll(/[\\/]/g, ' ')),
    statedMediaType: mediaType,
    maxBytes,
  })

/**
 * What an error of the knowledge feature or the HTTP client means for one document; null if it stops the whole sync.
 */
function failureOf(error: unknown): ItemFailure | null {
  if (!(error instanceof ServiceError && itemCodes.includes(error.code))) return null
  const { code } = error
  const [first] = error.errors
  const message = first === undefined ? error.message : `${first.field} ${first.message}`
  return { code, message, isLasting: !isPassing(code) }
}

const itemCodes: readonly string[] = [
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'already_exists',
  'concurrent_change',
  'document_in_progress',
  'address_forbidden',
  'integration_unreachable',
]

async function putItems(
  attempt: SyncAttempt,
  tx: Tx,
  items: readonly Item[],
): Promise<{ listed: number; unchanged: number; news: number }> {
  const { sync, scope } = attempt
  const ids = items.map(({ id }) => id)
  const found = await findItems(scope, tx, sync.connection_id, ids)
  const known = new Map(found.map(row => [row.external_id, row]))
  const same = items.filter(item => isAsKnown(item, known.get(item.id)))
  const sameIds = same.map(({ id }) => id)
  await markSeen(scope, tx, sync, sameIds)
  const others = items.filter(item => !isAsKnown(item, known.get(item.id)))
  const rows = others.map(item => rowOf(attempt, item, known.get(item.id)))
  await upsertItems(scope, tx, rows)
  const isUnseen = ({ id }: Item) => known.get(id)?.seen_in !== sync.id
  return {
    listed: items.filter(isUnseen).length,
    unchanged: same.filter(isUnseen).length,
    news: items.length - found.length,
  }
}

/** An item that was taken for gone may have lost its document, so it is fetched once more. */
const isAsKnown = ({ version }: Item, row: ItemRow | undefined): boolean =>
  row !== undefined && row.version === version && row.pending === 0 && row.gone === 0

const rowOf = ({ sync, scope, clock }: SyncAttempt, item: Item, row: ItemRow | undefined): ItemRow => ({
  connection_id: sync.connection_id,
  external_id: item.id,
  workspace_id: scope.workspaceId,
  environment: scope.environment,
  collection_id: sync.collection_id,
  version: item.version,
  title: item.title === undefined ? null : cleanTitle(item.title),
  data: item.data === undefined ? null : encodeJson(item.data),
  pending: 1,
  gone: 0,
  seen_in: sync.id,
  tried_in: row?.tried_in ?? null,
  attempts: row?.attempts ?? 0,
  sha256: row?.sha256 ?? null,
  document_id: row?.document_id ?? null,
  error_code: row?.error_code ?? null,
  error_message: row?.error_message ?? null,
  updated_at: clock(),
})

const itemOf = ({ external_id: id, version, title, data }: ItemRow): Item => ({
  id,
  version,
  title: title ?? undefined,
  data: data !== null ? decodeJson(data) : undefined,
})

const maxTitleCharacters = 500
const maxFields = 50
const ownFields = 2
const maxFieldCharacters = 2_000
const maxListed = 100
const maxListedCharacters = 500

/** A text of PostgreSQL cannot hold NUL. */
const withoutNul = (text: string, maxCharacters: number): string =>
  text.replaceAll('\0', '').slice(0, maxCharacters)

const cleanTitle = (title: string): string => withoutNul(title, maxTitleCharacters)

/** The same values as in every document's metadata. */
type Metadata = Record<string, string | number | boolean | string[]>

/** What a source says about an item, within the limits of every document's metadata. Long values are cut. */
function metadataOf(metadata: ItemMetadata = {}): Metadata {
  const entries = Object.entries(metadata).flatMap(([name, value]) => {
    const field = fieldOf(value)
    const isName = name !== '' && name.length <= 100 && !name.startsWith('$')
    return field === null || !isName ? [] : [[name, field] as const]
  })
  return Object.fromEntries(entries.slice(0, maxFields - ownFields))
}

function fieldOf(value: unknown): Metadata[string] | null {
  if (typeof value === 'string') return withoutNul(value, maxFieldCharacters)
  if (typeof value === 'boolean' || Number.isFinite(value)) return value as boolean | number
  if (!Array.isArray(value)) return null
  const texts = value.filter(item => typeof item === 'string').slice(0, maxListed)
  return texts.map(text => withoutNul(text, maxListedCharacters))
}
