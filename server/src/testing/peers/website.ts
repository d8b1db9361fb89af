/** A website on loopback: pages, a sitemap and a robots.txt that a test can change, and the ways in which sites misbehave. */
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type LoopbackPeer, type PeerReply, startLoopbackPeer } from './loopback-peer.ts'

export type WebsitePeer = {
  peer: LoopbackPeer
  /** By path, with its query where there is one. */
  pages: Map<string, PeerReply>
  /** Under its path: a page in the form of a documentation site, with `content` as its main text. */
  put(path: string, content: string, more?: PutPage): void
  /** The requests that came since the last call of this: `GET /guide`. */
  asked(): string[]
}

export type PutPage = {
  title?: string
  /** Within `<head>`. */
  head?: string
  headers?: Record<string, string>
}

/** Stops with the test. */
export async function startWebsite(t: TestContext): Promise<WebsitePeer> {
  const pages = new Map<string, PeerReply>()
  const peer = await startLoopbackPeer(t, ({ path, query }) => {
    const search = query.size === 0 ? '' : `?${query}`
    return pages.get(`${path}${search}`) ?? notFound
  })
  let seen = 0
  return {
    peer,
    pages,
    put: (path, content, more = {}) => pages.set(path, page(content, { title: titleOf(path), ...more })),
    asked() {
      const fresh = peer.requests.slice(seen)
      seen = peer.requests.length
      return fresh.map(({ method, path, query }) => `${method} ${path}${query.size === 0 ? '' : `?${query}`}`)
    },
  }
}

const notFound: PeerReply = {
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Not found</title><p>There is no such page.</p>',
}

const titleOf = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? 'Home'

/** Laid out as the generators of documentation do it: banner, menu, text, table of contents, footer. */
export const page = (
  content: string,
  { title = 'Page', head = '', headers = {} }: PutPage = {},
): PeerReply => ({
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} | Example Docs</title>${head}
<script>window.menu = ["<a href='/made-by-script'>"]</script></head>
<body>
<header class="navbar"><a href="/">Example Docs</a><button>Dark mode</button></header>
<div class="cookie-banner"><p>We use cookies.</p></div>
<nav><ul><li><a href="/">Home of the menu</a></li></ul></nav>
<main><article><h1>${title}<a class="headerlink" href="#top">¶</a></h1>
${content}
</article></main>
<footer><p>© Example Company</p></footer>
</body>
</html>`,
})

export const redirect = (location: string, status = 301): PeerReply => ({ status, headers: { location } })

export const robots = (...lines: string[]): PeerReply => ({
  headers: { 'content-type': 'text/plain' },
  body: lines.join('\n'),
})

export type SitemapEntry = { loc: string; lastmod?: string }

/** https://www.sitemaps.org/protocol.html#sitemapXMLExample */
export const sitemap = (entries: readonly SitemapEntry[], { zipped = false } = {}): PeerReply =>
  xml(
    `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.map(({ loc, lastmod }) => `<url><loc>${escaped(loc)}</loc>${lastmod === undefined ? '' : `<lastmod>${lastmod}</lastmod>`}<changefreq>monthly</changefreq><priority>0.8</priority></url>`).join('\n')}
</urlset>`,
    zipped,
  )

/** https://www.sitemaps.org/protocol.html#sitemapIndexTagDefinitions */
export const sitemapIndex = (addresses: readonly string[]): PeerReply =>
  xml(`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.map(loc => `<sitemap><loc>${escaped(loc)}</loc><lastmod>2004-10-01T18:23:17+00:00</lastmod></sitemap>`).join('\n')}
</sitemapindex>`)

const xml = (body: string, zipped = false): PeerReply => ({
  headers: { 'content-type': zipped ? 'application/gzip' : 'application/xml' },
  body: zipped ? gzipSync(body) : body,
})

const escaped = (text: string): string => text.replaceAll('&', '&amp;')
