/** How far the reading of a website has come: small enough to be written down after every few pages. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

export type Waiting = {
  /** In its known form. */
  address: string
  /** Links followed from the first page on. */
  depth: number
  /** What the sitemap says. */
  lastChange: string | null
}

export type Crawl = {
  finds: 'sitemap' | 'links'
  origin: string
  startedAt: number
  /** Pages that were asked for, and that became items. */
  tried: number
  listed: number
  /** A page could not be read, so that what only it leads to is not found. */
  isPartial: boolean
  queue: Waiting[]
  /** Marks of the addresses that were met. */
  met: Set<string>
  /** Marks of the texts that were read: the same text at another address is the same page. */
  texts: Set<string>
  /** How many queries of one path were met, by the path's mark: calendars and filters have no end of them. */
  queries: Map<string, number>
}

/** So many bits that among some ten thousand texts no two share a mark by chance. */
export const markOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, markLength)

const markLength = 8
const maxQueriesOfPath = 50
/** With the marks this stays below what a place in a listing may take. */
const maxQueueCharacters = 500_000

export type CrawlLimits = { maxTries: number; maxMet: number; maxListed: number }

/** Some addresses turn out to be other pages, or none; those get lost in that number. */
export const limitsOf = (maxPages: number): CrawlLimits => ({
  maxTries: maxPages * 2 + 50,
  maxMet: maxPages * 4 + 1_000,
  maxListed: maxPages,
})

/** Whether the address is met for the first time, and there is room for it. */
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
    // Only those that are on their way to the limit matter.
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
