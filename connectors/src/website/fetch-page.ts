/** The content of one page, as it is now. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Content, Context, ItemMetadata } from '../connector.ts'
import { fileTimeoutMs, HttpFailure } from '../http.ts'
import { fileNameOf, isDocument, looksLikeFile } from './files.ts'
import { firstBytes } from './first-bytes.ts'
import type { PageReading } from './reading/tasks.ts'
import { readRobots } from './robots.ts'
import type { WebsiteConfig } from './settings.ts'
import { createSite } from './site.ts'
import { maxFileBytes, type Visit, visit } from './visit.ts'

type PageToFetch = {
  address: string
  everyMs: number
  lastChange: string | null
}

/** Null if there is nothing at the address that may be kept. */
export async function fetchPage(
  context: Context<WebsiteConfig>,
  wanted: PageToFetch,
): Promise<Content | null> {
  const arrived = await arriveAt(context, wanted)
  if (arrived === null) return null
  const { visited, address } = arrived
  const updatedAt = instantOf(wanted.lastChange) ?? visited.lastModified ?? undefined
  if (visited.kind === 'page') {
    const { reading } = visited
    return reading.isIndexable && reading.text !== '' ? contentOf(address, reading, updatedAt) : null
  }
  if (!context.config.documents || !isDocument(visited.mediaType)) {
    await visited.response.body?.cancel()
    return null
  }
  const { bytes, isWhole } = await firstBytes(visited.response, maxFileBytes)
  if (!isWhole) throw new HttpFailure('unexpected_reply', `${address} is larger than ${maxFileBytes} bytes`)
  return {
    body: bytes,
    fileName: fileNameOf(address, visited.mediaType),
    mediaType: visited.mediaType,
    metadata: withoutUndefined({ url: address, readers: ['everyone'], updatedAt }),
  }
}

function contentOf(address: string, reading: PageReading, updatedAt: string | undefined): Content {
  const { title, text, author, publishedAt, modifiedAt } = reading
  const changedAt = modifiedAt ?? updatedAt
  const metadata: ItemMetadata = withoutUndefined({
    url: address,
    readers: ['everyone'],
    author: author ?? undefined,
    createdAt: publishedAt ?? undefined,
    updatedAt: changedAt,
  })
  const named = title === '' ? {} : { title }
  return { body: text, fileName: fileNameOf(address, null), mediaType: 'text/markdown', ...named, metadata }
}

const instantOf = (text: string | null): string | null =>
  text === null || Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString()

const maxMoves = 5

type Arrived = { address: string; visited: Extract<Visit, { kind: 'page' | 'file' }> }

/** Follows redirects as far as the site and its robots.txt allow. Null if they lead elsewhere, or to nothing. */
export async function arriveAt(
  context: Context<WebsiteConfig>,
  { address: start, everyMs }: { address: string; everyMs: number },
): Promise<Arrived | null> {
  const site = createSite(context.config, new URL(start).origin)
  let address = start
  for (let moves = 0; moves <= maxMoves; moves++) {
    // Only files get a longer time limit, since a slow page is not worth the wait.
    const visited = await visit(context, address, everyMs, looksLikeFile(address) ? fileTimeoutMs : undefined)
    if (visited.kind === 'page' || visited.kind === 'file') return { address, visited }
    if (visited.kind === 'gone') return null
    if (visited.kind === 'unread') {
      // Throws if not only the page but the whole site does not answer.
      if (visited.isSilent) await readRobots(context, site.origin)
      throw new HttpFailure('unexpected_reply', visited.why)
    }
    const target = visited.to === null ? null : site.known(visited.to, address)
    if (target === null || !site.wants(target)) return null
    const [isAllowed] = await (await readRobots(context, site.origin)).allow([target])
    if (isAllowed !== true) return null
    address = target
  }
  return null
}
