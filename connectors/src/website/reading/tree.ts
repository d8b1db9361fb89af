/** Small questions to a parsed page. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

export type Node = DefaultTreeAdapterTypes.Node
export type Element = DefaultTreeAdapterTypes.Element

export const parsePage = (source: string): Node => parse(source, { scriptingEnabled: false })

export const isElement = (node: Node): node is Element => 'tagName' in node

export const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : [])

export const textOf = (node: Node): string =>
  node.nodeName === '#text' && 'value' in node ? node.value : childrenOf(node).map(textOf).join('')

/** Of running text; white space counts once. */
export const lengthOf = (node: Node): number => onOneLine(textOf(node)).length

export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

export const attribute = (element: Element, name: string): string | null =>
  element.attrs.find(candidate => candidate.name === name)?.value ?? null

/** Every element in the page's order, as far as `enter` lets it in. */
export function* elementsOf(
  root: Node,
  enter: (element: Element) => boolean = () => true,
): Generator<Element> {
  for (const child of childrenOf(root)) {
    if (!isElement(child) || !enter(child)) continue
    yield child
    yield* elementsOf(child, enter)
  }
}
