/** The pages of a website as items: found by its sitemap or by following links, read one after another. */
import type { Context, Item, Listing, Source } from '../connector.ts'
import { HttpFailure } from '../http.ts'
import { beginCrawl } from './begin.ts'
import { type Crawl, limitsOf, readWritten, write } from './crawl.ts'
import { fetchPage } from './fetch-page.ts'
import { readRobots } from './robots.ts'
import type { WebsiteConfig } from './settings.ts'
import { createSite } from './site.ts'
import { type PageData, step } from './step.ts'

/** Longer than a polite visit of as many pages as can be wanted. */
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
  // Only `step` writes the data of an item.
  fetch: (context, item) => fetchPage(context, item.data as PageData),
}

async function resume(context: Context<WebsiteConfig>, page: string) {
  const crawl = await readWritten(page)
  const site = createSite(context.config, crawl.origin)
  const robots = await readRobots(context, crawl.origin)
  // The rules may be others by now.
  const isAllowed = await robots.allow(crawl.queue.map(({ address }) => address))
  crawl.queue = crawl.queue.filter((_, index) => isAllowed[index])
  return { crawl, site, robots }
}

async function listingOf(
  { config, log }: Context<WebsiteConfig>,
  crawl: Crawl,
  items: Item[],
): Promise<Listing> {
  const { maxTries, maxListed } = limitsOf(config.maxPages)
  if (crawl.queue.length === 0) return { items, nextPage: null }
  if (crawl.listed < maxListed && crawl.tried < maxTries) return { items, nextPage: await write(crawl) }
  log('A website has more pages than maxPages', { maxPages: config.maxPages, tried: crawl.tried })
  return { items, nextPage: null }
}
