/** Formulas of Office documents (OMML) as linear text: `a^(2)`, `(x)/(y)`, `∑_(i=1)^(n)`. */
import type { Warn } from '../warnings.ts'
import type { Attributes } from './xml.ts'

/** What is written where an element begins, and where it ends. */
const marks: Readonly<Record<string, readonly [string, string]>> = {
  'm:sup': ['^(', ')'],
  'm:sub': ['_(', ')'],
  'm:num': ['(', ')/'],
  'm:den': ['(', ')'],
  'm:rad': ['sqrt(', ')'],
  'm:d': ['(', ')'],
}

/** Elements whose arrangement linear text does not show. */
const arranged = new Set('m:m m:eqArr m:acc m:bar m:limLow m:limUpp m:groupChr m:sPre'.split(' '))

const integral = '∫'

/** Hears the tags of a part, and writes the signs of its formulas. */
export function createMath(write: (text: string) => void, warn: Warn, page?: number) {
  let isFlattened = false
  let operator: string | null = null
  return {
    open(name: string, attributes: Attributes): void {
      if (name === 'm:oMath') isFlattened = false
      else if (name === 'm:naryPr') operator = integral
      else if (name === 'm:chr' && operator !== null) operator = attributes['m:val'] ?? operator
      else if (arranged.has(name)) isFlattened = true
      write(marks[name]?.[0] ?? '')
    },
    close(name: string): void {
      if (name === 'm:naryPr') {
        write(operator ?? '')
        operator = null
      }
      write(marks[name]?.[1] ?? '')
      if (name === 'm:oMath' && isFlattened) warn('formula_flattened', { page })
    },
  }
}
