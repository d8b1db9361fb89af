/** What a JSON text would become, counted in its bytes: parsing a text of many small values takes a hundred times as long. */
import type { FieldError } from '../errors.ts'

/** How deep a body may be nested. */
export const maxDepth = 32
/**
 * How many values a body may have, unless its route takes more. All faults are found before the first fifty are reported:
 * a body of a million faulty values would hold the server up.
 */
export const usualMaxValues = 20_000
/** The exact number is counted on the values themselves, with the field that has too many. */
const slack = 4

const quote = 0x22
const backslash = 0x5c
const [plain, string, separator, opening, closing] = [0, 1, 2, 3, 4]
/** What each byte means outside of strings: to look it up takes a fraction of comparing it. */
const meanings = new Uint8Array(256)
meanings[quote] = string
for (const sign of ',') meanings[sign.charCodeAt(0)] = separator
for (const sign of '[{') meanings[sign.charCodeAt(0)] = opening
for (const sign of ']}') meanings[sign.charCodeAt(0)] = closing

export const tooDeep = (field: string): FieldError => ({
  field,
  message: `must not be nested deeper than ${maxDepth} levels`,
  rule: 'maxDepth',
  limit: maxDepth,
})

export const tooManyValues = (field: string, maxValues: number): FieldError => ({
  field,
  message: `must not hold more than ${maxValues} values`,
  rule: 'maxValues',
  limit: maxValues,
})

/** Null if the text can be parsed in little time, be it JSON or not. */
export function shapeFault(text: Buffer, maxValues: number): FieldError | null {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const meaning = meanings[text[at] ?? 0]
    if (meaning === plain) continue
    if (meaning === string) at = endOfString(text, at)
    else if (meaning === closing) depth--
    else values++
    if (meaning === opening) depth++
    // The innermost value is one level deeper than what holds it.
    if (depth > maxDepth + 1) {
      return tooDeep('body')
    }
    if (values > maxValues * slack) {
      return tooManyValues('body', maxValues)
    }
  }
  return null
}

/** Where the string ends that begins at `start`; the end of the text where it never does. */
function endOfString(text: Buffer, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const byte = text[at]
    if (byte === quote) return at
    if (byte === backslash) at++
  }
  return text.length
}
