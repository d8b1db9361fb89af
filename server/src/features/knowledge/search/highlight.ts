/** Finds the words of a text that a query asked for. */
import { analyse } from './analyse.ts'

/** In Unicode code points within the text; `endOffset` is the first one behind the word. */
export type Highlight = { startOffset: number; endOffset: number }

/** In their order; they do not overlap. */
export function highlight(text: string, terms: ReadonlySet<string>): Highlight[] {
  const highlights: Highlight[] = []
  const initials = new Set(Array.from(terms, term => term.charAt(0)))
  for (const { term, start, end } of analyse(text, folded => initials.has(folded.charAt(0)))) {
    if (!terms.has(term)) continue
    const last = highlights.at(-1)
    // Pairs of characters overlap: together they are one highlight.
    if (last !== undefined && start < last.endOffset) last.endOffset = Math.max(last.endOffset, end)
    else highlights.push({ startOffset: start, endOffset: end })
  }
  return highlights
}
