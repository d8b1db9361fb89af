/** A website on loopback under the address that a connection names, and a mirror of it. */
import type { TestContext } from 'node:test'
import { startWebsite, type WebsitePeer } from '../../../server/src/testing/peers/website.ts'
import { website } from '../website/connector.ts'
import type { WebsiteConfig } from '../website/settings.ts'
import { createMirror, type Mirror, type TestContext as Opened, openContext } from './run-source.ts'

export const siteOrigin = 'https://docs.example.com'

export type ConnectedSite = {
  site: WebsitePeer
  context: Opened<WebsiteConfig>
  mirror: Mirror
}

export type SiteTerms = Partial<WebsiteConfig> & {
  /** Further origins that are the same peer. */
  alsoAt?: readonly string[]
  now?: () => number
}

export async function connectSite(t: TestContext, terms: SiteTerms = {}): Promise<ConnectedSite> {
  const site = await startWebsite(t)
  const context = openSite(site, terms)
  return { site, context, mirror: createMirror(website, context) }
}

/** As another process would open it. */
export function openSite(
  site: WebsitePeer,
  { alsoAt = [], now, ...config }: SiteTerms = {},
): Opened<WebsiteConfig> {
  return openContext(website, {
    config: { ...defaults, ...config },
    credentials: null,
    now,
    peers: Object.fromEntries([siteOrigin, ...alsoAt].map(origin => [origin, site.peer.origin])),
  })
}

const defaults: WebsiteConfig = {
  url: `${siteOrigin}/`,
  exclude: [],
  discover: 'auto',
  documents: false,
  maxPages: 500,
  maxDepth: 10,
}
