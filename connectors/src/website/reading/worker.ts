/** The thread that reads strangers' texts. A text that hangs or takes too much memory ends only this thread. */

import { parentPort } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import robotsParser from 'robots-parser'
import { SaxesParser } from 'saxes'
import { readPage } from './read-page.ts'
import {
  agentName,
  type PageReading,
  type RobotsReading,
  type RobotsTask,
  type SitemapReading,
  type SitemapTask,
  type Task,
} from './tasks.ts'

parentPort?.on('message', (task: Task) => {
  try {
    parentPort?.postMessage({ reading: read(task) })
  } catch (error) {
    parentPort?.postMessage({ fault: error instanceof Error ? error.message : String(error) })
  }
})

function read(task: Task): PageReading | SitemapReading | RobotsReading {
  switch (task.kind) {
    case 'page':
      return readPage(task)
    case 'sitemap':
      return readSitemap(task)
    case 'robots':
      return readRobots(task)
  }
}

// What a site's robots.txt allows to this program (RFC 9309).

type Rules = ReturnType<typeof robotsParser.default>

// The package's types declare a default export, but the package exports the function itself.
const parseRobots = robotsParser as unknown as (url: string, text: string) => Rules

let last: { url: string; text: string; rules: Rules } | null = null

function readRobots({ url, text, addresses }: RobotsTask): RobotsReading {
  // One visit asks for the same rules again and again.
  if (last?.url !== url || last.text !== text) last = { url, text, rules: parseRobots(url, text) }
  const { rules } = last
  return {
    // `isAllowed` answers undefined for another host, about which these rules say nothing.
    isAllowed: addresses.map(address => rules.isAllowed(address, agentName) === true),
    delaySeconds: rules.getCrawlDelay(agentName) ?? null,
    sitemaps: rules.getSitemaps(),
  }
}

// Reads the addresses of a sitemap or of an index of sitemaps (https://www.sitemaps.org/protocol.html). Plain text
// and zipped files are read too.

/** The protocol's own limits. */
const maxBytes = 50 * 1024 * 1024
const maxAddresses = 50_000

function readSitemap({ bytes }: SitemapTask): SitemapReading {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  const plain = isZipped ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes
  const text = new TextDecoder().decode(plain)
  return text.trimStart().startsWith('<') ? readXml(text) : readLines(text)
}

function readXml(text: string): SitemapReading {
  const found: SitemapReading = { pages: [], sitemaps: [] }
  const parser = new SaxesParser()
  let open = ''
  let entry: Record<string, string> = {}
  parser.on('opentag', ({ name }) => {
    open = localName(name)
    if (open === 'url' || open === 'sitemap') entry = {}
  })
  const take = (piece: string) => {
    if (open === 'loc' || open === 'lastmod') entry[open] = (entry[open] ?? '') + piece
  }
  parser.on('text', take)
  parser.on('cdata', take)
  parser.on('closetag', ({ name }) => {
    open = ''
    const address = entry.loc?.trim() ?? ''
    if (address === '' || found.pages.length + found.sitemaps.length >= maxAddresses) return
    // Images and videos of a page have separate elements. Their `loc` has a prefix.
    if (name === 'sitemap') found.sitemaps.push(address)
    if (name === 'url') found.pages.push({ address, lastChange: entry.lastmod?.trim() || null })
  })
  // A fault further down does not discard what was read before.
  parser.on('error', () => undefined)
  parser.write(text).close()
  return found
}

const localName = (name: string): string => (name.includes(':') ? '' : name)

function readLines(text: string): SitemapReading {
  const lines = text.split(/\r?\n/, maxAddresses)
  const pages = lines.map(line => line.trim()).filter(line => /^https?:\/\//i.test(line))
  return { pages: pages.map(address => ({ address, lastChange: null })), sitemaps: [] }
}
