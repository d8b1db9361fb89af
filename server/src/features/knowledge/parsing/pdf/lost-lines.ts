/** Accounts for the words of a page: those that the layout gave to no block follow the page as lines. */
import type { PageBlock } from './layout.ts'
import { linesOf } from './lines.ts'
import { joinWords } from './scripts.ts'
import type { Word } from './words.ts'

/** `share` is the share of the page's letters and digits. */
export function lostLines(words: readonly Word[], blocks: readonly PageBlock[]) {
  const written = lettersOf(blocks.map(textOfBlock).join(' '))
  const missing = words.filter(({ text }) => !written.includes(lettersOf(text)))
  if (missing.length === 0) return { lines: [], share: 0 }
  // A word of a script that is written from right to left, or cut by a mark, has its letters in another order.
  const left = countsOf(written)
  for (const word of words)
    for (const letter of lettersOf(word.text)) left.set(letter, (left.get(letter) ?? 0) - 1)
  const lost = missing.filter(({ text }) => [...lettersOf(text)].some(letter => (left.get(letter) ?? 0) < 0))
  const lettersLost = lost.reduce((sum, { text }) => sum + lettersOf(text).length, 0)
  const letters = words.reduce((sum, { text }) => sum + lettersOf(text).length, 0)
  return {
    lines: [...Map.groupBy(lost, ({ turn }) => turn).values()].flatMap(group =>
      linesOf(group).map(line => joinWords(line.words)),
    ),
    share: lettersLost / Math.max(1, letters),
  }
}

const textOfBlock = (block: PageBlock): string =>
  block.kind === 'table' ? block.rows.flat().join(' ') : block.text

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return counts
}
