/** Finds what a page is about among what stands around it on every page: menus, banners, notes on cookies. */
import {
  attribute,
  childrenOf,
  type Element,
  elementsOf,
  invisibleTags,
  isElement,
  isHidden,
  type Node,
  onOneLine,
  textOf,
  walk,
  words,
} from '../../html.ts'

/** Removes what stands around, and answers the element that holds the rest. */
export function mainTextOf(document: Node): Node {
  const body = [...elementsOf(document)].find(({ tagName }) => tagName === 'body') ?? document
  removeAll(body, isNeverText)
  const measureOf = measureWithin(body, element => mayBeMain(element) || isAround(element, false))
  const main = findMain(body, measureOf)
  const chosen = main ?? body
  const { length } = measureOf(chosen)
  removeAll(chosen, element => isAround(element, main !== null) && measureOf(element).length < length / 2)
  if (main === null) {
    const remainderOf = measureWithin(chosen, mayBeMenu)
    removeAll(chosen, element => mayBeMenu(element) && isMenu(remainderOf(element)))
  }
  return chosen
}

/** How long an element's running text is, how many links are in it, and how long their texts are. */
type Measure = { length: number; links: number; linkedLength: number }
type MeasureOf = (node: Node) => Measure

/**
 * All elements in one walk: pages nest thousands, and to read each by itself takes the square of that. Measures are kept of
 * the root and of those that are asked for: half a million of them would take most of the memory that a page may take.
 */
function measureWithin(root: Node, isAskedFor: (element: Element) => boolean): MeasureOf {
  const measures = new Map<Node, Measure>()
  const open: Measure[] = []
  const sum: Measure = { length: 0, links: 0, linkedLength: 0 }
  // Until an element's text begins, white space is outside of it.
  let beforeText: Measure[] = []
  let isAfterSpace = false
  const enter = (node: Node): boolean => {
    if (node.nodeName === '#text' && 'value' in node) addText(node.value)
    if (!('childNodes' in node)) return false
    const measure = { ...sum }
    open.push(measure)
    beforeText.push(measure)
    return true
  }
  // White space counts once, and only between texts.
  const addText = (raw: string): void => {
    const text = onOneLine(raw)
    if (text !== '') {
      if (isAfterSpace || isSpace(raw[0])) sum.length += 1
      for (const measure of beforeText) measure.length = sum.length
      beforeText = []
      sum.length += text.length
    }
    isAfterSpace = isSpace(raw.at(-1))
  }
  const leave = (node: Node): void => {
    const measure = open.pop()
    if (measure === undefined) return
    if (node === root || (isElement(node) && isAskedFor(node))) measures.set(node, measure)
    if (beforeText.at(-1) === measure) beforeText.pop()
    measure.length = sum.length - measure.length
    measure.links = sum.links - measure.links
    measure.linkedLength = sum.linkedLength - measure.linkedLength
    if (node.nodeName !== 'a') return
    sum.links += 1
    sum.linkedLength += measure.length
  }
  enter(root)
  walk(root, enter, leave)
  return node => measures.get(node) ?? { length: 0, links: 0, linkedLength: 0 }
}

const isSpace = (character: string | undefined): boolean => character?.trim() === ''

const notMain = words('input dialog nav')
const rolesAround = words(
  'navigation contentinfo search dialog alertdialog menu menubar toolbar tablist tooltip banner complementary',
)

function isNeverText(element: Element): boolean {
  if (invisibleTags.has(element.tagName) || notMain.has(element.tagName)) return true
  if (isHidden(element) || attribute(element, 'aria-hidden') === 'true') return true
  return (
    ['navigation', 'search', 'menu'].includes(attribute(element, 'role') ?? '') || isMarkOfHeading(element)
  )
}

/** The sign beside a heading that links to the heading itself. */
const isMarkOfHeading = (element: Element): boolean =>
  element.tagName === 'a' &&
  (attribute(element, 'href') ?? '').startsWith('#') &&
  /^[#¶§🔗​]?$/u.test(onOneLine(textOf(element)))

const namesOfMain =
  /^(main|main-?content|page-?content|post-?content|entry-?content|article-?(content|body)|markdown-?body|content|document)$/i

const isMain = (element: Element) => element.tagName === 'main' || attribute(element, 'role') === 'main'
const isArticle = ({ tagName }: Element) => tagName === 'article'
const isArticleBody = (element: Element) => attribute(element, 'itemprop') === 'articleBody'
const isNamedMain = (element: Element) => namesOf(element).some(name => namesOfMain.test(name))

const mayBeMain = (element: Element): boolean =>
  isMain(element) || isArticle(element) || isArticleBody(element) || isNamedMain(element)

/** Null if no element says of itself, by its name or its role, that it holds the text. */
function findMain(body: Node, measureOf: MeasureOf): Element | null {
  const all = [...elementsOf(body)]
  const byShare = (candidates: Element[], leastShare: number): Element | null => {
    const lengthOf = (node: Node) => measureOf(node).length
    const longest = candidates.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]
    return longest !== undefined && lengthOf(longest) > lengthOf(body) * leastShare ? longest : null
  }
  const articles = all.filter(isArticle)
  return (
    byShare(all.filter(isMain), 0.1) ??
    // Several articles are a list of them, of which none is the page.
    (articles.length === 1 ? byShare(articles, 0.25) : null) ??
    byShare(all.filter(isArticleBody), 0.25) ??
    byShare(all.filter(isNamedMain), 0.4)
  )
}

const namesOf = (element: Element): string[] =>
  element.attrs.length === 0
    ? []
    : `${attribute(element, 'id') ?? ''} ${attribute(element, 'class') ?? ''}`.split(/\s+/)

const namesAround =
  /^(breadcrumbs?|cookies?|cookie-.*|consent-?.*|gdpr.*|sidebar|sidebar-.*|share|share-?(buttons|links|bar)|social|social-?(links|media|share)|newsletter(-.*)?|advert.*|ads?|promo|related(-(posts|articles|links))?|pagination|pager|prev-next|skip-?(link|nav|to-.*)|toc|table-of-contents|site-(header|footer)|page-(footer|nav)|navbar|nav|navigation|menu|edit-(link|page|this-page)|comments|popup|modal|footer|header-?anchor|screen-reader-text|sr-only|visually-hidden)$/i

/** Within the main text, what is beside it and at its top may belong to it: notes, a title, an author. */
function isAround(element: Element, isInMain: boolean): boolean {
  const { tagName } = element
  if (tagName === 'footer' || namesOf(element).some(name => namesAround.test(name))) return true
  if (isInMain) return false
  return ['aside', 'header'].includes(tagName) || rolesAround.has(attribute(element, 'role') ?? '')
}

const tagsOfMenus = words('div ul ol section table')
const mayBeMenu = ({ tagName }: Element): boolean => tagsOfMenus.has(tagName)
const fewestLinks = 3

/** Nearly nothing but links. */
const isMenu = ({ length, links, linkedLength }: Measure): boolean =>
  links >= fewestLinks && linkedLength > length * 0.8

function removeAll(root: Node, isUnwanted: (element: Element) => boolean): void {
  if (!('childNodes' in root)) return
  root.childNodes = root.childNodes.filter(node => !isElement(node) || !isUnwanted(node))
  for (const child of childrenOf(root)) removeAll(child, isUnwanted)
}
