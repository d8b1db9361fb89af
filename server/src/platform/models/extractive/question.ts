/** What a question asks for: its terms, and the kind of thing that a good answer contains. */
import { askedIn } from './asked.ts'
import { termsOf } from './words.ts'

export type Question = {
  /** What is asked for, and the years and names beside it. */
  terms: string[]
  /** What else is told ("You are an analyst …"): a document need not have it. */
  asides: string[]
  /** The years and names that it speaks of: what answers about others answers another question. */
  subjects: string[]
  years: string[]
  /** What a good answer matches; null if any sentence may be one. */
  wants: RegExp | null
  /** The stems of what is to be counted: `bonus` and `day` in "how many bonus days". */
  counted: string[]
}

export function readQuestion(asked: string): Question {
  const text = withPlainYears(asked)
  const core = coreOf(text)
  const years = [...new Set(text.match(anyYear))]
  const subjects = [...years, ...termsOf(nameWords(text).join(' '))]
  const terms = [...new Set([...termsOf(core), ...subjects])]
  const counted = /\bhow many (\p{L}+(?: \p{L}+)?)/iu.exec(core)?.[1] ?? ''
  return {
    terms,
    asides: termsOf(text).filter(term => !terms.includes(term)),
    subjects,
    years,
    wants: hints.find(({ asks }) => asks.test(text))?.wants ?? (years.length > 0 ? figure : null),
    counted: termsOf(counted),
  }
}

/** "FY2019", "FY19", "fiscal 2019" and "the year 2019" are 2019; "(in USD millions)" says how to answer, not what. */
const withPlainYears = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\b(?:FY|fiscal(?: year)?) ?['’]?(\d{4}|\d\d)\b/gi, (_, year: string) => year.padStart(4, '20'))
    .replace(/\b(?:the )?year ((?:19|20)\d\d)\b/gi, '$1')
    .replace(/\((?:answer )?in [^)]{0,60}\)/gi, ' ')

function coreOf(text: string): string {
  const core = askedIn(text)
  return termsOf(core).length < fewestTerms ? text : core
}

/** "My bicycle was stolen. What do I do first?" asks for more than its question says. */
const fewestTerms = 2

/** Words with a capital letter that begin no sentence ("4Peaks" and "IBM" too), but none that names a unit. */
const nameWords = (text: string): string[] =>
  text.match(/(?<=[\p{L}\p{N},'’&)-]\s)(?!(?:USD|EUR|GBP|CHF|JPY)\b)\p{N}*\p{Lu}[\p{L}\p{N}]*/gu) ?? []

/** For `replace` alone. */
export const anyYear = /\b(?:19|20)\d\d\b/g

const number =
  /\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|no|half|once|twice)\b/i

/** No share of a whole. Begun only where a number begins: to look for its end from each digit takes the square of its length. */
const count = new RegExp(`(?<![\\d.,])(?!\\d[\\d.,]*\\s?%)(?:${number.source})`, 'i')
const figure = /\d/

const duration =
  /\b(\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|thirty|ninety|forty)\b.{0,24}\b(seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b/i

const moment =
  /\d{1,2}:\d{2}|\b(1[89]|20)\d{2}\b|\b(january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|daily|weekly|yearly|within|after|before|until|ahead|first|later|due|now)\b|\b\d+\s*(minutes?|hours?|days?|weeks?|months?)\b/i

const person =
  /(?<=[\p{Ll},;:]\s)\p{Lu}\p{Ll}+|\b(team|lead|director|manager|officer|head|desk|engineer|owner|customer|employee|everyone|anyone|who(?:m)?ever|finance|department)\b/u

const place =
  /@|https?:|\b(at|in|on|beneath|beside|behind|under|below|above|to|from|near|inside|outside|next)\b/i

/** The first that fits decides. */
const hints: readonly { asks: RegExp; wants: RegExp }[] = [
  { asks: /\bhow (long|soon|quickly|fast)\b/i, wants: duration },
  { asks: /\bhow many (?!percent)/i, wants: count },
  { asks: /\bhow (many|much|far|high|large|big|old|heavy|often|thick|wide|deep)\b/i, wants: number },
  {
    asks: /\b(what|which) (\w+ ){0,2}(price|cost|rate|discount|percentage|amount|number|length|limit|weight|size|pressure)\b/i,
    wants: number,
  },
  { asks: /\b(when|what time|by when|until when|which (day|date|month|year))\b/i, wants: moment },
  { asks: /\b(who|whom|whose)\b/i, wants: person },
  { asks: /\bwhere\b/i, wants: place },
]
