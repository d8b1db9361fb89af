/** One page of HTML: its title and main text, where it leads, and what it says to robots. */
import {
  attribute,
  declaredCharset,
  type Element,
  elementsOf,
  type Node,
  onOneLine,
  parseHtml,
  textOf,
} from '../../html.ts'
import { mainTextOf } from './main-text.ts'
import { markdownOf } from './markdown.ts'
import { agentName, type PageReading, type PageTask } from './tasks.ts'

const maxTextCharacters = 2_000_000
const maxLinks = 5_000
const maxTitleCharacters = 300

export function readPage({ bytes, contentType, url }: PageTask): PageReading {
  const document = parseHtml(decode(bytes, contentType))
  const elements = [...elementsOf(document)]
  const head = readHead(elements, url)
  const links = linksOf(elements, head.base)
  const declaredTitle = titleOf(elements)
  // `mainTextOf` removes elements, so it comes last.
  const main = mainTextOf(document)
  const text = markdownOf(main)
  const title = bestTitle(declaredTitle, headingOf(main))
  return {
    title,
    text: withTitle(title, text).slice(0, maxTextCharacters),
    links,
    author: head.author,
    publishedAt: head.publishedAt,
    modifiedAt: head.modifiedAt,
    canonical: head.canonical,
    movedTo: head.movedTo,
    isIndexable: head.isIndexable,
    areLinksFollowed: head.areLinksFollowed,
  }
}

/** Decodes by the charset of the reply, else by the charset of the page, else as UTF-8. */
function decode(bytes: Uint8Array, contentType: string): string {
  const [, declared] = /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType) ?? []
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 4_096))
  for (const label of [declared, declaredCharset(beginning)]) {
    try {
      if (label !== undefined && label !== null) return new TextDecoder(label).decode(bytes)
    } catch (error) {
      // An unknown charset is treated like a missing one.
      if (!(error instanceof RangeError)) throw error
    }
  }
  return new TextDecoder().decode(bytes)
}

function readHead(elements: readonly Element[], url: string) {
  const metas = elements.filter(({ tagName }) => tagName === 'meta')
  const meta = (...names: string[]): string | null => {
    const found = metas.find(element =>
      names.includes((attribute(element, 'name') ?? attribute(element, 'property') ?? '').toLowerCase()),
    )
    return found === undefined ? null : onOneLine(attribute(found, 'content') ?? '') || null
  }
  const rules = [meta('robots'), meta(agentName.toLowerCase())]
    .join(',')
    .toLowerCase()
    .split(/[\s,]+/)
  const base = elements.find(({ tagName }) => tagName === 'base')
  const canonical = elements.find(
    element => element.tagName === 'link' && relationsOf(element).includes('canonical'),
  )
  const href = (element: Element | undefined) => (element === undefined ? null : attribute(element, 'href'))
  return {
    base: URL.parse(href(base) ?? '', url)?.href ?? url,
    movedTo: refreshIn(metas),
    canonical: href(canonical) === null ? null : (URL.parse(href(canonical) ?? '', url)?.href ?? null),
    author: meta('author', 'article:author')?.slice(0, maxTitleCharacters) ?? null,
    publishedAt: instantOf(meta('article:published_time', 'date', 'dcterms.created')),
    modifiedAt: instantOf(meta('article:modified_time', 'last-modified', 'dcterms.modified')),
    isIndexable: !rules.includes('noindex') && !rules.includes('none'),
    areLinksFollowed: !rules.includes('nofollow') && !rules.includes('none'),
  }
}

/** The address in `<meta http-equiv="refresh" content="0; url=/new">`; null for a page that only reloads itself. */
function refreshIn(metas: readonly Element[]): string | null {
  const refresh = metas.find(element => attribute(element, 'http-equiv')?.toLowerCase() === 'refresh')
  const content = refresh === undefined ? null : attribute(refresh, 'content')
  return /^[\s\d.]{1,20}[;,]\s*url\s*=\s*["']?([^"']+)/i.exec(content ?? '')?.[1]?.trim() ?? null
}

const relationsOf = (element: Element): string[] =>
  (attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/)

function instantOf(text: string | null): string | null {
  const instant = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(instant) ? null : new Date(instant).toISOString()
}

const linkNames = new Set(['a', 'area', 'frame', 'iframe'])

function linksOf(elements: readonly Element[], base: string): string[] {
  const links = new Set<string>()
  for (const element of elements) {
    const leadsOn =
      linkNames.has(element.tagName) || (element.tagName === 'link' && relationsOf(element).includes('next'))
    if (!leadsOn || relationsOf(element).includes('nofollow') || links.size >= maxLinks) continue
    const url = URL.parse(attribute(element, 'href') ?? attribute(element, 'src') ?? '', base)
    if (url === null || !['http:', 'https:'].includes(url.protocol)) continue
    url.hash = ''
    links.add(url.href)
  }
  return [...links]
}

const titleOf = (elements: readonly Element[]): string => {
  const title = elements.find(({ tagName }) => tagName === 'title')
  return title === undefined ? '' : onOneLine(textOf(title))
}

/** The only heading of the first level. Several such headings name parts of the page, and the answer is empty. */
function headingOf(main: Node): string {
  const headings = [...elementsOf(main)].filter(({ tagName }) => tagName === 'h1')
  return headings.length === 1 ? onOneLine(headings.map(textOf).join('')) : ''
}

/** Titles tend to name the site too: `Install – Example Docs` is the page `Install`. */
const bestTitle = (declared: string, heading: string): string =>
  (heading !== '' && (declared === '' || declared.includes(heading)) ? heading : declared || heading).slice(
    0,
    maxTitleCharacters,
  )

/** Puts the title before the text, unless the text is empty or has a heading of the first level. */
const withTitle = (title: string, text: string): string =>
  text === '' || title === '' || /^# /m.test(text) ? text : `# ${title}\n\n${text}`
