/** The items of an API's list, as the settings describe them. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Content, Context, Item, Listing, Source } from '../connector.ts'
import { fingerprint } from '../fingerprint.ts'
import { HttpFailure, nullIfMissing } from '../http.ts'
import { addressOf, getJson, instantAt, misfit, type Reply, textAt, valueAt, withId } from './api.ts'
import { contentOf } from './content.ts'
import { beginning, nextPosition, type Position, pageAddress } from './paging.ts'
import type { HttpConfig, ListSettings } from './settings.ts'

const maxIdCharacters = 400
/** Small items are kept with the listing; larger ones are read again. */
const maxKeptCharacters = 3_000
const maxTitleCharacters = 500

export const httpSource: Source<HttpConfig> = {
  removals: 'absence',
  async list(context, { since, page }) {
    const { config } = context
    const list = listOf(config)
    // Only this function writes the page token.
    const position = page === null ? beginning(since) : (JSON.parse(page) as Position)
    const found = await readPage(context, list, since, position)
    if (found === null) return lastPage(list, position.latest)
    const { items } = found
    const times = items.map(item => instantAt(item, config.fields.updated)).filter(time => time !== null)
    const latest = [position.latest, ...times].reduce(
      (a, b) => (a === null || (b !== null && b > a) ? b : a),
      null,
    )
    const next = nextPosition(config, list, position, { ...found, latest, since })
    if (next === null) return { ...lastPage(list, latest), ...itemsOn(found, config, list, since) }
    return { nextPage: JSON.stringify(next), ...itemsOn(found, config, list, since) }
  },
  async fetch(context, item): Promise<Content | null> {
    const { config } = context
    // Only `list` writes the data of an item.
    const kept = item.data as KeptItem
    const value = await readItem(context, item.id, kept)
    return value === null ? null : await contentOf(context, config, item.id, value)
  },
}

const lastPage = (list: ListSettings, latest: number | null): Listing => ({
  items: [],
  nextPage: null,
  since: list.since !== undefined && latest !== null ? String(latest) : undefined,
})

function itemsOn(
  { items, url }: Page,
  config: HttpConfig,
  list: ListSettings,
  since: string | null,
): Pick<Listing, 'items' | 'removed'> {
  const removed = items.filter(item => isGone(list, item)).map(item => idOf(list, item, url))
  return {
    items: items.filter(item => !isGone(list, item)).map(item => itemOf(config, list, item, url)),
    removed: since !== null && removed.length > 0 ? removed : undefined,
  }
}

export const isGone = (list: ListSettings, item: unknown): boolean =>
  list.deleted !== undefined && Boolean(valueAt(item, list.deleted))

type Page = Reply & { items: unknown[]; url: URL }

/** Null if the page before turns out to be the last one. */
export async function readPage(
  context: Context<HttpConfig>,
  list: ListSettings,
  since: string | null,
  position: Position,
): Promise<Page | null> {
  const url = pageAddress(context.config, list, since, position)
  try {
    const reply = await getJson(context, url)
    return { ...reply, items: itemsIn(list, reply.json, url), url }
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    if (position.mayBeOver === true && isRefusal(error)) return null
    throw blaming(error, position.at === null ? 'list.path' : 'list.paging', url)
  }
}

/** After the last page, APIs answer 400, 404, 416 or 422, or a reply without a list. */
const isRefusal = ({ kind, status, field }: HttpFailure): boolean =>
  kind === 'missing' || field === 'list.items' || (kind === 'unexpected_reply' && (status ?? 0) >= 400)

/** The failure, completed by the requested address and the setting that led there. */
export function blaming(failure: HttpFailure, field: string, url: URL): HttpFailure {
  const { kind, message, status, body } = failure
  if (failure.field !== null || !['missing', 'unexpected_reply'].includes(kind)) return failure
  return new HttpFailure(
    kind,
    `${message} at ${url.pathname}${url.search}: check config.${field}`,
    withoutUndefined({
      field,
      body,
      cause: failure,
      status: status ?? undefined,
    }),
  )
}

/** The items in the list's order. Throws if the reply is not as the settings say. */
function itemsIn(list: ListSettings, reply: unknown, url: URL): unknown[] {
  const items = valueAt(reply, list.items)
  if (Array.isArray(items)) return items
  const where = list.items === '' ? 'is no list' : `has no list at ${list.items}`
  throw misfit('list.items', `The reply of ${url.pathname} ${where}`)
}

const listOf = ({ list }: HttpConfig): ListSettings => {
  if (list === undefined) throw misfit('list', 'There is nothing to sync without a list')
  return list
}

/** The item itself, or the address of the list's page that holds it. */
type KeptItem = { item: unknown } | { page: string }

export function idOf(list: ListSettings, item: unknown, url: URL): string {
  const id = textAt(item, list.id)
  if (id === null) throw misfit('list.id', `An item of ${url.pathname} has no id at ${list.id}`)
  if (id.length > maxIdCharacters) {
    throw misfit('list.id', `An item of ${url.pathname} has an id of more than ${maxIdCharacters} characters`)
  }
  return id
}

function itemOf(config: HttpConfig, list: ListSettings, item: unknown, url: URL): Item {
  const title = textAt(item, config.fields.title)?.slice(0, maxTitleCharacters)
  const version = textAt(item, list.version) ?? textAt(item, config.fields.updated)
  const isSmall = JSON.stringify(item).length <= maxKeptCharacters
  const kept: KeptItem = isSmall ? { item } : { page: url.href }
  return {
    id: idOf(list, item, url),
    // The same item becomes another document under other settings.
    version: fingerprint([version ?? item, config.content, config.fields, config.detail]),
    data: kept,
    title,
  }
}

export async function readItem(context: Context<HttpConfig>, id: string, kept: KeptItem): Promise<unknown> {
  const { config } = context
  const { detail } = config
  if (detail === undefined) return 'item' in kept ? kept.item : await findOnPage(context, id, kept.page)
  const address = addressOf(config, withId(detail.path, id))
  const reply = await getJson(context, address).catch(nullIfMissing)
  if (reply === null) return null
  const value = valueAt(reply.json, detail.item)
  if (value === undefined) throw misfit('detail.item', `${address.pathname} has nothing at ${detail.item}`)
  return value
}

/** The pages that were read last, since all items of one page ask for the same page. */
const pages = new WeakMap<object, Map<string, Promise<unknown[]>>>()
const maxPages = 4

async function findOnPage(context: Context<HttpConfig>, id: string, address: string): Promise<unknown> {
  const list = listOf(context.config)
  const url = new URL(address)
  const known = pages.get(context.http) ?? new Map<string, Promise<unknown[]>>()
  pages.set(context.http, known)
  const reading = known.get(address) ?? getJson(context, url).then(({ json }) => itemsIn(list, json, url))
  // Inserting the page again makes it the newest, so the least recently used page is dropped first.
  known.delete(address)
  known.set(address, reading)
  const [oldest] = known.keys()
  if (known.size > maxPages && oldest !== undefined) known.delete(oldest)
  const items = await reading.catch((error: unknown) => {
    known.delete(address)
    throw error
  })
  const item = items.find(candidate => textAt(candidate, list.id) === id)
  if (item !== undefined) return item
  // New items may have moved it to another page meanwhile. The next listing finds its new page.
  throw new HttpFailure('unexpected_reply', `${id} is not on the page any more on which it was listed`)
}
