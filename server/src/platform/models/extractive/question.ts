/** What a question asks for: its terms, and the kind of thing that a good answer contains. */
import { termsOf } from './words.ts'

export type Question = {
  terms: string[]
  /** What a good answer matches; null where any sentence may be one. */
  wants: RegExp | null
  /** The stems of what is to be counted: `bonus` and `day` in "how many bonus days". */
  counted: string[]
}

export function readQuestion(text: string): Question {
  const wants = hints.find(({ asks }) => asks.test(text))?.wants ?? null
  const counted = /\bhow many (\p{L}+(?: \p{L}+)?)/iu.exec(text)?.[1] ?? ''
  return { terms: termsOf(text), wants, counted: termsOf(counted) }
}

const number =
  /\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|no|half|once|twice)\b/i

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
  { asks: /\bhow (many|much|far|high|large|big|old|heavy|often|thick|wide|deep)\b/i, wants: number },
  {
    asks: /\b(what|which) (\w+ ){0,2}(price|cost|rate|discount|percentage|amount|number|length|limit|weight|size|pressure)\b/i,
    wants: number,
  },
  { asks: /\b(when|what time|by when|until when|which (day|date|month|year))\b/i, wants: moment },
  { asks: /\b(who|whom|whose)\b/i, wants: person },
  { asks: /\bwhere\b/i, wants: place },
]
