/**
 * Words that are written together in German and its like: a query's compound is taken apart, and its neighbours are
 * joined, where the index has what comes out. No dictionary is needed for that but the index's own terms.
 */
import { compounding, plainTerm, termOf } from '../analysis/languages.ts'
import type { LanguageCode } from '../analysis/stop-words.ts'

export type Parts = { head: CompoundPart; tail: CompoundPart }
export type CompoundPart = { word: string; terms: readonly string[] }

/** In how many chunks a term is; 0 where the index does not have it. */
type CountOf = (term: string) => number

/** Where a word may be cut, and the term of what stands behind the cut. */
export function tailsOf(word: string, languages: readonly LanguageCode[]): Tail[] {
  if (!/^[a-z]{7,40}$/.test(word)) return []
  return languagesOf(languages).flatMap(language => tailsIn(word, language))
}

/** The ways to take words apart, of the cuts whose tail the index has: each with the term of what stands before it. */
export const splitsOf = (tails: readonly Tail[], countOf: CountOf): Split[] =>
  tails.filter(({ term }) => countOf(term) > 0).flatMap(headsOf)

/** The way whose parts are the commonest in the index; null where there is none. */
export function bestSplit(splits: readonly Split[], countOf: CountOf): Parts | null {
  const [best] = splits
    .map(split => ({ ...split, common: countOf(split.headTerm) * countOf(split.term) }))
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common)
  if (best === undefined) return null
  return {
    head: { word: best.headWord, terms: [best.headTerm] },
    tail: { word: best.word.slice(best.at), terms: [best.term] },
  }
}

/** The terms of two words that are written as one, with each sound that may stand between them. */
export function joinedTerms(first: string, second: string, languages: readonly LanguageCode[]): string[] {
  if (!/^[a-z]{3,}$/.test(first) || !/^[a-z]{3,}$/.test(second)) return []
  return languagesOf(languages).flatMap(language => {
    // What an ending is does not depend on what stands before the word.
    const { term, isStop } = termOf(second, second, language)
    return isStop ? [] : links.map(link => `${first}${link}${term}`)
  })
}

/** So many of an index's languages are tried, the commonest. */
const maxLanguages = 3
const minPart = 3
/** "Urlaubs|antrag", "Kinder|garten", "Toten|stille", "Tage|buch". */
const links = ['', 's', 'es', 'n', 'en', 'er', 'e']

const languagesOf = (languages: readonly LanguageCode[]): LanguageCode[] =>
  languages.filter(language => compounding.includes(language)).slice(0, maxLanguages)

export type Tail = { word: string; language: LanguageCode; at: number; term: string }

export type Split = Tail & { headWord: string; headTerm: string }

/** The stem of a compound ends with that of its last word. */
function tailsIn(word: string, language: LanguageCode): Tail[] {
  const { term } = termOf(word, word, language)
  const stem = plainTerm(term)
  const tails: Tail[] = []
  for (let at = minPart; at <= stem.length - minPart; at++) {
    tails.push({ word, language, at, term: `${stem.slice(at)}${term.slice(stem.length)}` })
  }
  return tails
}

function headsOf(tail: Tail): Split[] {
  const before = tail.word.slice(0, tail.at)
  return links.flatMap(link => {
    const headWord = before.slice(0, before.length - link.length)
    if (!before.endsWith(link) || headWord.length < minPart) return []
    const { term, isStop } = termOf(headWord, headWord, tail.language)
    return isStop ? [] : [{ ...tail, headWord, headTerm: term }]
  })
}
