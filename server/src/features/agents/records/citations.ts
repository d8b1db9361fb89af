/** Finds the sources of an answer: each marker leads to the document's own words, at exact offsets. */
import { sentencesOf } from '../../../platform/models/extractive/sentences.ts'
import { stemsOf } from '../../../platform/models/extractive/words.ts'
import type { Passage } from '../../../platform/tool.ts'
import { createTurns } from '../../../platform/turns.ts'
import type { Citation } from './run-schemas.ts'

/** `number` is the number that the model was shown: `[1]` is 1. */
export type NumberedPassage = { number: number; passage: Passage }

const maxCitations = 100
const longestClaim = 4_000
const maxQuotesInClaim = 20
/** A model may repeat a marker without end, and each one costs a search of its passage. */
const maxMarkers = 1_000

/**
 * Returns a citation for each marker such as [1] or [1, 2] whose passage exists; other markers are skipped. The quote
 * is what the text before the marker repeats word for word, else the most similar sentence of the passage.
 */
export async function citationsOf(output: string, passages: readonly NumberedPassage[]): Promise<Citation[]> {
  const byNumber = new Map(passages.map(({ number, passage }) => [number, passage]))
  const citations = new Map<string, Citation>()
  const sentencesWithStems = rememberSentences()
  const othersTurn = createTurns()
  for (const { claim, numbers } of claimsOf(output)) {
    const stems = new Set(stemsOf(claim))
    for (const number of numbers) {
      const passage = byNumber.get(number)
      if (passage === undefined) continue
      const citation = cite(`[${number}]`, { text: claim, stems }, passage, sentencesWithStems)
      citations.set(`${number} ${citation.startOffset} ${citation.endOffset}`, citation)
      if (citations.size === maxCitations) return [...citations.values()]
      await othersTurn()
    }
  }
  return [...citations.values()]
}

/** `[1]`, or `[1, 2]` for several at once. */
export const markerPattern = (): RegExp => /\[(\d{1,4}(?:\s*,\s*\d{1,4}){0,9})\]/g

/** The text before markers, with the numbers that the markers name. */
type NumberedClaim = { claim: string; numbers: Set<number> }

/** Returns the claims in the order of the text. A number that is repeated after the same words counts once. */
function claimsOf(output: string): NumberedClaim[] {
  const claims: NumberedClaim[] = []
  let markers = 0
  let end = 0
  for (const match of output.matchAll(markerPattern())) {
    const between = output.slice(end, match.index)
    // Markers side by side, as in "… [1][2]", belong to the same words.
    const isClaim = /\p{L}|\p{N}/u.test(between)
    if (isClaim || claims.length === 0) {
      claims.push({ claim: isClaim ? lastStatement(between) : '', numbers: new Set() })
    }
    const named = (match[1] ?? '').split(',')
    for (const number of named) claims.at(-1)?.numbers.add(Number(number))
    end = match.index + match[0].length
    markers += named.length
    if (markers >= maxMarkers) break
  }
  return claims
}

/** The text after the last line break, because a marker says nothing about another paragraph. */
const lastStatement = (text: string): string =>
  text.slice(-longestClaim).trim().split('\n').at(-1)?.trim() ?? ''

type Claim = { text: string; stems: ReadonlySet<string> }

function cite(
  marker: string,
  claim: Claim,
  passage: Passage,
  sentences: (text: string) => readonly StemmedSentence[],
): Citation {
  const { start, end } =
    quotedRange(claim.text, passage.text) ??
    nearestSentence(claim.stems, passage.text, sentences(passage.text))
  const startOffset = passage.startOffset + codePoints(passage.text.slice(0, start))
  const quote = passage.text.slice(start, end)
  return {
    marker,
    documentId: passage.documentId,
    documentVersion: passage.documentVersion,
    chunkId: passage.chunkId,
    quote,
    page: passage.page,
    startOffset,
    endOffset: startOffset + codePoints(quote),
  }
}

type Range = { start: number; end: number }

const shortestQuote = 12
const longestQuote = 2_000

/** Finds the whole claim, or a part of it in quotation marks, in the passage. Line breaks may differ. */
function quotedRange(claim: string, text: string): Range | null {
  const inMarks = [...claim.matchAll(/["“„«]([^"“”„«»]+)["”“»]/g)]
    .slice(0, maxQuotesInClaim)
    .map(match => match[1] ?? '')
  const whole = claim.replace(/^["“„«]|["”“»]$/g, '')
  for (const words of [whole, ...inMarks]) {
    const isWorthALook = words.length <= longestQuote && (words === whole || words.length >= shortestQuote)
    const range = isWorthALook ? rangeOf(words, text) : null
    if (range !== null) return range
  }
  return null
}

function rangeOf(words: string, text: string): Range | null {
  const parts = words
    .trim()
    .split(/\s+/)
    .filter(part => part !== '')
  if (parts.length === 0) return null
  const escaped = parts.map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const found = new RegExp(escaped.join('\\s+')).exec(text)
  return found === null ? null : { start: found.index, end: found.index + found[0].length }
}

type StemmedSentence = Range & { stems: ReadonlySet<string> }

/** Splits each passage into sentences once, even if it is cited often. */
function rememberSentences(): (text: string) => readonly StemmedSentence[] {
  const known = new Map<string, readonly StemmedSentence[]>()
  return text => {
    const sentences = known.get(text) ?? stemmedSentences(text)
    known.set(text, sentences)
    return sentences
  }
}

const stemmedSentences = (passage: string): StemmedSentence[] =>
  sentencesOf(passage)
    .map(({ text }) => ({ text, start: passage.indexOf(text) }))
    .filter(({ start }) => start >= 0)
    .map(({ text, start }) => ({ start, end: start + text.length, stems: new Set(stemsOf(text)) }))

function nearestSentence(
  claimStems: ReadonlySet<string>,
  text: string,
  sentences: readonly StemmedSentence[],
): Range {
  let best: Range = { start: 0, end: text.length }
  let bestShare = 0
  for (const { start, end, stems } of sentences) {
    const shared = [...stems].filter(stem => claimStems.has(stem)).length
    const share = shared / Math.sqrt(Math.max(1, stems.size))
    if (share > bestShare) {
      bestShare = share
      best = { start, end }
    }
  }
  return best
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
