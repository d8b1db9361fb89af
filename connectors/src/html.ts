/** HTML as a tree, for the two that read it: websites become Markdown, uploaded pages become blocks of text. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'
import {
  createCascade,
  isForScreens,
  isGone,
  isUnseen,
  type Styles,
  seen,
  type Unseen,
  unseenBy,
} from './html-styles.ts'

export type Node = DefaultTreeAdapterTypes.Node
export type Element = DefaultTreeAdapterTypes.Element
type ChildNode = DefaultTreeAdapterTypes.ChildNode

export const words = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** What stands on lines of its own. */
export const blockTags = words(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul',
)

/** What no reader of the page sees as text. */
const invisibleTags = words(
  'script style noscript template noembed noframes iframe object embed canvas audio video svg select textarea datalist button meter progress',
)

const voidTags = words('area base br col embed hr img input link meta param source track wbr')

/** What is seen without a child. */
const leafTags = words('img input br hr')

/**
 * What the page's own styles hide is not in the tree. The tree is at most `maxDepth` deep, so that its readers may
 * recurse.
 */
export function parseHtml(source: string): Node {
  const text = isXhtml(source) ? withEndTags(source) : source
  const page = parse(text, { scriptingEnabled: false, treeAdapter })
  const length = lengthOfText(page)
  removeHidden(page)
  // A page that hides nearly all of a long text holds it for its scripts, which show it.
  if (length > longText && lengthOfText(page) < length / 50) return parseWhole(text)
  flatten(page)
  return page
}

function parseWhole(text: string): Node {
  const page = parse(text, { scriptingEnabled: false, treeAdapter })
  flatten(page)
  return page
}

const longText = 20_000

function lengthOfText(page: Node): number {
  let length = 0
  for (const node of nodesWithin(page, one => isElement(one) && isInvisible(one)))
    if (node.nodeName === '#text' && 'value' in node) length += node.value.trim().length
  return length
}

/**
 * Without recursion, like a browser: a part that is unseen may hold parts that are seen. What the page itself can unfold
 * for its readers, such as the panel of a tab, is not hidden.
 */
function removeHidden(page: Node): void {
  const stylesOf = createStylesOf(page)
  const opened = idsThatOpen(page)
  const nodes: Node[] = [page]
  const around: Unseen[] = [seen]
  const unseen: Element[] = []
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const context = around.pop() ?? seen
    if (!('childNodes' in node)) continue
    const isDropped = isUnseen(context)
    let drops = false
    const kept = (child: ChildNode): boolean => {
      if (!isElement(child)) return !isDropped || child.nodeName !== '#text'
      if (invisibleTags.has(child.tagName) || child.tagName === 'head') return true
      const styles = stylesOf(child)
      const isShown = isRoot(child) || isFolded(child, opened)
      if (!isShown && (attribute(child, 'hidden') !== null || isGone(styles, isClosed(child)))) return false
      const within = isShown ? context : unseenBy(styles, context)
      if (isUnseen(within)) {
        if (leafTags.has(child.tagName)) return false
        unseen.push(child)
      }
      if (child.childNodes.length === 0) return true
      nodes.push(child)
      around.push(within)
      return true
    }
    const children = node.childNodes.filter(child => {
      const isKept = kept(child)
      drops ||= !isKept
      return isKept
    })
    if (drops) node.childNodes = children
  }
  const emptied = new Set<Node>()
  for (const element of unseen.reverse()) {
    if (element.childNodes.some(child => emptied.has(child)))
      element.childNodes = element.childNodes.filter(child => !emptied.has(child))
    // An empty cell still keeps its column.
    if (element.childNodes.length === 0 && !/^t[dh]$/.test(element.tagName)) emptied.add(element)
  }
}

function createStylesOf(page: Node): (element: Element) => Styles {
  const sheets: string[] = []
  for (const element of elementsOf(page))
    if (element.tagName === 'style' && isForScreens(attribute(element, 'media'))) sheets.push(textOf(element))
  const cascade = createCascade(sheets)
  return element =>
    cascade({
      tag: element.tagName,
      id: attribute(element, 'id'),
      classes: attribute(element, 'class'),
      inline: attribute(element, 'style'),
    })
}

/** Attributes by which a button, a tab or a link names what it opens. */
const openers = words('aria-controls popovertarget commandfor href data-target data-bs-target')

/** The ids of what something on the page opens. */
function idsThatOpen(page: Node): Set<string> {
  const ids = new Set<string>()
  for (const { attrs } of elementsOf(page)) {
    for (const { name, value } of attrs) {
      if (name === 'onclick') for (const [, id = ''] of value.matchAll(/['"]#?([\w-]+)['"]/g)) ids.add(id)
      if (!openers.has(name)) continue
      if (value.startsWith('#')) ids.add(value.slice(1))
      else if (name !== 'href') for (const id of value.split(/\s+/)) ids.add(id)
    }
  }
  return ids
}

function isFolded(element: Element, opened: ReadonlySet<string>): boolean {
  if (element.attrs.length === 0) return false
  const id = attribute(element, 'id')
  if (id !== null && opened.has(id)) return true
  return attribute(element, 'role') === 'tabpanel' || attribute(element, 'hidden') === 'until-found'
}

/** Pages hide all of themselves until their scripts are there. */
const isRoot = ({ tagName }: Element): boolean => tagName === 'html' || tagName === 'body'

/** Closed until a script opens it, unless its styles show it. */
const isClosed = (element: Element): boolean =>
  element.tagName === 'dialog' ? attribute(element, 'open') === null : attribute(element, 'popover') !== null

/** The limit of Chromium. */
const maxDepth = 512

/** Makes one row of all that lies too deep. It leaves out invisible elements, whose text would become visible. */
function flatten(node: Node, depth = 0): void {
  if (!('childNodes' in node)) return
  if (depth < maxDepth) {
    for (const child of node.childNodes) flatten(child, depth + 1)
    return
  }
  const row = [...nodesWithin(node, one => isElement(one) && isInvisible(one))]
  for (const deep of row) {
    deep.parentNode = node
    if ('childNodes' in deep) deep.childNodes = none
  }
  node.childNodes = row
}

/** Whether no reader of the page sees the element's text. */
export const isInvisible = (element: Element): boolean => invisibleTags.has(element.tagName)

const pieceLength = 16_384
const none: never[] = []
Object.freeze(none)

/** Uses less memory than the default adapter: a page of 5 MB may have a million elements. */
const treeAdapter: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  createElement(tagName, namespaceURI, attrs) {
    const attributes = attrs.length === 0 ? none : attrs
    return { nodeName: tagName, tagName, attrs: attributes, namespaceURI, childNodes: none, parentNode: null }
  },
  adoptAttributes(recipient, attrs) {
    if (recipient.attrs === none) recipient.attrs = []
    defaultTreeAdapter.adoptAttributes(recipient, attrs)
  },
  /** Most elements have one child. V8 gives an empty array that grows room for seventeen. */
  appendChild(parent, child) {
    if (parent.childNodes.length === 0) parent.childNodes = [child]
    else parent.childNodes.push(child)
    child.parentNode = parent
  },
  /** Splits long texts: the parser adds word by word, and V8 keeps each word until the text is copied. */
  insertText(parent, text) {
    const last = parent.childNodes.at(-1)
    if (last !== undefined && defaultTreeAdapter.isTextNode(last)) {
      if (last.value.length <= pieceLength) {
        last.value += text
        return
      }
      last.value = Buffer.from(last.value, 'utf16le').toString('utf16le')
    }
    treeAdapter.appendChild(parent, defaultTreeAdapter.createTextNode(text))
  },
}

const isXhtml = (source: string): boolean => /^\s*<\?xml|^[^<]*<html[^>]*xmlns/i.test(source.slice(0, 1_000))

/** XHTML may end any element where it begins; read as HTML, `<title/>` would take in the whole page. */
const withEndTags = (source: string): string =>
  source.replace(/<([a-zA-Z][\w:-]*)(\s[^<>]*)?\/>/g, (tag, name: string, attributes = '') =>
    voidTags.has(name.toLowerCase()) ? tag : `<${name}${attributes}></${name}>`,
  )

/** The charset that a page's first bytes declare; null if they do not. */
export function declaredCharset(head: string): string | null {
  const found =
    /<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head) ??
    /^<\?xml[^>]{0,200}?encoding=["']([\w.-]+)/.exec(head)
  return found?.[1] ?? null
}

export const isElement = (node: Node): node is Element => 'tagName' in node

export const childrenOf = (node: Node): readonly ChildNode[] => ('childNodes' in node ? node.childNodes : [])

export const attribute = (element: Element, name: string): string | null =>
  element.attrs.find(candidate => candidate.name === name)?.value ?? null

export const textOf = (node: Node): string =>
  node.nodeName === '#text' && 'value' in node ? node.value : childrenOf(node).map(textOf).join('')

export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** In the page's order. */
export function* elementsOf(root: Node): Generator<Element> {
  for (const node of nodesWithin(root)) if (isElement(node)) yield node
}

/** Without recursion, for trees that `flatten` has not seen yet. */
function* nodesWithin(root: Node, isLeftOut = (_node: Node): boolean => false): Generator<ChildNode> {
  const waiting = childrenOf(root).toReversed()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isLeftOut(node)) continue
    yield node
    for (const child of childrenOf(node).toReversed()) waiting.push(child)
  }
}

/** Visits what is within a node, in the page's order. `enter` says whether to go in. */
export function walk(root: Node, enter: (node: Node) => boolean, leave: (node: Node) => void): void {
  for (const child of childrenOf(root)) if (enter(child)) walk(child, enter, leave)
  leave(root)
}
