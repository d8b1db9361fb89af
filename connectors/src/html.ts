/** HTML as a tree, for the two that read it: websites become Markdown, uploaded pages become blocks of text. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'

export type Node = DefaultTreeAdapterTypes.Node
export type Element = DefaultTreeAdapterTypes.Element

export const words = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** What stands on lines of its own. */
export const blockTags = words(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul',
)

/** What no reader of the page sees as text. */
export const invisibleTags = words(
  'script style noscript template iframe object embed canvas audio video svg select textarea datalist button',
)

const voidTags = words('area base br col embed hr img input link meta param source track wbr')

export const parseHtml = (source: string): Node =>
  parse(isXhtml(source) ? withEndTags(source) : source, { scriptingEnabled: false, treeAdapter })

const pieceLength = 16_384

/**
 * Long texts are several nodes. The parser hands a text on word by word, and V8 keeps the words apart until the text is
 * copied, so a page of one long line would take many times its length.
 */
const treeAdapter: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  insertText(parent, text) {
    const last = parent.childNodes.at(-1)
    const isFull =
      last !== undefined && defaultTreeAdapter.isTextNode(last) && last.value.length > pieceLength
    if (!isFull) return defaultTreeAdapter.insertText(parent, text)
    last.value = Buffer.from(last.value, 'utf16le').toString('utf16le')
    defaultTreeAdapter.appendChild(parent, defaultTreeAdapter.createTextNode(text))
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

export const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : [])

export const attribute = (element: Element, name: string): string | null =>
  element.attrs.find(candidate => candidate.name === name)?.value ?? null

export function isHidden(element: Element): boolean {
  if (attribute(element, 'hidden') !== null) return true
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribute(element, 'style') ?? '')
}

export const textOf = (node: Node): string =>
  node.nodeName === '#text' && 'value' in node ? node.value : childrenOf(node).map(textOf).join('')

export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Every element in the page's order. */
export function* elementsOf(root: Node): Generator<Element> {
  const waiting = childrenOf(root).toReversed()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isElement(node)) continue
    yield node
    for (const child of node.childNodes.toReversed()) waiting.push(child)
  }
}

/** Visits a tree in its order without recursion: pages may nest a hundred thousand deep. `enter` says whether to go in. */
export function walk(root: Node, enter: (node: Node) => boolean, leave: (node: Node) => void): void {
  const stack: { node: Node; next: number }[] = [{ node: root, next: 0 }]
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const child = childrenOf(top.node)[top.next]
    top.next += 1
    if (child === undefined) {
      leave(top.node)
      stack.pop()
    } else if (enter(child)) {
      stack.push({ node: child, next: 0 })
    }
  }
}
