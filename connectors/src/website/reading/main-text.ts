/** Finds the main text of a page among what surrounds it on every page: menus, banners, notes on cookies. */
import {
  attribute,
  childrenOf,
  type Element,
  elementsOf,
  isElement,
  isInvisible,
  type Node,
  onOneLine,
  textOf,
  walk,
  words,
} from '../../html.ts'

/** Removes what surrounds the main text, and returns the element that holds the rest. */
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

/** The length of an element's running text, the number of its links, and the length of their texts. */
type Measure = { length: number; links: number; linkedLength: number }
type MeasureOf = (node: Node) => Measure

/**
 * Measures all elements in one walk. Pages nest thousands of elements, and reading each one separately takes the
 * square of that. Measures are kept only for the root and the elements asked for. Half a million measures would take
 * most of the memory that a page may use.
 */
function measureWithin(root: Node, isAskedFor: (element: Element) => boolean): MeasureOf {
  const measures = new Map<Node, Measure>()
  const open: Measure[] = []
  const sum: Measure = { length: 0, links: 0, linkedLength: 0 }
  // White space before an element's text begins is outside of the element.
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
  // A run of white space counts as one character, and only between texts.
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
  if (isInvisible(element) || notMain.has(element.tagName)) return true
  if (attribute(element, 'aria-hidden') === 'true') return true
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

/** Null if no element states by its name or its role that it holds the text. */
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
    // Several articles are a list of articles, and none of them is the page.
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

/** Within the main text, an aside or a header may belong to the text: notes, a title, an author. */
function isAround(element: Element, isInMain: boolean): boolean {
  const { tagName } = element
  if (tagName === 'footer' || namesOf(element).some(name => namesAround.test(name))) return true
  if (isInMain) return false
  return ['aside', 'header'].includes(tagName) || rolesAround.has(attribute(element, 'role') ?? '')
}

const tagsOfMenus = words('div ul ol section table')
const mayBeMenu = ({ tagName }: Element): boolean => tagsOfMenus.has(tagName)
const fewestLinks = 3

/** Whether the element is nearly nothing but links. */
const isMenu = ({ length, links, linkedLength }: Measure): boolean =>
  links >= fewestLinks && linkedLength > length * 0.8

function removeAll(root: Node, isUnwanted: (element: Element) => boolean): void {
  if (!('childNodes' in root)) return
  root.childNodes = root.childNodes.filter(node => !isElement(node) || !isUnwanted(node))
  for (const child of childrenOf(root)) removeAll(child, isUnwanted)
}
