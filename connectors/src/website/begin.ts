/** The beginning of a visit: finds the site's real address, the rules for robots, and the first pages. */

import type { Context } from '../connector.ts'
import { HttpFailure } from '../http.ts'
import { createPauses } from '../pauses.ts'
import { type Crawl, enqueue, limitsOf, meet, type Waiting } from './crawl.ts'
import { firstBytes } from './first-bytes.ts'
import { read } from './reading/reader.ts'
import { agentHeaders, type Robots, readRobots } from './robots.ts'
import type { WebsiteConfig } from './settings.ts'
import { createSite, isSameHost, type Site } from './site.ts'

const maxRedirects = 5

/** The first page's address after its redirects. Throws an `HttpFailure` that says what is wrong with it. */
export async function findStart(
  context: Context<WebsiteConfig>,
): Promise<{ address: string; site: Site; robots: Robots }> {
  let url = new URL(context.config.url)
  url.hash = ''
  let robots = await readRobots(context, url.origin)
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const [isAllowed] = await robots.allow([url.href])
    if (isAllowed !== true) {
      const message = `${url.origin}/robots.txt does not allow robots to read ${url.pathname}`
      throw new HttpFailure('unexpected_reply', message)
    }
    const target = await redirectOf(context, url, robots.everyMs)
    if (target === null) return startAt(context.config, url, robots)
    if (!isSameHost(url, target)) {
      const message = `${url.href} redirects to ${target.origin}, which is another website: connect that one instead`
      throw new HttpFailure('unexpected_reply', message)
    }
    if (target.origin !== url.origin) robots = await readRobots(context, target.origin)
    url = target
  }
  throw new HttpFailure('unexpected_reply', `${context.config.url} redirects too often`)
}

async function redirectOf({ http }: Context<unknown>, url: URL, everyMs: number): Promise<URL | null> {
  const headers = { ...agentHeaders, accept: 'text/html, */*;q=0.5' }
  const response = await http.send(url.href, { headers, everyMs, redirects: 'answer' })
  await response.body?.cancel()
  if (response.status < 300) return null
  return URL.parse(response.headers.get('location') ?? '', url.href)
}

function startAt(config: WebsiteConfig, url: URL, robots: Robots) {
  const site = createSite(config, url.origin)
  const address = site.known(url.href)
  if (address === null || !site.wants(address)) {
    const where = config.pathPrefix ?? new URL(config.url).pathname
    const message = `The first page is at ${url.href}, which is not below ${where} or is left out: change url, pathPrefix or exclude`
    throw new HttpFailure('unexpected_reply', message)
  }
  return { address, site, robots }
}

export async function beginCrawl(
  context: Context<WebsiteConfig>,
): Promise<{ crawl: Crawl; site: Site; robots: Robots }> {
  const { config } = context
  const start = await findStart(context)
  const { site, robots } = start
  const crawl: Crawl = {
    finds: 'sitemap',
    origin: site.origin,
    startedAt: context.now(),
    tried: 0,
    listed: 0,
    isPartial: false,
    queue: [],
    met: new Set(),
    texts: new Set(),
    queries: new Map(),
  }
  if (config.discover !== 'links') await enqueueSitemaps(context, crawl, site, robots)
  if (crawl.queue.length > 0) return { crawl, site, robots }
  if (config.discover === 'sitemap') {
    const message = `${site.origin} has no sitemap that names a page which may be read: set discover to links`
    throw new HttpFailure('unexpected_reply', message)
  }
  const limits = limitsOf(config.maxPages)
  const fresh: Crawl = { ...crawl, finds: 'links', met: new Set(), queries: new Map() }
  meet(fresh, limits, start.address)
  enqueue(fresh, [{ address: start.address, depth: 0, lastChange: null }])
  return { crawl: fresh, site, robots }
}

const maxSitemaps = 50
/**
 * The time for sitemaps, since a person waits for a listing's first page. If a site wants long rest, fewer sitemaps
 * are read.
 */
const maxSitemapsMs = 5 * 60 * 1_000
const maxSitemapBytes = 50 * 1024 * 1024

async function enqueueSitemaps(context: Context<WebsiteConfig>, crawl: Crawl, site: Site, robots: Robots) {
  const { maxListed, ...limits } = limitsOf(context.config.maxPages)
  // A copy of a site, made for tests or as a mirror, names the sitemaps of the original. These are left out.
  const ownSitemaps = (named: readonly string[]) =>
    named.map(address => site.known(address, site.origin)).filter(address => address !== null)
  const waiting = ownSitemaps(robots.sitemaps)
  if (waiting.length === 0) waiting.push(`${site.origin}/sitemap.xml`)
  const met = new Set<string>()
  const pause = createPauses()
  const most = Math.min(maxSitemaps, maxSitemapsMs / robots.everyMs)
  while (waiting.length > 0 && met.size < most && crawl.queue.length < maxListed) {
    const [address = ''] = waiting.splice(0, 1)
    if (met.has(address)) continue
    met.add(address)
    const sitemap = await readSitemapAt(context, address, robots.everyMs)
    waiting.push(...ownSitemaps(sitemap.sitemaps))
    const wanted: Waiting[] = []
    for (const { address: page, lastChange } of sitemap.pages) {
      await pause()
      const known = site.known(page)
      if (known === null || !site.wants(known) || !meet(crawl, { maxListed, ...limits }, known)) continue
      wanted.push({ address: known, depth: 0, lastChange: lastChange?.slice(0, 50) ?? null })
    }
    const isAllowed = await robots.allow(wanted.map(({ address: page }) => page))
    const allowed = wanted.filter((_, index) => isAllowed[index])
    enqueue(crawl, allowed.slice(0, maxListed - crawl.queue.length))
  }
}

async function readSitemapAt(context: Context<unknown>, address: string, everyMs: number) {
  try {
    const headers = { ...agentHeaders, accept: 'application/xml, text/xml, */*;q=0.5' }
    const response = await context.http.send(address, { headers, everyMs, maxBytes: maxSitemapBytes })
    const { bytes } = await firstBytes(response, maxSitemapBytes)
    return await read({ kind: 'sitemap', bytes })
  } catch (error) {
    context.signal.throwIfAborted()
    // A late sitemap stops the listing, since other pages would be found without it. Only a missing sitemap is
    // skipped.
    if (error instanceof HttpFailure && ['unavailable', 'rate_limited'].includes(error.kind)) throw error
    // A site may name any address as its sitemap, and may redirect to addresses that must not be reached.
    context.log('A sitemap could not be read', { address, error: String(error) })
    return { pages: [], sitemaps: [] }
  }
}
