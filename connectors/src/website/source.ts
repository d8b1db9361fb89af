/** The pages of a website as items: found by its sitemap or by following links, read one after another. */

import { createHash } from 'node:crypto'
import type { Context, Item, Listing, Source } from '../connector.ts'
import { HttpFailure } from '../http.ts'
import { beginCrawl } from './begin.ts'
import { type Crawl, enqueue, limitsOf, markOf, meet, readWritten, type Waiting, write } from './crawl.ts'
import { fetchPage } from './fetch-page.ts'
import { isDocument } from './files.ts'
import { firstBytes } from './first-bytes.ts'
import type { PageReading } from './reading/tasks.ts'
import { type Robots, readRobots } from './robots.ts'
import type { WebsiteConfig } from './settings.ts'
import { createSite, type Site, wantedAmong } from './site.ts'
import { askForValidator, maxFileBytes, type Visit, visit } from './visit.ts'

/** Longer than a polite visit of the largest allowed number of pages. */
const maxCrawlMs = 48 * 60 * 60 * 1_000

export const websiteSource: Source<WebsiteConfig> = {
  removals: 'absence',
  list: async (context, { page }) => {
    const { crawl, site, robots } = page === null ? await beginCrawl(context) : await resume(context, page)
    if (context.now() - crawl.startedAt > maxCrawlMs) {
      const message = `${site.origin} could not be read within two days: lower maxPages`
      throw new HttpFailure('unexpected_reply', message)
    }
    return await listingOf(context, crawl, await step(context, crawl, site, robots))
  },
  async fetch(context, { id, data }) {
    // Only `step` writes the data of an item. An item that a partial listing lacked comes without data.
    const page = (data as PageData | undefined) ?? (await unlistedPage(context, id))
    return page === null ? null : await fetchPage(context, page)
  },
}

async function resume(context: Context<WebsiteConfig>, page: string) {
  const crawl = await readWritten(page)
  const site = createSite(context.config, crawl.origin)
  const robots = await readRobots(context, crawl.origin)
  // The rules may have changed meanwhile.
  const isAllowed = await robots.allow(crawl.queue.map(({ address }) => address))
  crawl.queue = crawl.queue.filter((_, index) => isAllowed[index])
  return { crawl, site, robots }
}

/** Null if the site does not allow the page, or if the page is no longer wanted. */
async function unlistedPage(context: Context<WebsiteConfig>, id: string): Promise<PageData | null> {
  if (isShortened(id)) throw new HttpFailure('unexpected_reply', `No page that was read leads to ${id}`)
  const { origin } = new URL(id)
  if (!createSite(context.config, origin).wants(id)) return null
  const robots = await readRobots(context, origin)
  const [isAllowed] = await robots.allow([id])
  return isAllowed === true ? { address: id, everyMs: robots.everyMs, lastChange: null } : null
}

async function listingOf(
  { config, log }: Context<WebsiteConfig>,
  crawl: Crawl,
  items: Item[],
): Promise<Listing> {
  const { maxTries, maxListed } = limitsOf(config.maxPages)
  const { isPartial } = crawl
  if (crawl.queue.length === 0) return { items, nextPage: null, isPartial }
  if (crawl.listed < maxListed && crawl.tried < maxTries) return { items, nextPage: await write(crawl) }
  log('A website has more pages than maxPages', { maxPages: config.maxPages, tried: crawl.tried })
  return { items, nextPage: null, isPartial }
}

// One step of the crawl: visits the next few pages and finds where they lead.

/** The limits of one step, so that little is lost when a process ends. */
const maxVisits = 25
const maxItems = 500
const maxStepMs = 60_000
const maxIdCharacters = 400

/** The data of an item that the listing keeps. */
type PageData = {
  address: string
  /** The rest between two requests in milliseconds, as the site wanted it when the page was listed. */
  everyMs: number
  lastChange: string | null
}

/** Visits the next few pages. The addresses that they lead to are added to the crawl. */
async function step(context: Context<WebsiteConfig>, crawl: Crawl, site: Site, robots: Robots) {
  const { maxTries, maxListed } = limitsOf(context.config.maxPages)
  const items: Item[] = []
  const endsAt = context.now() + maxStepMs
  for (let visits = 0; visits < maxVisits && items.length < maxItems && context.now() < endsAt; ) {
    const [next] = crawl.queue
    if (next === undefined || crawl.listed >= maxListed || crawl.tried >= maxTries) return items
    let found: StepResult
    try {
      found = await look(context, crawl, site, robots, next)
    } catch (error) {
      // The items found so far are kept. The next step begins with the page that could not be read now.
      if (error instanceof HttpFailure && error.kind === 'rate_limited' && visits > 0) return items
      throw error
    }
    crawl.queue.splice(crawl.queue.indexOf(next), 1)
    crawl.tried += 1
    if (found.cost === 'visit') visits += 1
    if (found.item !== null) {
      items.push(found.item)
      crawl.listed += 1
    }
    // The next step starts with robots.txt, and ends there if the site still does not answer.
    if (found.isSilent) return items
  }
  return items
}

type StepResult = { item: Item | null; cost: 'visit' | 'none'; isSilent: boolean }

async function look(
  context: Context<WebsiteConfig>,
  crawl: Crawl,
  site: Site,
  robots: Robots,
  next: Waiting,
): Promise<StepResult> {
  const { address, lastChange } = next
  const itemOf = (version: string, title?: string): Item => {
    const data: PageData = { address, everyMs: robots.everyMs, lastChange }
    return {
      id: idOf(address),
      version,
      data,
      title: title !== undefined && title !== '' ? title : undefined,
    }
  }
  if (crawl.finds === 'sitemap') {
    if (lastChange !== null) return { item: itemOf(`changed ${lastChange}`), cost: 'none', isSilent: false }
    const validator = await askForValidator(context, address, robots.everyMs)
    if (validator !== null)
      return { item: itemOf(`as ${validator.slice(0, 300)}`), cost: 'visit', isSilent: false }
  }
  const visited = await visit(context, address, robots.everyMs)
  const isSilent = visited.kind === 'unread' && visited.isSilent
  const item = await takeIn(context, { crawl, site, robots, next, itemOf }, visited)
  return { item, cost: 'visit', isSilent }
}

type Stop = {
  crawl: Crawl
  site: Site
  robots: Robots
  next: Waiting
  itemOf: (version: string, title?: string) => Item
}

/** Adds what a visit found to the crawl. Returns the item if the page is one. */
async function takeIn(context: Context<WebsiteConfig>, stop: Stop, visited: Visit): Promise<Item | null> {
  const { crawl, next, itemOf } = stop
  switch (visited.kind) {
    case 'gone':
      return null
    case 'moved':
      await follow(context, stop, visited.to === null ? [] : [visited.to], next.depth)
      return null
    // The page is listed with a new version, so it is tried again. What was read before stays until then.
    case 'unread':
      context.log('A page could not be read', { address: next.address, why: visited.why })
      crawl.isPartial = true
      return itemOf(`unread ${context.now()}`)
    case 'file':
      return await takeFile(context, stop, visited)
    case 'page': {
      const { reading } = visited
      const text = markOf(`${reading.title}\n${reading.text}`)
      // The same page under another address. Its links are the same too, and could repeat for ever.
      if (reading.text !== '' && crawl.texts.has(text)) return null
      crawl.texts.add(text)
      const { canonical } = reading
      const isCopy = canonical !== null && isOtherPage(stop, canonical)
      if (isCopy) await follow(context, stop, [canonical], next.depth)
      if (reading.areLinksFollowed && crawl.finds === 'links' && next.depth < context.config.maxDepth) {
        await follow(context, stop, reading.links, next.depth + 1)
      }
      return isCopy || !reading.isIndexable || reading.text === ''
        ? null
        : itemOf(versionOf(reading), reading.title)
    }
  }
}

/** Many sites have pages that all call the first page their original. This says nothing about the page. */
function isOtherPage({ site, next }: Stop, canonical: string): boolean {
  const known = site.known(canonical)
  return known !== null && known !== next.address && site.wants(known) && new URL(known).pathname !== '/'
}

/** Adds the addresses that are new, wanted and allowed to the queue. */
async function follow(
  { config }: Context<WebsiteConfig>,
  { crawl, site, robots, next }: Stop,
  addresses: readonly string[],
  depth: number,
): Promise<void> {
  const limits = limitsOf(config.maxPages)
  const wanted = await wantedAmong(site, addresses, next.address)
  const fresh = wanted.filter(address => meet(crawl, limits, address))
  const isAllowed = await robots.allow(fresh)
  const allowed = fresh.filter((_, index) => isAllowed[index])
  enqueue(
    crawl,
    allowed.map(address => ({ address, depth, lastChange: null })),
  )
}

async function takeFile(
  context: Context<WebsiteConfig>,
  { next, itemOf }: Stop,
  { response, mediaType, validator }: Extract<Visit, { kind: 'file' }>,
): Promise<Item | null> {
  if (!context.config.documents || !isDocument(mediaType)) {
    await response.body?.cancel()
    return null
  }
  if (validator !== null) {
    await response.body?.cancel()
    return itemOf(`as ${validator.slice(0, 300)}`)
  }
  try {
    const { bytes } = await firstBytes(response, maxFileBytes)
    return itemOf(`file ${hashOf(bytes)}`)
  } catch (error) {
    context.signal.throwIfAborted()
    // The file is tried again when it is fetched. What was read before stays until then.
    context.log('A file could not be read', { address: next.address, error: String(error) })
    return itemOf(`unread ${context.now()}`)
  }
}

const versionOf = (reading: PageReading): string =>
  `text ${hashOf(JSON.stringify([reading.title, reading.text, reading.author, reading.publishedAt]))}`

const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32)

/** Shortens long addresses, and adds a mark that keeps them different. */
const idOf = (address: string): string =>
  address.length <= maxIdCharacters ? address : `${address.slice(0, maxIdCharacters - 20)}#${markOf(address)}`

/** A known address has no fragment, so `#` marks a shortened one. */
const isShortened = (id: string): boolean => id.includes('#')
