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
  words,
} from '../../html.ts'

/** Removes what stands around, and answers the element that holds the rest. */
export function mainTextOf(document: Node): Node {
  const body = [...elementsOf(document)].find(({ tagName }) => tagName === 'body') ?? document
  removeAll(body, isNeverText)
  const wholeLength = lengthOf(body)
  const main = findMain(body, wholeLength)
  const chosen = main ?? body
  const chosenLength = main === null ? wholeLength : lengthOf(main)
  removeAll(chosen, element => isAround(element, main !== null) && lengthOf(element) < chosenLength / 2)
  if (main === null) removeAll(chosen, isMenu)
  return chosen
}

/** Of running text; white space counts once. */
const lengthOf = (node: Node): number => onOneLine(textOf(node)).length

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

/** Null if no element says of itself, by its name or its role, that it holds the text. */
function findMain(body: Node, wholeLength: number): Element | null {
  const all = [...elementsOf(body)]
  const byShare = (candidates: Element[], leastShare: number): Element | null => {
    const measured = candidates.map(element => ({ element, length: lengthOf(element) }))
    const longest = measured.toSorted((a, b) => b.length - a.length)[0]
    return longest !== undefined && longest.length > wholeLength * leastShare ? longest.element : null
  }
  const isMain = (element: Element) => element.tagName === 'main' || attribute(element, 'role') === 'main'
  const articles = all.filter(({ tagName }) => tagName === 'article')
  return (
    byShare(all.filter(isMain), 0.1) ??
    // Several articles are a list of them, of which none is the page.
    (articles.length === 1 ? byShare(articles, 0.25) : null) ??
    byShare(
      all.filter(element => attribute(element, 'itemprop') === 'articleBody'),
      0.25,
    ) ??
    byShare(
      all.filter(element => namesOf(element).some(name => namesOfMain.test(name))),
      0.4,
    )
  )
}

const namesOf = (element: Element): string[] =>
  `${attribute(element, 'id') ?? ''} ${attribute(element, 'class') ?? ''}`.split(/\s+/)

const namesAround =
  /^(breadcrumbs?|cookies?|cookie-.*|consent-?.*|gdpr.*|sidebar|sidebar-.*|share|share-?(buttons|links|bar)|social|social-?(links|media|share)|newsletter(-.*)?|advert.*|ads?|promo|related(-(posts|articles|links))?|pagination|pager|prev-next|skip-?(link|nav|to-.*)|toc|table-of-contents|site-(header|footer)|page-(footer|nav)|navbar|nav|navigation|menu|edit-(link|page|this-page)|comments|popup|modal|footer|header-?anchor|screen-reader-text|sr-only|visually-hidden)$/i

/** Within the main text, what is beside it and at its top may belong to it: notes, a title, an author. */
function isAround(element: Element, isInMain: boolean): boolean {
  const { tagName } = element
  if (tagName === 'footer' || namesOf(element).some(name => namesAround.test(name))) return true
  if (isInMain) return false
  return ['aside', 'header'].includes(tagName) || rolesAround.has(attribute(element, 'role') ?? '')
}

const mayBeMenu = words('div ul ol section table')
const fewestLinks = 3

/** Nearly nothing but links. */
function isMenu(element: Element): boolean {
  if (!mayBeMenu.has(element.tagName)) return false
  const links = [...elementsOf(element)].filter(({ tagName }) => tagName === 'a')
  if (links.length < fewestLinks) return false
  const linked = links.reduce((sum, link) => sum + lengthOf(link), 0)
  return linked > lengthOf(element) * 0.8
}

function removeAll(root: Node, isUnwanted: (element: Element) => boolean): void {
  if (!('childNodes' in root)) return
  root.childNodes = root.childNodes.filter(node => !isElement(node) || !isUnwanted(node))
  for (const child of childrenOf(root)) removeAll(child, isUnwanted)
}
