/** The addresses of a sitemap or of an index of sitemaps (https://www.sitemaps.org/protocol.html), plain text too, zipped or not. */
import { gunzipSync } from 'node:zlib'
import { SaxesParser } from 'saxes'
import type { SitemapReading, SitemapTask } from './tasks.ts'

/** The protocol's own limits. */
const maxBytes = 50 * 1024 * 1024
const maxAddresses = 50_000

export function readSitemap({ bytes }: SitemapTask): SitemapReading {
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
    // Images and videos of a page have elements of their own, with a prefix before their `loc`.
    if (name === 'sitemap') found.sitemaps.push(address)
    if (name === 'url') found.pages.push({ address, lastChange: entry.lastmod?.trim() || null })
  })
  // What is broken further down takes nothing from what was read before.
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
