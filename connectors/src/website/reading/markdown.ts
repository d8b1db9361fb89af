/** A page's elements as Markdown: headings, paragraphs, lists, tables, code and quotes; of links and emphasis, the words. */
import {
  attribute,
  blockTags,
  childrenOf,
  type Element,
  elementsOf,
  isElement,
  type Node,
  onOneLine,
  textOf,
  words,
} from '../../html.ts'

export const markdownOf = (root: Node): string =>
  blocksOf(root, findBlockHolders(root))
    .filter(block => block.trim() !== '')
    .join('\n\n')

/** Whether a node is a block, or holds one somewhere. */
type HoldsBlock = (node: Node) => node is Element

function findBlockHolders(root: Node): HoldsBlock {
  // Most blocks are so by their names, and a page may have a million of them.
  const others = new Set<Node>()
  const look = (node: Node): boolean => {
    let holds = false
    for (const child of childrenOf(node)) if (look(child)) holds = true
    if (isElement(node) && blockTags.has(node.tagName)) return true
    if (holds) others.add(node)
    return holds
  }
  look(root)
  return (node): node is Element => isElement(node) && (blockTags.has(node.tagName) || others.has(node))
}

/** Adds the blocks within a node; running text between them is a paragraph. */
function blocksOf(node: Node, holdsBlock: HoldsBlock, blocks: string[] = []): string[] {
  let running = ''
  const endParagraph = () => {
    const paragraph = paragraphOf(running)
    if (paragraph !== '') blocks.push(paragraph)
    running = ''
  }
  for (const child of childrenOf(node)) {
    if (!holdsBlock(child)) running += inlineOf(child)
    else {
      endParagraph()
      addBlock(child, holdsBlock, blocks)
    }
  }
  endParagraph()
  return blocks
}

function addBlock(element: Element, holdsBlock: HoldsBlock, blocks: string[]): void {
  const { tagName } = element
  switch (tagName) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6': {
      const heading = onOneLine(inlineOf(element))
      if (heading !== '') blocks.push(`${'#'.repeat(Number(tagName[1]))} ${heading}`)
      break
    }
    case 'pre':
      blocks.push(codeOf(element))
      break
    case 'ul':
    case 'ol':
      blocks.push(listOf(element, holdsBlock))
      break
    case 'table':
      if (isLayout(element)) blocksOf(element, holdsBlock, blocks)
      else for (const block of tableOf(element)) blocks.push(block)
      break
    case 'blockquote': {
      const quoted = blocksOf(element, holdsBlock).join('\n\n')
      if (quoted !== '') blocks.push(prefixed(quoted, '> ', '> '))
      break
    }
    case 'hr':
      break
    default:
      blocksOf(element, holdsBlock, blocks)
  }
}

function inlineOf(node: Node): string {
  if (!isElement(node)) {
    return node.nodeName === '#text' ? escaped(textOf(node).replace(/\s+/g, ' ')) : ''
  }
  if (node.tagName === 'br') return '\n'
  if (node.tagName === 'img') return escaped(onOneLine(attribute(node, 'alt') ?? ''))
  if (node.tagName === 'code' || node.tagName === 'kbd' || node.tagName === 'samp')
    return codeSpan(textOf(node))
  return childrenOf(node).map(inlineOf).join('')
}

/** Lines of running text; none of them begins in a way that would make it something else. */
const paragraphOf = (running: string): string =>
  running
    .split('\n')
    .map(line =>
      onOneLine(line)
        .replace(/^[#>+=-]/, '\\$&')
        .replace(/^(\d{1,9})([.)])(?=\s)/, '$1\\$2'),
    )
    .filter(line => line !== '')
    .join('\n')

/** Marks that Markdown would take for its own. */
const escaped = (text: string): string =>
  text
    .replace(/[\\`*[\]<]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~~/g, '\\~~')
    .replace(/&(?=#?\w{1,32};)/g, '\\&')

function codeSpan(text: string): string {
  const code = onOneLine(text)
  if (code === '') return ''
  const longest = longestTicks(code)
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${code}\`` : `${fence} ${code} ${fence}`
}

function codeOf(element: Element): string {
  const code = textWithBreaks(element).replace(/^\n/, '').trimEnd()
  const fence = '`'.repeat(Math.max(2, longestTicks(code)) + 1)
  return `${fence}${languageOf(element)}\n${code}\n${fence}`
}

const longestTicks = (code: string): number => mostOf(code.matchAll(/`+/g), ([ticks]) => ticks.length)

/** Without the call of as many arguments that `Math.max` would be: a page of 5 MB has 300,000 rows. */
function mostOf<T>(all: Iterable<T>, countOf: (one: T) => number): number {
  let most = 0
  for (const one of all) most = Math.max(most, countOf(one))
  return most
}

const textWithBreaks = (node: Node): string => {
  if (isElement(node) && node.tagName === 'br') return '\n'
  return isElement(node) ? childrenOf(node).map(textWithBreaks).join('') : textOf(node)
}

function languageOf(pre: Element): string {
  for (const element of [pre, ...elementsOf(pre)]) {
    const [, language] = /\blang(?:uage)?-([\w+#-]{1,30})/.exec(attribute(element, 'class') ?? '') ?? []
    if (language !== undefined) return language
  }
  return ''
}

function listOf(list: Element, holdsBlock: HoldsBlock): string {
  const isOrdered = list.tagName === 'ol'
  let number = Number.parseInt(attribute(list, 'start') ?? '1', 10) || 1
  const items: string[] = []
  for (const child of childrenOf(list)) {
    const blocks = holdsBlock(child) ? blocksOf(child, holdsBlock) : [paragraphOf(inlineOf(child))]
    const text = blocks.filter(block => block !== '').join('\n\n')
    if (text === '') continue
    const mark = isOrdered ? `${number++}. ` : '- '
    items.push(prefixed(text, mark, ' '.repeat(mark.length)))
  }
  return items.join('\n')
}

const prefixed = (text: string, first: string, further: string): string =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? further.trimEnd() : further + line))
    .join('\n')

const maxColumns = 100

/** A table that holds another one, or blocks of code and headings, is there for the page's layout. */
function isLayout(table: Element): boolean {
  if (attribute(table, 'role') === 'presentation') return true
  // No further than the first of them: pages nest tables by the thousand.
  for (const { tagName } of elementsOf(table)) if (layoutSigns.has(tagName)) return true
  return false
}

const layoutSigns = words('table pre h1 h2 h3')

function tableOf(table: Element): string[] {
  const inside = [...elementsOf(table)]
  const captions = inside
    .filter(({ tagName }) => tagName === 'caption')
    .map(caption => paragraphOf(inlineOf(caption)))
  const rows = inside
    .filter(({ tagName }) => tagName === 'tr')
    .map(cellsOf)
    .filter(cells => cells.some(cell => cell !== ''))
  const columns = Math.min(
    maxColumns,
    mostOf(rows, cells => cells.length),
  )
  if (columns < 2) return [...captions, ...rows.map(cells => cells.join(' '))]
  const lines = rows.map(
    cells => `| ${Array.from({ length: columns }, (_, index) => cells[index] ?? '').join(' | ')} |`,
  )
  lines.splice(1, 0, `|${' --- |'.repeat(columns)}`)
  return [...captions, lines.join('\n')]
}

const cellsOf = (row: Element): string[] =>
  childrenOf(row)
    .filter(isElement)
    .filter(({ tagName }) => tagName === 'td' || tagName === 'th')
    .flatMap(cell => {
      const span = Math.min(maxColumns, Number(attribute(cell, 'colspan') ?? 1) || 1)
      const text = onOneLine(textOfCell(cell)).replaceAll('|', '\\|')
      return [text, ...Array.from({ length: span - 1 }, () => '')]
    })

/** Blocks in a cell stand on one line. */
const textOfCell = (cell: Node): string =>
  childrenOf(cell)
    .map(child =>
      isElement(child) && blockTags.has(child.tagName) ? ` ${textOfCell(child)} ` : inlineOf(child),
    )
    .join('')
