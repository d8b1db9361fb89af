/** How far the crawl of a website has come. It is small enough to be written down after every few pages. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

export type Waiting = {
  /** The address in the form of `Site.known`. */
  address: string
  /** The number of links from the first page to this address. */
  depth: number
  /** The time of change that the sitemap states. */
  lastChange: string | null
}

export type Crawl = {
  finds: 'sitemap' | 'links'
  origin: string
  startedAt: number
  /** The number of pages that were asked for, and the number that became items. */
  tried: number
  listed: number
  /** True if a page could not be read. Pages that only this page leads to are then not found. */
  isPartial: boolean
  queue: Waiting[]
  /** Marks of the addresses that were met. */
  met: Set<string>
  /** Marks of the texts that were read: the same text at another address is the same page. */
  texts: Set<string>
  /** How many queries of a path were met, by the path's mark. Calendars and filters have endless queries. */
  queries: Map<string, number>
}

/** A mark has so many bits that among some ten thousand texts no two share a mark by chance. */
export const markOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, markLength)

const markLength = 8
const maxQueriesOfPath = 50
/** With the marks, the queue stays below the size limit of `nextPage`. */
const maxQueueCharacters = 500_000

export type CrawlLimits = { maxTries: number; maxMet: number; maxListed: number }

/** Higher limits than `maxPages`, since some addresses turn out to be other pages, or none. */
export const limitsOf = (maxPages: number): CrawlLimits => ({
  maxTries: maxPages * 2 + 50,
  maxMet: maxPages * 4 + 1_000,
  maxListed: maxPages,
})

/** Whether the address is met for the first time and is within the limits. */
export function meet(crawl: Crawl, { maxMet }: CrawlLimits, address: string): boolean {
  const mark = markOf(address)
  if (crawl.met.has(mark) || crawl.met.size >= maxMet) return false
  crawl.met.add(mark)
  const [path = '', query] = address.split('?', 2)
  if (query === undefined) return true
  const count = (crawl.queries.get(markOf(path)) ?? 0) + 1
  crawl.queries.set(markOf(path), count)
  return count <= maxQueriesOfPath
}

export function enqueue(crawl: Crawl, waiting: readonly Waiting[]): void {
  let characters = crawl.queue.reduce((sum, { address }) => sum + address.length, 0)
  for (const one of waiting) {
    characters += one.address.length
    if (characters > maxQueueCharacters) return
    crawl.queue.push(one)
  }
}

type Written = Omit<Crawl, 'queue' | 'met' | 'texts' | 'queries'> & {
  queue: [path: string, depth: number, lastChange: string | null][]
  met: string
  texts: string
  queries: [string, number][]
}

export async function write({ queue, met, texts, queries, ...rest }: Crawl): Promise<string> {
  const written: Written = {
    ...rest,
    queue: queue.map(({ address, depth, lastChange }) => [
      address.slice(rest.origin.length),
      depth,
      lastChange,
    ]),
    met: [...met].join(''),
    texts: [...texts].join(''),
    // Only paths that are on their way to the limit matter.
    queries: [...queries].filter(([, count]) => count > 1),
  }
  const packed = await promisify(deflateRaw)(JSON.stringify(written))
  return packed.toString('base64url')
}

export async function readWritten(text: string): Promise<Crawl> {
  const packed = Buffer.from(text, 'base64url')
  const plain = await promisify(inflateRaw)(packed, { maxOutputLength: 16 * 1024 * 1024 })
  // Only `write` produces this text.
  const { queue, met, texts, queries, ...rest } = JSON.parse(plain.toString()) as Written
  return {
    ...rest,
    queue: queue.map(([path, depth, lastChange]) => ({ address: rest.origin + path, depth, lastChange })),
    met: marksIn(met),
    texts: marksIn(texts),
    queries: new Map(queries),
  }
}

const marksIn = (text: string): Set<string> => new Set(text.match(new RegExp(`.{${markLength}}`, 'g')))
