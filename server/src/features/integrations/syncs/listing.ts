/** The first phase of a sync: what the service holds is written down page by page, each with the place where it goes on. */
import type { Context, Item, Listing, Source } from '@atrium/connectors'
import { HttpFailure } from '@atrium/connectors'
import type { Scope } from '../../../platform/caller.ts'
import { minuteMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import { ServiceError } from '../../../platform/errors.ts'
import {
  deleteItems,
  findItems,
  type ItemRow,
  itemsAtOnce,
  markGone,
  markPending,
  markSeen,
  nextUnseen,
  upsertItems,
} from './items-store.ts'
import type { SyncAttempt } from './sync-attempt.ts'
import { SourceFault, textOf } from './sync-failure.ts'
import type { ConnectionSyncChange } from './syncs-store.ts'
import { withinTime } from './within-time.ts'

const maxPages = 10_000
const maxItemsOfPage = 10_000
const maxPageCharacters = 1_000_000
const maxIdCharacters = 400
const maxVersionCharacters = 1_000
const maxDataCharacters = 4_000
const maxTitleCharacters = 500
const pageTimeoutMs = 10 * minuteMs

/** Lists to the end, or for as long as the attempt has time. */
export async function listPages(attempt: SyncAttempt, source: Source, context: Context): Promise<void> {
  const { faults } = attempt
  await forgetOtherCollections(attempt)
  while (attempt.sync.phase === 'listing') {
    attempt.requireTime()
    const { since, page } = attempt.sync
    const listing = await readPage(source, context, { since, page })
    if (listing.startOver === true) await startOver(attempt)
    else await writePage(attempt, source, listing)
    faults.reach('connection-sync.page-written')
  }
}

/** What became documents elsewhere says nothing of this collection. */
async function forgetOtherCollections({ database, sync, scope }: SyncAttempt): Promise<void> {
  const outside = { outside: sync.collection_id }
  const forget = () => database.write(tx => deleteItems(scope, tx, sync.connection_id, outside))
  while ((await forget()) > 0);
}

async function readPage(
  source: Source,
  context: Context,
  at: { since: string | null; page: string | null },
): Promise<Listing> {
  try {
    const listing = await withinTime(source.list(context, at), pageTimeoutMs, context.signal)
    return checkListing(listing, at.page)
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof HttpFailure || error instanceof ServiceError || error instanceof SourceFault) {
      throw error
    }
    const why = error instanceof Error ? textOf(error) : String(error)
    throw new SourceFault('connector_fault', `The connector could not list: ${why}`, error)
  }
}

/** A connector may be anybody's. */
function checkListing(listing: Listing, page: string | null): Listing {
  const { items, removed = [], nextPage } = listing
  if (!Array.isArray(items) || !Array.isArray(removed)) throw fault('a listing has no items')
  if (items.length > maxItemsOfPage || removed.length > maxItemsOfPage) {
    throw fault(`a page has more than ${maxItemsOfPage} items`)
  }
  if (nextPage !== null && (typeof nextPage !== 'string' || nextPage.length > maxPageCharacters)) {
    throw fault(`nextPage is no text of up to ${maxPageCharacters} characters`)
  }
  if (nextPage !== null && nextPage === page) throw inCircles()
  for (const item of items) checkItem(item)
  return listing
}

function checkItem({ id, version, data }: Item): void {
  if (typeof id !== 'string' || id === '' || id.includes('\0') || id.length > maxIdCharacters) {
    throw fault(`an item's id is no text of up to ${maxIdCharacters} characters`)
  }
  if (typeof version !== 'string' || version.includes('\0') || version.length > maxVersionCharacters) {
    throw fault(`the version of ${id} is no text of up to ${maxVersionCharacters} characters`)
  }
  if (data !== undefined && JSON.stringify(data).length > maxDataCharacters) {
    throw fault(`the data of ${id} has more than ${maxDataCharacters} characters`)
  }
}

const fault = (what: string): SourceFault =>
  new SourceFault('connector_fault', `The connector is at fault: ${what}`)

const inCircles = (): SourceFault =>
  new SourceFault('endless_paging', 'The service names the same page again and again: its list has no end')

/** The service has forgotten the mark of the last sync. */
async function startOver(attempt: SyncAttempt): Promise<void> {
  if (attempt.sync.is_full === 1) throw fault('it wants to start over at the beginning')
  await attempt.write(async () => ({
    change: { is_full: 1, since: null, page: null, landmark: null, pages: 0 },
  }))
}

/**
 * In transactions that are short, so that others can write between them. The place moves only with the last one: a page
 * that was cut off is listed again, and its items count once.
 */
async function writePage(attempt: SyncAttempt, source: Source, listing: Listing): Promise<void> {
  const { sync, scope } = attempt
  const { removed = [], nextPage } = listing
  const pages = sync.pages + 1
  if (nextPage !== null && nextPage === sync.landmark) throw inCircles()
  if (nextPage !== null && pages >= maxPages) {
    throw new SourceFault('too_many_pages', `The service has more than ${maxPages} pages: narrow the config`)
  }
  const items = [...new Map(listing.items.map(item => [item.id, item])).values()]
  for (const slice of slicesOf(items)) await writeItems(attempt, slice)
  for (const slice of slicesOf(removed)) {
    await attempt.write(async tx => {
      await markGone(scope, tx, sync.connection_id, slice)
      return {}
    })
  }
  if (nextPage === null && sync.is_full === 1) await markUnseen(attempt, source)
  attempt.faults.reach('connection-sync.items-written')
  const change: ConnectionSyncChange = { page: nextPage, setbacks: 0 }
  // At each power of two: whatever goes in a circle comes by it again.
  if ((pages & (pages - 1)) === 0) change.landmark = nextPage
  if (nextPage === null) {
    change.phase = 'fetching'
    change.landmark = null
    change.next_since = listing.since ?? null
  }
  await attempt.write(async () => ({
    counts: { pages: 1 },
    change,
  }))
}

function* slicesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += itemsAtOnce) yield all.slice(start, start + itemsAtOnce)
}

/** After a listing of everything: what was not in it is gone, or waits to be asked for. */
async function markUnseen(attempt: SyncAttempt, { removals }: Source): Promise<void> {
  const { scope, sync, database } = attempt
  const mark = removals === 'asked' ? markPending : markGone
  let after = ''
  for (;;) {
    const ids = await nextUnseen(scope, database.read, sync, { after, limit: itemsAtOnce })
    if (ids.length === 0) return
    await attempt.write(async tx => {
      await mark(scope, tx, sync.connection_id, ids)
      return {}
    })
    after = ids.at(-1) ?? after
  }
}

async function writeItems(attempt: SyncAttempt, items: readonly Item[]): Promise<void> {
  let news = 0
  await attempt.write(async tx => {
    const slice = await putItems(attempt, tx, items)
    news = slice.news
    return { counts: { listed: slice.listed, unchanged: slice.unchanged } }
  })
  attempt.countKnown(news)
}

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
  await markSeen(
    scope,
    tx,
    sync,
    same.map(({ id }) => id),
  )
  const others = items.filter(item => !isAsKnown(item, known.get(item.id)))
  await upsertItems(
    scope,
    tx,
    others.map(item => rowOf(attempt, scope, item, known.get(item.id))),
  )
  const isUnseen = ({ id }: Item) => known.get(id)?.seen_in !== sync.id
  return {
    listed: items.filter(isUnseen).length,
    unchanged: same.filter(isUnseen).length,
    news: items.length - found.length,
  }
}

/** What was taken for gone may have lost its document: it is fetched once more. */
const isAsKnown = ({ version }: Item, row: ItemRow | undefined): boolean =>
  row !== undefined && row.version === version && row.pending === 0 && row.gone === 0

function rowOf({ sync, clock }: SyncAttempt, scope: Scope, item: Item, row: ItemRow | undefined): ItemRow {
  return {
    connection_id: sync.connection_id,
    external_id: item.id,
    workspace_id: scope.workspaceId,
    environment: scope.environment,
    collection_id: sync.collection_id,
    version: item.version,
    title: item.title?.replaceAll('\0', '').slice(0, maxTitleCharacters) ?? null,
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
  }
}
