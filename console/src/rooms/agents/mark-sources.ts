/** Finds the markers of sources in an answer, such as [1] or [1, 2], and makes elements of them. */

/** What is needed of a node of the tree that Markdown becomes. */
type Node = {
  type: string
  value?: string
  tagName?: string
  properties?: Record<string, never>
  children?: Node[]
}

/** As the server finds them: server/src/features/agents/records/citations.ts. */
const pattern = /(\[\d{1,4}(?:\s*,\s*\d{1,4}){0,9}\])/

/** For `rehypePlugins`. Code stays as it is. */
export const markSources = () => (tree: unknown) => mark(tree as Node)

function mark(node: Node): void {
  if (node.children === undefined || node.tagName === 'code' || node.tagName === 'a') return
  node.children = node.children.flatMap(child => {
    mark(child)
    return child.type === 'text' ? split(child.value ?? '') : [child]
  })
}

const split = (text: string): Node[] =>
  text
    .split(pattern)
    .filter(part => part !== '')
    .map(value => {
      const child: Node = { type: 'text', value }
      return pattern.test(value)
        ? { type: 'element', tagName: 'mark', properties: {}, children: [child] }
        : child
    })

/** `[1, 2]` is 1 and 2. */
export const numbersOf = (marker: string): string[] => marker.match(/\d+/g) ?? []
