/** A source's listing, page by page, held to what the interface promises. */
import type { Connector, Context, Item, Listing } from '../connector.ts'

const maxPages = 10_000
const maxItems = 200_000
const maxIdCharacters = 400
const maxOpaqueCharacters = 4_000
const maxPageCharacters = 1_000_000

/** The connector, or the service behind it, broke a promise of the interface. */
export class ListingError extends Error {
  override readonly name = 'ListingError'
}

export type WholeListing = {
  /** By id; of what two pages say of one, the last word counts. */
  items: Map<string, Item>
  removed: Set<string>
  /** Null where the next listing has to be of everything. */
  since: string | null
  isFull: boolean
}

/** Everything that changed since `since`, or all there is. Throws `ListingError` and the connector's own errors. */
export async function takeListing(
  source: NonNullable<Connector['source']>,
  context: Context,
  since: string | null,
  onPage: (page: number, items: number) => void = () => undefined,
): Promise<WholeListing> {
  const items = new Map<string, Item>()
  const removed = new Set<string>()
  const seen = new Set<string>()
  for (let page: string | null = null, pages = 1; ; pages++) {
    context.signal.throwIfAborted()
    const listing: Listing = await source.list(context, { since, page })
    const faults = listingFaults(listing)
    if (faults.length > 0) throw new ListingError(`list answers what it must not: ${faults.join('; ')}`)
    if (listing.startOver === true) {
      if (since === null) throw new ListingError('list answers startOver where it was not given since')
      return await takeListing(source, context, null, onPage)
    }
    for (const id of listing.removed ?? []) {
      removed.add(id)
      items.delete(id)
    }
    for (const item of listing.items) {
      items.set(item.id, item)
      removed.delete(item.id)
    }
    onPage(pages, items.size)
    if (listing.nextPage === null) {
      return { items, removed, since: listing.since ?? null, isFull: since === null }
    }
    page = listing.nextPage
    if (seen.has(page)) throw new ListingError('list gives the same nextPage twice, so it would never end')
    if (pages >= maxPages) throw new ListingError(`list has more than ${maxPages} pages`)
    if (items.size > maxItems) throw new ListingError(`list has more than ${maxItems} items`)
    seen.add(page)
  }
}

/** What is wrong with one page; none where it keeps every promise. */
export function listingFaults(listing: Listing): string[] {
  if (typeof listing !== 'object' || listing === null || !Array.isArray(listing.items)) {
    return ['it must answer { items: […], nextPage }']
  }
  const { nextPage, since, removed = [] } = listing
  const faults = listing.items.flatMap((item, at) => itemFaults(`items.${at}`, item))
  if (nextPage !== null && !isText(nextPage, maxPageCharacters)) {
    faults.push(`nextPage must be null, or a text of 1 to ${maxPageCharacters} characters`)
  }
  if (since !== undefined && !isText(since, maxOpaqueCharacters)) {
    faults.push(`since must be a text of 1 to ${maxOpaqueCharacters} characters, or left out`)
  }
  if (!Array.isArray(removed) || removed.some(id => !isText(id, maxIdCharacters))) {
    faults.push('removed must be a list of ids')
  }
  return faults.slice(0, 10)
}

function itemFaults(at: string, item: Item): string[] {
  if (typeof item !== 'object' || item === null) return [`${at} must be { id, version }`]
  const faults: string[] = []
  if (!isText(item.id, maxIdCharacters)) {
    faults.push(`${at}.id must be a text of 1 to ${maxIdCharacters} characters`)
  }
  if (!isText(item.version, maxOpaqueCharacters))
    faults.push(`${at}.version must be a text that is not empty`)
  if (item.title !== undefined && typeof item.title !== 'string') faults.push(`${at}.title must be a text`)
  if ((JSON.stringify(item.data) ?? '').length > maxOpaqueCharacters) {
    faults.push(`${at}.data must have at most ${maxOpaqueCharacters} characters as JSON`)
  }
  return faults
}

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most
