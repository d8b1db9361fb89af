/** The blocks of a page as Markdown: https://developers.notion.com/reference/block */
import { type Http, HttpFailure } from '../http.ts'
import {
  type Block,
  listBlocks,
  markdownOf,
  type NotionList,
  plainText,
  type RichText,
} from './notion-api.ts'

/** A request gives a hundred blocks of one level. */
const maxRequests = 200
const maxDepth = 10

/** The blocks within a page as Markdown. Subpages and databases are only named. */
export async function readBlocks(http: Http, pageId: string) {
  const budget: Budget = { requests: maxRequests, isCut: false }
  const lines = await readChildren(http, pageId, budget, 0)
  return { markdown: lines.join('\n').trim(), isCut: budget.isCut }
}

type Budget = { requests: number; isCut: boolean }

async function readChildren(http: Http, parentId: string, budget: Budget, depth: number): Promise<string[]> {
  const lines: string[] = []
  let cursor: string | null = null
  let number = 0
  do {
    if (budget.requests === 0 || depth > maxDepth) {
      budget.isCut = true
      return lines
    }
    budget.requests -= 1
    const page: NotionList<Block> | null = await listBlocks(http, parentId, cursor).catch(
      (error: unknown) => {
        if (depth === 0 || !isClosed(error)) throw error
        return null
      },
    )
    if (page === null) {
      budget.isCut = true
      return lines
    }
    for (const block of page.results) {
      number = block.type === 'numbered_list_item' ? number + 1 : 0
      const children = holdsOwn(block) ? await readChildren(http, sourceOf(block), budget, depth + 1) : []
      lines.push(...linesOf(block, children, number))
    }
    cursor = page.next_cursor
  } while (cursor !== null)
  return lines
}

/**
 * The connection may have no access to the original of a synced block. Blocks of some kinds are closed to every
 * connection.
 */
const isClosed = (error: unknown): boolean =>
  error instanceof HttpFailure && (error.kind === 'missing' || error.status === 400)

/** A child page's blocks belong to that page. */
const holdsOwn = ({ type, has_children: hasChildren }: Block): boolean =>
  hasChildren && type !== 'child_page' && type !== 'child_database'

/** The block that holds the children. A copy of a synced block takes them from its original. */
function sourceOf(block: Block): string {
  const { synced_from: original } = contentOf(block) as { synced_from?: { block_id?: string } | null }
  return original?.block_id ?? block.id
}

const contentOf = (block: Block): Record<string, unknown> =>
  (block[block.type] ?? {}) as Record<string, unknown>

function linesOf(block: Block, children: string[], number: number): string[] {
  const content = contentOf(block)
  const text = markdownOf(content.rich_text as RichText[] | undefined)
  switch (block.type) {
    case 'heading_1':
    case 'heading_2':
    case 'heading_3':
      // The page's title takes the first level of headings.
      return [`${'#'.repeat(Number(block.type.at(-1)) + 1)} ${text}`, '', ...children]
    case 'bulleted_list_item':
    case 'toggle':
      return [`- ${text}`, ...indented(children, 2)]
    case 'numbered_list_item':
      return [`${number}. ${text}`, ...indented(children, 3)]
    case 'to_do':
      return [`- [${content.checked === true ? 'x' : ' '}] ${text}`, ...indented(children, 2)]
    case 'quote':
    case 'callout':
      return [...[text, ...children].join('\n').trimEnd().replaceAll(/^/gm, '> ').split('\n'), '']
    case 'code':
      return codeOf(content)
    case 'equation':
      return [`$$${String(content.expression ?? '')}$$`, '']
    case 'divider':
      return ['---', '']
    case 'table':
      return [...children.toSpliced(1, 0, rule(children[0] ?? '')), '']
    case 'table_row':
      return [`| ${(content.cells as RichText[][]).map(cellOf).join(' | ')} |`]
    case 'child_page':
    case 'child_database':
      return [String(content.title ?? ''), '']
    default:
      return [...otherLines(content, text), ...children]
  }
}

const indented = (lines: string[], width: number): string[] =>
  lines.map(line => (line === '' ? line : `${' '.repeat(width)}${line}`))

function codeOf({ rich_text: texts, language }: Record<string, unknown>): string[] {
  const code = plainText(texts as RichText[])
  const fence = code.includes('```') ? '````' : '```'
  return [`${fence}${language === 'plain text' ? '' : String(language ?? '')}`, code, fence, '']
}

const cellOf = (texts: RichText[]): string => markdownOf(texts).replaceAll('|', '\\|').replaceAll('\n', ' ')

const rule = (row: string): string => `|${' --- |'.repeat(row.split(/(?<!\\)\|/).length - 2)}`

/**
 * Paragraphs, and other blocks with a text, a caption or an address. Addresses of Notion's own files expire after an
 * hour, so they are left out.
 */
function otherLines(content: Record<string, unknown>, text: string): string[] {
  const { caption, url, external, name } = content as {
    caption?: RichText[]
    url?: string
    external?: { url?: string }
    name?: string
  }
  const address = url ?? external?.url
  const label = markdownOf(caption) || name || ''
  const link = address?.startsWith('http') ? `[${label || address}](${address})` : label
  return [text, link].filter(line => line !== '').flatMap(line => [line, ''])
}
