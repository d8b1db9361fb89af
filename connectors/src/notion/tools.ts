/** What agents can do with a connection to Notion: look for pages, read them, and append to them. */
import type { ConnectorTool, Context } from '../connector.ts'
import type { Http } from '../http.ts'
import { objectSchema } from '../schemas.ts'
import { appendBlocks, findBlock, findPage, type Page, type Parent, searchPages } from './notion-api.ts'
import { titleOf } from './properties.ts'
import { idPattern, type NotionConfig, plainId } from './settings.ts'
import { isGone, pageMarkdown } from './source.ts'

/** The limit of one request: https://developers.notion.com/reference/request-limits */
const maxBlocks = 100
const maxBlockCharacters = 2_000
const maxParents = 20

const pageId = {
  type: 'string',
  maxLength: 100,
  pattern: idPattern,
  description: 'The id, as search_pages answers it.',
}

const searchTool: ConnectorTool<NotionConfig> = {
  name: 'search_pages',
  description:
    'Looks for pages and rows of databases in Notion by words in their titles. Answers ids, titles and addresses.',
  input: objectSchema(
    {
      query: { type: 'string', minLength: 1, maxLength: 500, description: 'Words of the title.' },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 20, description: 'How many, at most.' },
    },
    ['query'],
  ),
  changes: false,
  async run(context, { query, limit = 20 }) {
    const list = await searchPages(context.http, { query: String(query), pageSize: Number(limit) })
    const pages: Page[] = []
    for (const page of list.results) {
      if (page.object === 'page' && (await mayReach(context, page))) pages.push(page)
    }
    return { pages: pages.map(shown) }
  },
}

const readTool: ConnectorTool<NotionConfig> = {
  name: 'read_page',
  description: 'Reads a page or a row of a database in Notion, with its properties, as Markdown.',
  input: objectSchema({ pageId }, ['pageId']),
  changes: false,
  async run(context, { pageId: id }) {
    const page = await reachablePage(context, String(id))
    const { markdown, isCut } = await pageMarkdown(context.http, page)
    return { ...shown(page), text: markdown, isCut: isCut || undefined }
  },
}

const appendTool: ConnectorTool<NotionConfig> = {
  name: 'append_to_page',
  description: 'Writes paragraphs at the end of a page in Notion.',
  input: objectSchema(
    {
      pageId,
      text: {
        type: 'string',
        minLength: 1,
        maxLength: 20_000,
        description: 'Plain text; each line becomes a paragraph.',
      },
    },
    ['pageId', 'text'],
  ),
  changes: true,
  async run(context, { pageId: id, text }) {
    const page = await reachablePage(context, String(id))
    const children = paragraphsOf(String(text))
    if (children.length === 0) throw new Error('The text has nothing but space')
    if (children.length > maxBlocks) throw new Error(`The text has more than ${maxBlocks} paragraphs`)
    await appendBlocks(context.http, page.id, children)
    return { ...shown(page), appendedParagraphs: children.length }
  },
}

export const tools: readonly ConnectorTool<NotionConfig>[] = [searchTool, readTool, appendTool]

async function reachablePage(context: Context<NotionConfig>, id: string): Promise<Page> {
  const page = await findPage(context.http, id)
  if (page === null || isGone(page) || !(await mayReach(context, page))) {
    throw new Error('There is no such page, or this connection does not reach it')
  }
  return page
}

/** If databases were chosen, agents reach only the rows of these and the pages within the rows. */
async function mayReach({ config, http }: Context<NotionConfig>, { parent }: Page): Promise<boolean> {
  if (config.databaseIds.length === 0) return true
  const wanted = new Set(config.databaseIds.map(plainId))
  let above: Parent | null = parent
  for (let steps = 0; above !== null && steps < maxParents; steps++) {
    if (above.database_id !== undefined) return wanted.has(plainId(above.database_id))
    above = await parentOf(http, above)
  }
  return false
}

async function parentOf(http: Http, { page_id: page, block_id: block }: Parent): Promise<Parent | null> {
  if (page !== undefined) return (await findPage(http, page))?.parent ?? null
  return block === undefined ? null : ((await findBlock(http, block))?.parent ?? null)
}

const shown = (page: Page) => ({
  id: page.id,
  title: titleOf(page),
  url: page.url,
  createdAt: page.created_time,
  updatedAt: page.last_edited_time,
})

const paragraphsOf = (text: string) =>
  text
    .split('\n')
    .filter(line => line.trim() !== '')
    .flatMap(line => piecesOf(line))
    .map(content => ({
      object: 'block',
      type: 'paragraph',
      paragraph: { rich_text: [{ type: 'text', text: { content } }] },
    }))

function piecesOf(line: string): string[] {
  const characters = [...line]
  const pieces: string[] = []
  // A character outside the Basic Multilingual Plane counts as two there.
  const width = maxBlockCharacters / 2
  if (line.length <= maxBlockCharacters) return [line]
  for (let at = 0; at < characters.length; at += width) pieces.push(characters.slice(at, at + width).join(''))
  return pieces
}
