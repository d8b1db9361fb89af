/** The tasks of the reader of strangers' texts, and its answers. */

/** The name under which sites can speak to this program, in their robots.txt and in their pages. */
export const agentName = 'Atrium'

export type PageTask = {
  kind: 'page'
  bytes: Uint8Array<ArrayBuffer>
  /** The content type of the reply; empty if the reply had none. */
  contentType: string
  url: string
}

export type PageReading = {
  title: string
  /** The main text as Markdown; empty if there is none. */
  text: string
  author: string | null
  /** ISO 8601. */
  publishedAt: string | null
  modifiedAt: string | null
  /** Absolute. */
  canonical: string | null
  /** The address to which the page forwards its reader. */
  movedTo: string | null
  /** Absolute addresses without fragments, each once, in the page's order. */
  links: string[]
  /** What `<meta name="robots">` says of this page. */
  isIndexable: boolean
  areLinksFollowed: boolean
}

export type SitemapTask = { kind: 'sitemap'; bytes: Uint8Array<ArrayBuffer> }

export type SitemapReading = {
  pages: { address: string; lastChange: string | null }[]
  sitemaps: string[]
}

export type RobotsTask = { kind: 'robots'; url: string; text: string; addresses: string[] }

export type RobotsReading = {
  /** One value for each of the task's addresses. */
  isAllowed: boolean[]
  delaySeconds: number | null
  sitemaps: string[]
}

export type Task = PageTask | SitemapTask | RobotsTask

export type ReadingOf<T extends Task> = T extends PageTask
  ? PageReading
  : T extends SitemapTask
    ? SitemapReading
    : RobotsReading
