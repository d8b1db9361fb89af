/**
 * Formulas of Office documents (OMML, ISO 29500-1) as a line of text, in the form that MathML gets: `a^2`,
 * `(a+b)/(2c)`, `sqrt(x)`, `root(x, 3)`, `∑_(i=1)^n x`.
 */
import { grouped, sideBySide } from '../math.ts'
import type { Warn } from '../warnings.ts'
import type { Attributes } from './xml.ts'

type Node = { name: string; value: string | undefined; parts: (Node | string)[] }

/** Elements whose arrangement a line of text does not show. */
const arranged = new Set(['m:groupChr', 'm:borderBox'])

/** Ends of paragraphs and words of the text between two formulas. */
const between = new Set('w:t w:p w:tab w:br a:t a:p a:br'.split(' '))

/** Hears the tags of a part, takes the text of its formulas, and writes each formula once it ends. */
export function createMath(write: (text: string) => void, warn: Warn, page?: number) {
  const open: Node[] = []
  let isFlattened = false
  let isBehindFormula = false
  return {
    open(name: string, { 'm:val': value }: Attributes): void {
      if (between.has(name)) isBehindFormula = false
      if (!name.startsWith('m:') || (open.length === 0 && name !== 'm:oMath')) return
      const node: Node = { name, value, parts: [] }
      open.at(-1)?.parts.push(node)
      open.push(node)
      isFlattened ||= arranged.has(name)
    },
    /** False outside of a formula. */
    take(text: string): boolean {
      open.at(-1)?.parts.push(text)
      return open.length > 0
    },
    close(name: string): void {
      const node = open.at(-1)
      if (node?.name !== name) return
      open.pop()
      if (open.length > 0) return
      write((isBehindFormula ? ' ' : '') + textOf(node))
      isBehindFormula = true
      if (isFlattened) warn('formula_flattened', { page })
      isFlattened = false
    },
  }
}

const rowOf = ({ parts }: Node): string =>
  sideBySide(
    parts.map(part => ({ text: textOf(part), isBuilt: typeof part !== 'string' && built.has(part.name) })),
  )

const built = new Set(['m:sSup', 'm:sSub', 'm:sSubSup', 'm:f'])

/** The text of a child; empty if there is none. */
const partOf = (node: Node, name: string): string => {
  const found = childOf(node, name)
  return found === undefined ? '' : rowOf(found)
}

const childOf = (node: Node, name: string): Node | undefined => childrenOf(node, name)[0]

const childrenOf = (node: Node, name: string): Node[] =>
  node.parts.filter((part): part is Node => typeof part !== 'string' && part.name === name)

const textsOf = (node: Node, name: string): string[] => childrenOf(node, name).map(rowOf)

/** A property of an element, such as the sign of its brackets. */
const propertyOf = (node: Node, name: string): string | undefined => {
  const properties = childOf(node, `${node.name}Pr`)
  const found = properties === undefined ? undefined : childOf(properties, name)
  return found === undefined ? undefined : (found.value ?? '')
}

const raised = (text: string): string => (text === '' ? '' : `^${grouped(text)}`)
const lowered = (text: string): string => (text === '' ? '' : `_${grouped(text)}`)

function textOf(node: Node | string): string {
  if (typeof node === 'string') return node
  const base = (): string => partOf(node, 'm:e')
  switch (node.name) {
    case 'm:sSup':
    case 'm:sSub':
    case 'm:sSubSup':
      return grouped(base()) + lowered(partOf(node, 'm:sub')) + raised(partOf(node, 'm:sup'))
    case 'm:sPre':
      return lowered(partOf(node, 'm:sub')) + raised(partOf(node, 'm:sup')) + base()
    case 'm:limLow':
      return base() + lowered(partOf(node, 'm:lim'))
    case 'm:limUpp':
      return base() + raised(partOf(node, 'm:lim'))
    case 'm:nary': {
      const sign = propertyOf(node, 'm:chr') ?? '∫'
      return `${sign}${lowered(partOf(node, 'm:sub'))}${raised(partOf(node, 'm:sup'))} ${base()}`
    }
    case 'm:func':
      return `${partOf(node, 'm:fName')} ${base()}`
    case 'm:f': {
      const [above, below] = [partOf(node, 'm:num'), partOf(node, 'm:den')]
      const isBinomial = propertyOf(node, 'm:type') === 'noBar'
      return isBinomial ? `binom(${above}, ${below})` : `${grouped(above)}/${bracketed(below)}`
    }
    case 'm:rad': {
      const degree = partOf(node, 'm:deg')
      return degree === '' ? `sqrt(${base()})` : `root(${base()}, ${degree})`
    }
    case 'm:d': {
      const [begin = '(', end = ')'] = [propertyOf(node, 'm:begChr'), propertyOf(node, 'm:endChr')]
      return begin + textsOf(node, 'm:e').join(propertyOf(node, 'm:sepChr') ?? '|') + end
    }
    case 'm:mr':
      return textsOf(node, 'm:e').join(', ')
    case 'm:m':
      return childrenOf(node, 'm:mr').map(textOf).join('; ')
    case 'm:eqArr':
      return textsOf(node, 'm:e').join('; ')
    case 'm:acc':
      return base() + (propertyOf(node, 'm:chr') ?? '\u0302')
    case 'm:bar':
      return base() + (propertyOf(node, 'm:pos') === 'top' ? '\u0305' : '\u0332')
    default:
      return rowOf(node)
  }
}

/** Below a line, `2a` is one value. */
const bracketed = (text: string): string => (/^(\p{L}|[\p{N}.]+)$/u.test(text) ? text : `(${text})`)
