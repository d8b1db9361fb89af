/** HTML as a tree, for the two that read it: websites become Markdown, uploaded pages become blocks of text. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'

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
  'script style noscript template iframe object embed canvas audio video svg select textarea datalist button',
)

const voidTags = words('area base br col embed hr img input link meta param source track wbr')

/** The tree is at most `maxDepth` deep, so that its readers may recurse. */
export function parseHtml(source: string): Node {
  const text = isXhtml(source) ? withEndTags(source) : source
  const page = parse(text, { scriptingEnabled: false, treeAdapter })
  flatten(page)
  return page
}

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
export const isInvisible = (element: Element): boolean =>
  invisibleTags.has(element.tagName) || isHidden(element)

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

function isHidden(element: Element): boolean {
  if (attribute(element, 'hidden') !== null) return true
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribute(element, 'style') ?? '')
}

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
