/** How words and lines are joined, which depends on their script. */
import { signs } from '../marks.ts'
import type { Word } from './words.ts'

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu
const leftToRight =
  /[\p{Lu}\p{Ll}\p{Lt}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Devanagari}]/gu

export function directionOf(words: readonly { text: string }[]): 'ltr' | 'rtl' {
  let balance = 0
  for (const { text } of words) {
    balance += (text.match(rightToLeft)?.length ?? 0) - (text.match(leftToRight)?.length ?? 0)
  }
  return balance > 0 ? 'rtl' : 'ltr'
}

/** Scripts without spaces between words. */
const withoutSpaces =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u3000-\\u303f\\uff00-\\uffef\\u30fc'
const endsUnspaced = new RegExp(`[${withoutSpaces}]\\p{M}*$`, 'u')
const beginsUnspaced = new RegExp(`^[${withoutSpaces}]`, 'u')

/** True if no space belongs between two texts, of which the second follows in another place or line. */
export const isUnspaced = (before: string, after: string): boolean =>
  endsUnspaced.test(before.slice(-longestLetter)) && beginsUnspaced.test(after)

/** A letter with its marks, in UTF-16 units. Paragraphs grow line by line, and only their ends matter. */
const longestLetter = 16

const raisedShare = 0.12
/** A smaller word at a higher or lower base line than its neighbour is raised or lowered. */
export const smallShare = 0.87

export function joinWords(placed: readonly Word[]): string {
  const words = directionOf(placed) === 'rtl' ? inRtlOrder(placed) : placed
  let text = ''
  let before: Word | null = null
  for (const word of words) {
    if (before === null) text = word.text
    else {
      const gap = Math.max(word.start - before.end, before.start - word.end)
      const isGlued =
        gap < 0.15 * word.size && (word.isGlued || gap < 0.02 * word.size) && !changesDirection(before, word)
      text += isGlued ? raisedMark(before, word) : separator(before, word, gap)
      text += word.text
    }
    before = word
  }
  return text
}

/** Words of two scripts of opposite directions, between which files often have no space. */
const changesDirection = (before: Word, word: Word): boolean =>
  before.text.length > 1 &&
  word.text.length > 1 &&
  isRtl(before.text) !== isRtl(word.text) &&
  /\p{L}/u.test(before.text) &&
  /\p{L}/u.test(word.text)

const isRtl = (text: string): boolean => text.search(rightToLeft) >= 0

function separator(before: Word, word: Word, gap: number): string {
  const isClose = gap < 0.5 * word.size
  return isClose && !word.hasSpace && isUnspaced(before.text, word.text) ? '' : ' '
}

function raisedMark(before: Word, word: Word): string {
  if (word.size >= before.size * smallShare) return ''
  const rise = (before.base - word.base) / before.size
  if (rise > raisedShare) return signs.raised
  return rise < -raisedShare / 2 ? signs.lowered : ''
}

/** Words of a line from right to left; runs of words in other scripts and numbers keep their own order. */
function inRtlOrder(placed: readonly Word[]): Word[] {
  const ordered: Word[] = []
  let run: Word[] = []
  const endRun = (): void => {
    ordered.push(...run.reverse())
    run = []
  }
  for (const word of placed.toReversed()) {
    if (/[\p{Lu}\p{Ll}]/u.test(word.text)) run.push(word)
    else {
      endRun()
      ordered.push(word)
    }
  }
  endRun()
  return ordered
}

/** Two lines of one paragraph or cell. */
export function joinLines(before: string, after: string): string {
  if (before === '') return after
  if (/\p{L}-$/u.test(before.slice(-longestLetter)) && /^\p{Ll}/u.test(after))
    return before.slice(0, -1) + after
  return isUnspaced(before, after) ? before + after : `${before} ${after}`
}
