/** MathML as a line of text: `a^2`, `x_1`, `(a + b)/c`, `sqrt(x)`. Source of the elements: MathML Core. */
import {
  attribute,
  childrenOf,
  type Element,
  elementsOf,
  isElement,
  type Node,
  textOf,
} from '@atrium/connectors/html'
import { onOneLine } from './text-writer.ts'

export const mathText = (math: Element): string => onOneLine(rowOf(math))

/** Whether the line of text lacks a part of the formula's arrangement. */
export const isFlattened = (math: Element): boolean =>
  [...elementsOf(math)].some(({ tagName }) => arranged.has(tagName))

const arranged = new Set(['mmultiscripts', 'menclose', 'mstack', 'mlongdiv'])

const partsOf = (element: Element): Element[] => childrenOf(element).filter(isElement)
const rowOf = (element: Element): string =>
  sideBySide(
    childrenOf(element).map(node => ({
      text: textOfNode(node),
      isBuilt: isElement(node) && built.has(node.tagName),
    })),
  )

const built = new Set(['msup', 'msub', 'msubsup', 'mfrac'])

/** A letter behind a raised, lowered or divided one would be taken for a part of it. */
export function sideBySide(parts: readonly { text: string; isBuilt: boolean }[]): string {
  let row = ''
  let isBuilt = false
  for (const part of parts) {
    if (part.text === '') continue
    if (isBuilt && /^[\p{L}\p{N}]/u.test(part.text) && /[\p{L}\p{N}]$/u.test(row.slice(-2))) row += ' '
    row += part.text
    isBuilt = part.isBuilt
  }
  return row
}

function textOfNode(node: Node): string {
  if (!isElement(node)) return onOneLine(textOf(node))
  const parts = partsOf(node)
  const part = (index: number): string => {
    const found = parts[index]
    return found === undefined ? '' : textOfNode(found)
  }
  switch (node.tagName) {
    case 'mo':
      return operatorOf(onOneLine(textOf(node)))
    case 'mtext':
      return ` ${onOneLine(textOf(node))} `
    case 'mspace':
      return ' '
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
    case 'none':
      return ''
    case 'msup':
      return `${grouped(part(0))}^${grouped(part(1))}`
    case 'msub':
      return `${grouped(part(0))}_${grouped(part(1))}`
    case 'msubsup':
      return `${grouped(part(0))}_${grouped(part(1))}^${grouped(part(2))}`
    case 'munder':
      return `${part(0)}_${grouped(part(1))} `
    case 'mover':
      return `${part(0)}^${grouped(part(1))} `
    case 'munderover':
      return `${part(0)}_${grouped(part(1))}^${grouped(part(2))} `
    case 'mfrac':
      return `${grouped(part(0))}/${grouped(part(1))}`
    case 'msqrt':
      return `sqrt(${rowOf(node)})`
    case 'mroot':
      return `root(${part(0)}, ${part(1)})`
    case 'mfenced':
      return `${attribute(node, 'open') ?? '('}${parts.map(textOfNode).join(', ')}${attribute(node, 'close') ?? ')'}`
    case 'mtr':
    case 'mlabeledtr':
      return `${parts.map(textOfNode).join(', ')}; `
    default:
      return rowOf(node)
  }
}

/** Signs between two values have blanks around them; brackets and signs that bind closely have none. */
const operatorOf = (sign: string): string => (/^[=+\-−±×÷<>≤≥≠≈→∈∪∩·*]$/.test(sign) ? ` ${sign} ` : sign)

/** A value of several parts is in brackets. */
export function grouped(text: string): string {
  const inner = onOneLine(text)
  return /^([\p{L}\p{N}.]+|.)$/u.test(inner) || isInBrackets(inner) ? inner : `(${inner})`
}

/** Whether the first bracket is closed by the last sign. */
function isInBrackets(text: string): boolean {
  if (!text.startsWith('(')) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
    if (depth === 0) return at === text.length - 1
  }
  return false
}
