/** Tries a connector once: whose credentials, what is listed, what one item holds. Nothing is stored. */
import type { Context, Listing } from '../connector.ts'
import { fetchContent } from '../syncing/fetch-content.ts'
import { listingFaults } from '../syncing/source-fault.ts'
import { type Opening, openContext } from './open-context.ts'
import { bytesOf } from './sdk-destination.ts'

/** One step of the try; `details` are lines about its result. */
export type Finding = { step: string; ok: boolean; details: string[] }

const shownItems = 5
const shownCharacters = 600

/** Yields each finding as soon as it is there. A failed finding is the last one. */
export async function* tryConnector(opening: Opening): AsyncGenerator<Finding> {
  const { connector } = opening
  const context = openContext(opening)
  const account = await attempt('check', async () => {
    const { id, name } = await connector.check(context)
    if (typeof id !== 'string' || typeof name !== 'string') {
      throw new Error('check must answer { id, name }, both texts')
    }
    return [`the account ${name} (${id})`]
  })
  yield account
  const { source } = connector
  if (!account.ok || source === undefined) return
  const pages: Listing[] = []
  for (const step of ['list, first page', 'list, second page']) {
    const page = pages[0]?.nextPage ?? null
    if (pages.length === 1 && page === null) break
    const finding = await attempt(step, async () => {
      const listing = await source.list(context, { since: null, page })
      pages.push(listing)
      return aboutListing(listing, pages)
    })
    yield finding
    if (!finding.ok) return
  }
  yield await tryFetch(opening, context, pages)
  const since = pages.at(-1)?.nextPage === null ? pages.at(-1)?.since : undefined
  if (since === undefined) return
  yield await attempt('list, what changed since', async () => {
    const listing = await source.list(context, { since, page: null })
    if (listing.startOver === true) throw new Error('list does not know the since that it has just given')
    return aboutListing(listing, [])
  })
}

/** Calls a tool once. Throws what the tool throws. */
export async function tryTool(opening: Opening, name: string, input: Record<string, unknown>) {
  const { id, tools = [] } = opening.connector
  const tool = tools.find(candidate => candidate.name === name)
  if (tool === undefined) {
    const names = tools.map(candidate => candidate.name).join(', ')
    throw new Error(`${id} has no tool ${name}; there is ${names || 'none'}`)
  }
  return await tool.run(openContext(opening), input)
}

function aboutListing(listing: Listing, pages: readonly Listing[]): string[] {
  const faults = listingFaults(listing)
  if (faults.length > 0) throw new Error(faults.join('; '))
  const ids = pages.flatMap(page => page.items.map(item => item.id))
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw new Error(`${twice} is listed twice, on one page or on two`)
  const { items, removed = [], nextPage, since } = listing
  const more = items.length > shownItems ? [`… and ${items.length - shownItems} more`] : []
  const end = since === undefined ? 'the last page; the next listing is of everything' : 'the last page'
  return [
    `${items.length} items${removed.length === 0 ? '' : `, ${removed.length} removed`}; ${nextPage === null ? end : 'more pages follow'}`,
    ...items
      .slice(0, shownItems)
      .map(({ id, version, title = '' }) => `${id}  ${version}  ${title}`.trimEnd()),
    ...more,
  ]
}

async function tryFetch({ connector: { source } }: Opening, context: Context, pages: readonly Listing[]) {
  return await attempt('fetch', async () => {
    const item = pages.flatMap(({ items }) => items)[0]
    if (item === undefined || source === undefined) return ['nothing was listed, so nothing can be fetched']
    const content = await fetchContent(source, context, item, () => false)
    if (content === null) throw new Error(`${item.id} was listed, and fetch calls it gone`)
    const { fileName, mediaType, metadata = {} } = content
    const bytes = await bytesOf(content)
    const text = isText(mediaType) ? new TextDecoder().decode(bytes).slice(0, shownCharacters) : ''
    return [
      `${item.id}: ${fileName}, ${mediaType}, ${bytes.length} bytes`,
      ...Object.entries(metadata).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
      ...text.split('\n').map(line => `| ${line}`),
    ]
  })
}

const isText = (mediaType: string): boolean => /^text\/|json|xml/.test(mediaType)

async function attempt(step: string, work: () => Promise<string[]>): Promise<Finding> {
  try {
    return { step, ok: true, details: await work() }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const body = error instanceof Error && 'body' in error && error.body !== '' ? [String(error.body)] : []
    return { step, ok: false, details: [message, ...body] }
  }
}
