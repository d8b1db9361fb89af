/** Runs a connector in a test as the server does, against a peer on loopback: one listing, or a mirror that is kept in sync. */
import assert from 'node:assert/strict'
import { authorizationHeaders, type Credentials } from '../auth.ts'
import type { Connector, Content, Context, Item } from '../connector.ts'
import { createHttp } from '../create-http.ts'
import { HttpFailure } from '../http.ts'

type Terms<Settings> = {
  config: Settings
  credentials: Credentials | null
  /** Where the service's origins really are: `{ 'https://api.example.com': peer.origin }`. Nothing else is reached. */
  peers: Record<string, string>
  /** The credentials after a renewal; none, unless given. */
  renew?: () => Credentials | null
  now?: (() => number) | undefined
}

export type TestContext<Settings> = Context<Settings> & {
  /** How long the service was given rest before another try, in milliseconds; nothing waits for it really. */
  pauses: number[]
  /** What was logged. */
  messages: string[]
}

/** What a connector is given, with every call led to `peers`. */
export function openContext<Settings>(
  connector: Connector<Settings>,
  { config, credentials, peers, renew = () => null, now = Date.now }: Terms<Settings>,
): TestContext<Settings> {
  const { signal } = new AbortController()
  const pauses: number[] = []
  const messages: string[] = []
  let held = credentials
  const http = createHttp({
    fetch: async (url, { maxResponseBytes: _unbounded, timeoutMs: _unlimited, ...request }) => {
      const peer = peers[url.origin]
      if (peer === undefined) throw new OutsideTheTest(url.origin)
      return await fetch(new URL(`${peer}${url.pathname}${url.search}`), request)
    },
    isFinal: error => error instanceof OutsideTheTest,
    credentials: async refused => {
      if (refused !== null) {
        const renewed = renew()
        if (renewed === null) return null
        held = renewed
      }
      return authorizationHeaders(connector.auth, config as Record<string, unknown>, held)
    },
    origins: connector.origins(config),
    signal,
    sleep: async ms => void pauses.push(ms),
    random: () => 0,
    now,
  })
  const log = (message: string) => void messages.push(message)
  return { config, http, signal, now, log, pauses, messages }
}

class OutsideTheTest extends Error {
  constructor(origin: string) {
    super(`The test has no peer for ${origin}`)
  }
}

/** Content with its body as bytes and as text. */
export type Fetched = Omit<Content, 'body'> & { bytes: Uint8Array; text: string }

export type SourceListing = {
  items: Item[]
  removed: string[]
  since: string | null
  startsOver: boolean
  isPartial: boolean
  pages: number
}

const maxPages = 1_000
const maxIdCharacters = 400
const maxPageCharacters = 1_000_000
const maxDataCharacters = 4_000

/** Every page of a listing; holds the connector to the interface's limits. */
export async function listSource<Settings>(
  connector: Connector<Settings>,
  context: Context<Settings>,
  since: string | null = null,
): Promise<SourceListing> {
  const { list } = sourceOf(connector)
  const whole: SourceListing = {
    items: [],
    removed: [],
    since: null,
    startsOver: false,
    isPartial: false,
    pages: 0,
  }
  const seenPages = new Set<string>()
  for (let page: string | null = null; ; ) {
    const listing = await list(context, { since, page })
    whole.pages += 1
    // Items are rows, and are read back by another process.
    whole.items.push(...listing.items.map(item => structuredClone(heldToLimits(item))))
    whole.removed.push(...(listing.removed ?? []))
    if (listing.startOver) return { ...whole, startsOver: true }
    if (listing.nextPage === null) {
      return { ...whole, since: listing.since ?? null, isPartial: listing.isPartial === true }
    }
    page = listing.nextPage
    assert.ok(page.length <= maxPageCharacters, `a page is named by ${page.length} characters`)
    assert.ok(!seenPages.has(page), `the page ${page} was given twice`)
    seenPages.add(page)
    assert.ok(seenPages.size < maxPages, 'the listing does not end')
  }
}

/** The content of one item; null if it is gone. */
export async function fetchItem<Settings>(
  connector: Connector<Settings>,
  context: Context<Settings>,
  item: Item,
): Promise<Fetched | null> {
  const content = await sourceOf(connector).fetch(context, item)
  if (content === null) return null
  const { body, ...rest } = content
  const bytes = new Uint8Array(await new Response(body).arrayBuffer())
  return { ...rest, bytes, text: new TextDecoder().decode(bytes) }
}

export type MirrorCounts = {
  added: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
}

export type Mirror = {
  /** What is there, by item id. */
  documents: Map<string, Fetched & { version: string }>
  /** What the last sync could not fetch, by item id. */
  failures: Map<string, Error>
  /** The ids that the last sync fetched, sorted: the rest had the version that was known. */
  fetched: string[]
  since: string | null
  /** Incremental where there was one before, unless `full`. */
  sync(how?: { full?: boolean }): Promise<MirrorCounts>
}

/** The titles of what is synced, sorted. */
export const titlesOf = ({ documents }: Mirror): string[] =>
  [...documents.values()].map(({ title }) => title ?? '').sort()

/** Keeps documents as a collection would have them after each sync. */
export function createMirror<Settings>(connector: Connector<Settings>, context: Context<Settings>): Mirror {
  const mirror: Mirror = {
    documents: new Map(),
    failures: new Map(),
    fetched: [],
    since: null,
    async sync({ full = false } = {}) {
      let isFull = full || mirror.since === null
      let listing = await listSource(connector, context, isFull ? null : mirror.since)
      if (listing.startsOver) {
        assert.ok(!isFull, 'a listing of everything cannot start over')
        isFull = true
        listing = await listSource(connector, context)
      }
      const present = new Set(listing.items.map(item => item.id))
      const absent = isFull ? [...mirror.documents.keys()].filter(id => !present.has(id)) : []
      const counts = await takeOver(mirror, connector, context, listing)
      if (sourceOf(connector).removals === 'asked' || listing.isPartial) {
        counts.deleted += await askFor(mirror, connector, context, absent.splice(0))
      }
      for (const id of [...listing.removed.filter(id => !present.has(id)), ...absent]) {
        if (mirror.documents.delete(id)) counts.deleted += 1
      }
      mirror.since = listing.since
      return counts
    },
  }
  return mirror
}

async function takeOver<Settings>(
  mirror: Mirror,
  connector: Connector<Settings>,
  context: Context<Settings>,
  listing: SourceListing,
): Promise<MirrorCounts> {
  const counts: MirrorCounts = { added: 0, changed: 0, unchanged: 0, deleted: 0, failed: 0 }
  mirror.failures.clear()
  mirror.fetched = []
  // What two pages name counts once, in its last version.
  for (const item of new Map(listing.items.map(item => [item.id, item])).values()) {
    const known = mirror.documents.get(item.id)
    if (known?.version === item.version) {
      counts.unchanged += 1
      continue
    }
    try {
      mirror.fetched.push(item.id)
      const content = await fetchItem(connector, context, item)
      if (content === null) {
        if (mirror.documents.delete(item.id)) counts.deleted += 1
        continue
      }
      mirror.documents.set(item.id, { ...content, version: item.version })
      counts[known === undefined ? 'added' : 'changed'] += 1
    } catch (error) {
      if (!(error instanceof Error) || isOfTheWhole(error)) throw error
      mirror.failures.set(item.id, error)
      counts.failed += 1
    }
  }
  mirror.fetched.sort()
  return counts
}

/** How many of what a listing lacked are gone indeed. */
async function askFor<Settings>(
  mirror: Mirror,
  connector: Connector<Settings>,
  context: Context<Settings>,
  ids: readonly string[],
): Promise<number> {
  let gone = 0
  for (const id of ids) {
    const version = mirror.documents.get(id)?.version ?? ''
    const content = await fetchItem(connector, context, { id, version })
    if (content === null) gone += mirror.documents.delete(id) ? 1 : 0
    else mirror.documents.set(id, { ...content, version })
  }
  return gone
}

const isOfTheWhole = (error: Error): boolean =>
  error instanceof assert.AssertionError ||
  (error instanceof HttpFailure && ['not_authorized', 'rate_limited', 'unavailable'].includes(error.kind))

function sourceOf<Settings>(connector: Connector<Settings>) {
  const { source } = connector
  assert.ok(source, `${connector.id} has no source`)
  return source
}

function heldToLimits(item: Item): Item {
  assert.ok(item.id.length > 0 && item.id.length <= maxIdCharacters, `the id ${item.id} is too long or empty`)
  assert.ok(item.version.length > 0, `${item.id} has no version`)
  const data = JSON.stringify(item.data ?? null)
  assert.ok(data.length <= maxDataCharacters, `the data of ${item.id} has ${data.length} characters`)
  assert.deepEqual(JSON.parse(data), item.data ?? null, `the data of ${item.id} does not survive JSON`)
  return item
}
