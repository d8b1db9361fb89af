/**
 * What a model has written, as elements. No HTML of the text becomes HTML of the page: each element is made here, by the
 * kind of a token, and links lead to https, http and mailto only.
 */
import { lexer, type Token, type Tokens } from 'marked'

/** Makes an element for the marker of a source such as `[1]`; null where there is no such source. */
export type MarkSource = (number: string) => Node | null

export function renderMarkdown(text: string, markSource: MarkSource): DocumentFragment {
  const fragment = document.createDocumentFragment()
  fragment.append(...tokensOf(text).flatMap(token => nodesOf(token, markSource, 0)))
  return fragment
}

/** Beyond it, quotes and lists stay the text that they are: nothing meant well is nested so, and a page breaks down by it. */
const maxDepth = 20

function tokensOf(text: string): Token[] {
  try {
    return lexer(text, { gfm: true, breaks: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [{ type: 'escape', raw: text, text }]
  }
}

const markers = /\[(\d{1,4}(?:\s*,\s*\d{1,4}){0,9})\]/

function nodesOf(token: Token, markSource: MarkSource, depth: number): Node[] {
  if (depth > maxDepth) return [document.createTextNode(token.raw)]
  const inside = (tokens: Token[] | undefined): Node[] =>
    (tokens ?? []).flatMap(one => nodesOf(one, markSource, depth + 1))
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'paragraph':
      return [made('p', inside(token.tokens))]
    case 'heading':
      return [made('h3', inside(token.tokens))]
    case 'blockquote':
      return [made('blockquote', inside(token.tokens))]
    case 'hr':
      return [made('hr', [])]
    case 'br':
      return [made('br', [])]
    case 'strong':
    case 'em':
    case 'del':
      return [made(token.type, inside(token.tokens))]
    case 'codespan':
      return [made('code', [token.text])]
    case 'code': {
      const block = made('pre', [made('code', [token.text])])
      // The keyboard scrolls it.
      block.tabIndex = 0
      return [block]
    }
    case 'list': {
      const list = made(
        token.ordered ? 'ol' : 'ul',
        (token as Tokens.List).items.map(item => made('li', inside(item.tokens))),
      )
      if (list instanceof HTMLOListElement && typeof token.start === 'number') list.start = token.start
      return [list]
    }
    case 'table':
      return [tableOf(token as Tokens.Table, inside)]
    case 'link':
      return [linkTo(token.href, inside(token.tokens))]
    case 'image':
      // A picture from elsewhere would tell that address who reads the answer.
      return [linkTo(token.href, [token.text === '' ? token.href : token.text])]
    case 'text':
      return token.tokens === undefined ? sourcesIn(token.text, markSource) : inside(token.tokens)
    case 'escape':
      return [document.createTextNode(token.text)]
    default:
      return [document.createTextNode(token.raw)]
  }
}

function tableOf({ header, rows }: Tokens.Table, inside: (tokens: Token[]) => Node[]): HTMLElement {
  const row = (cells: Tokens.TableCell[], name: string) =>
    made(
      'tr',
      cells.map(({ tokens }) => made(name, inside(tokens))),
    )
  const table = made('table', [
    made('thead', [row(header, 'th')]),
    made(
      'tbody',
      rows.map(cells => row(cells, 'td')),
    ),
  ])
  const box = made('div', [table])
  box.className = 'table'
  box.tabIndex = 0
  return box
}

function linkTo(href: string, children: (Node | string)[]): Node {
  if (!URL.canParse(href) || !/^(https?|mailto):$/.test(new URL(href).protocol)) return made('span', children)
  const link = document.createElement('a')
  link.href = href
  link.target = '_blank'
  link.rel = 'noreferrer noopener'
  link.append(...children)
  return link
}

/** A text with its markers of sources as elements: `[1, 2]` is two. */
function sourcesIn(text: string, markSource: MarkSource): Node[] {
  return text.split(new RegExp(markers, 'g')).flatMap((part, index) => {
    if (index % 2 === 0) return part === '' ? [] : [document.createTextNode(part)]
    return (part.match(/\d+/g) ?? []).map(
      number => markSource(number) ?? document.createTextNode(`[${number}]`),
    )
  })
}

function made(name: string, children: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(name)
  if (/^(p|h3|li|blockquote|td|th)$/.test(name)) element.dir = 'auto'
  element.append(...children)
  return element
}
