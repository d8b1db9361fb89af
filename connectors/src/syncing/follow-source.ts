/**
 * The sync engine: lists what a source holds, then fetches what is new or changed. It serves two destinations. One is
 * the server's database, where an attempt may end anywhere and another attempt goes on. The other is a collection
 * that is reached by the SDK. The destination itself removes gone items, behind the collection's delete guard.
 */
import type { Context, Item, Listing, Source } from '../connector.ts'
import { HttpFailure } from '../http.ts'
import { type FetchedContent, fetchContent } from './fetch-content.ts'
import { faultOf, listingFaults, SourceFault, withinTime } from './source-fault.ts'

/** How far a sync has come. */
export type Position = {
  phase: 'listing' | 'fetching' | 'removing'
  /** Whether everything is listed, or only the changes since `since`. */
  isFull: boolean
  since: string | null
  /** The page to list next; null for the first. */
  page: string | null
  /** Pages listed so far. */
  pages: number
  /** The token of a page that was listed earlier. A listing that goes in circles meets it again. */
  landmark: string | null
}

/** The end of a page. Fields that are left out keep their values. */
export type PageEnd = Partial<Pick<Position, 'phase' | 'landmark'>> & {
  page: string | null
  /** On the last page: the `since` of the next sync; null if the next sync has to list everything. */
  nextSince?: string | null
}

/** An item to be fetched, and how often this sync has tried. */
export type WaitingItem = { item: Item; tries: number }

/** `isLasting`: another try within this sync cannot help. */
export type ItemFailure = { code: string; message: string; isLasting: boolean }

export type FetchSummary = {
  /** How many items this sync tried, how many of them failed, and the first failure. */
  tried: number
  failed: number
  first: { id: string; message: string } | null
  /** Items that still wait because they failed, in this sync or in one before. */
  waiting: number
  /** Items that have a document. */
  kept: number
  /** Items that failed in the sync before. */
  failedBefore: number
}

/** Turns items into documents. When a method resolves, its work is done for good. */
export type Destination = {
  readonly position: Readonly<Position>
  /** Throws if the sync has to stop here, for now or for good. */
  requireTime(): void
  /** The source no longer knows `since`: the position becomes the beginning of a listing of everything. */
  startOver(): Promise<void>
  /** Notes which of at most 500 items are new or changed. Returns how many items are known. */
  addListed(items: readonly Item[]): Promise<number>
  /** Notes at most 500 items that are gone. */
  addRemoved(ids: readonly string[]): Promise<void>
  /**
   * After the last page of a full listing: marks each item that no page held as gone, or as waiting to be fetched.
   */
  settleUnlisted(as: 'gone' | 'waiting'): Promise<void>
  /** Moves the position on. A page that was cut off before is listed again, and its items count once. */
  endPage(end: PageEnd): Promise<void>
  /**
   * The waiting items that were tried fewer than `tries` times in this sync, in slices. Items may be put meanwhile.
   */
  waiting(tries: number): AsyncIterable<readonly WaitingItem[]>
  put(item: Item, content: FetchedContent): Promise<void>
  /** For an item that was listed and is gone by now. */
  markGone(item: Item): Promise<void>
  /** `isLast`: this sync does not try the item again. The next sync does. */
  markFailed(item: Item, failure: ItemFailure, tries: number, isLast: boolean): Promise<void>
  summary(): Promise<FetchSummary>
  /** `waiting` items could not be fetched. Gone items may be removed, unless the source `isDoubtful`. */
  endFetching(waiting: number, isDoubtful: boolean): Promise<void>
  /** What an error of this destination means for an item; null if the error stops the sync. */
  failureOf(error: unknown): ItemFailure | null
  /** Whether an error comes from the destination's own HTTP client. A connector may pass such errors on. */
  isOwnError(error: unknown): boolean
}

const maxPages = 10_000
const maxItems = 200_000
const pageTimeoutMs = 10 * 60_000
/** How many items are noted in one step. Other writers can write between two steps. */
const itemsInStep = 500
/** The limit within one sync. Each later sync tries again. */
const maxTries = 3
const fetchesAtOnce = 4
/** The sync stops after so many items in a row for which the service was unavailable. */
const outagesInRow = 5
const fullEveryMs = 24 * 3_600_000

/** The code of a sync that could fetch none of the items that it tried. */
export const allItemsFailed = 'all_items_failed'

/**
 * Whether a sync has to list everything. Some sources show what is gone only then, so they list everything once a
 * day.
 */
export const needsFullListing = (
  source: Source | undefined,
  { since, lastFullAtMs, nowMs }: { since: string | null; lastFullAtMs: number; nowMs: number },
): boolean =>
  since === null ||
  (source !== undefined && source.removals !== 'told' && nowMs - lastFullAtMs >= fullEveryMs)

/**
 * Lists and fetches from the destination's position on. Throws `SourceFault` and `HttpFailure` if the source as a
 * whole is at fault. Also throws what the destination throws.
 */
export async function followSource(source: Source, context: Context, destination: Destination) {
  if (destination.position.phase === 'listing') await listPages(source, context, destination)
  if (destination.position.phase !== 'fetching') return
  await fetchWaiting(source, context, destination)
  const summary = await destination.summary()
  const fault = faultOfAll(summary)
  await destination.endFetching(summary.waiting, fault !== null)
  if (fault !== null) throw fault
}

async function listPages(source: Source, context: Context, destination: Destination): Promise<void> {
  while (destination.position.phase === 'listing') {
    destination.requireTime()
    const { since, page, isFull } = destination.position
    const listing = await readPage(source, context, { since, page }, destination)
    if (listing.startOver !== true) await takePage(source, listing, destination)
    else if (isFull) throw connectorFault('it wants to start over at the beginning')
    else await destination.startOver()
  }
}

async function readPage(
  source: Source,
  context: Context,
  at: { since: string | null; page: string | null },
  { isOwnError }: Destination,
): Promise<Listing> {
  try {
    const listing = await withinTime(source.list(context, at), pageTimeoutMs, context.signal)
    const [fault] = listingFaults(listing)
    if (fault !== undefined) throw connectorFault(`list: ${fault}`)
    if (listing.nextPage !== null && listing.nextPage === at.page) throw inCircles()
    return listing
  } catch (error) {
    context.signal.throwIfAborted()
    throw isOwnError(error) ? error : faultOf(error, 'The connector could not list')
  }
}

async function takePage({ removals }: Source, listing: Listing, destination: Destination): Promise<void> {
  const { landmark, isFull } = destination.position
  const { removed = [], nextPage } = listing
  const pages = destination.position.pages + 1
  if (nextPage !== null && nextPage === landmark) throw inCircles()
  if (nextPage !== null && pages >= maxPages) {
    throw new SourceFault('too_many_pages', `The service has more than ${maxPages} pages: narrow the config`)
  }
  const items = [...new Map(listing.items.map(item => [item.id, item])).values()]
  for (const slice of slicesOf(items)) {
    if ((await destination.addListed(slice)) <= maxItems) continue
    throw new SourceFault(
      'too_many_items',
      `The connection holds more than ${maxItems} items: narrow the config`,
    )
  }
  for (const slice of slicesOf(removed)) await destination.addRemoved(slice)
  if (nextPage === null && isFull) {
    const mayBeThere = removals === 'asked' || listing.isPartial === true
    await destination.settleUnlisted(mayBeThere ? 'waiting' : 'gone')
  }
  if (nextPage === null) {
    const nextSince = listing.since ?? null
    return destination.endPage({ page: null, landmark: null, phase: 'fetching', nextSince })
  }
  // The landmark is set at each power of two, so a listing in circles meets it again.
  const isLandmark = (pages & (pages - 1)) === 0
  await destination.endPage({ page: nextPage, landmark: isLandmark ? nextPage : landmark })
}

function* slicesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += itemsInStep) yield all.slice(start, start + itemsInStep)
}

const connectorFault = (what: string): SourceFault =>
  new SourceFault('connector_fault', `The connector is at fault: ${what}`)

const inCircles = (): SourceFault =>
  new SourceFault('endless_paging', 'The service names the same page again and again: its list has no end')

/**
 * Fetches the waiting items, a few at a time. Each round tries the items that failed in the round before once more.
 */
export async function fetchWaiting(source: Source, context: Context, destination: Destination) {
  let outages = 0
  const take = async ({ item, tries: before }: WaitingItem): Promise<void> => {
    destination.requireTime()
    try {
      const content = await fetchContent(source, context, item, destination.isOwnError)
      if (content === null) await destination.markGone(item)
      else await destination.put(item, content)
      outages = 0
    } catch (error) {
      context.signal.throwIfAborted()
      outages = error instanceof HttpFailure && error.kind === 'unavailable' ? outages + 1 : 0
      const failure = itemFailureOf(error, destination)
      if (failure === null || outages >= outagesInRow) throw error
      const tries = failure.isLasting ? maxTries : before + 1
      await destination.markFailed(item, failure, tries, tries >= maxTries)
    }
  }
  for (let round = 1; round <= maxTries; round++) {
    for await (const slice of destination.waiting(round)) await severalAtOnce(slice, take)
  }
}

/** Null for an error that stops the whole sync. */
function itemFailureOf(error: unknown, destination: Destination): ItemFailure | null {
  if (error instanceof SourceFault) return { code: error.code, message: error.message, isLasting: false }
  if (!(error instanceof HttpFailure)) return destination.failureOf(error)
  const { kind, message } = error
  if (kind === 'not_authorized' || kind === 'rate_limited') return null
  if (kind === 'unavailable') return { code: 'integration_unreachable', message, isLasting: false }
  return { code: kind, message, isLasting: true }
}

/**
 * The fault if all tried items failed. Nothing is then removed, since what the source says about gone items is
 * doubtful too. Items that already failed in the sync before do not fail every quiet sync of a source that works.
 */
function faultOfAll({ tried, failed, first, waiting, kept, failedBefore }: FetchSummary): SourceFault | null {
  if (first === null || failed < tried) return null
  if (kept > 0 && waiting <= failedBefore) return null
  const what = tried === 1 ? 'The only item that was tried' : `All ${tried} items that were tried`
  return new SourceFault(allItemsFailed, `${what} failed, the first (${first.id}) with: ${first.message}`)
}

/** Ends once all started work has ended. After the first failure, no more work is started. */
async function severalAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  // All workers take from the same iterator.
  const queue = items.values()
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      await work(item).catch(error => failures.push(error))
      if (failures.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: fetchesAtOnce }, worker))
  if (failures.length > 0) throw failures[0]
}
