/** Which optional field of a request a server refuses, and what is sent in its place. */
import { codeOf, isOurFault } from '../failures/failure-code.ts'
import type { ServerWords } from '../failures/server-words.ts'
import {
  type Attempt,
  type Body,
  type Change,
  optionalPaths,
  otherSwitch,
  type Switch,
  switches,
} from './switches.ts'
import { refusedTool } from './tool-switches.ts'

const always: readonly number[] = [400, 422]
/** Other statuses count if the words say that something is not taken. */
const sometimes: readonly number[] = [403, 404, 405, 409, 415, 500, 501, 502]
const refuses =
  /not (supported|available|allowed|permitted|implemented|enabled|accepted|recogni[sz]ed|valid)|unsupported|unknown|unexpected|extra|does(n't| not) support|unrecogni[sz]ed|support(s|ed)? (for|the)/i
/** A refusal of the conversation itself: nothing that may be left out is the cause. */
const ofRest =
  /\b(tools?|functions?|images?|vision|audio|roles?|messages?|conversation|polic(y|ies)|safety|moderation|flagged|harmful)\b/i

/** Returns null if no optional field of the body can be the cause, or all changes to it have been tried. */
export function refusedField(
  status: number,
  said: ServerWords,
  body: Body,
  tried: ReadonlySet<string>,
): Attempt | null {
  const words = said.words ?? ''
  const isPlain = always.includes(status)
  if (!isPlain && !(sometimes.includes(status) && refuses.test(words))) return null
  if (isPlain && codeOf(status, said, false) !== 'model_request_rejected') return null
  const named = namedIn(said, body, tried)
  if (named !== null) return named
  if (!isPlain || isOurFault(words) || ofRest.test(words)) return null
  return firstOf(switches, body, words, tried, false)
}

export const triedKey = ({ field, instead }: Change): string => `${field} ${instead}`

function firstOf(
  candidates: readonly Switch[],
  body: Body,
  words: string,
  tried: ReadonlySet<string>,
  isNamed: boolean,
): Attempt | null {
  for (const one of candidates) {
    if (!one.isIn(body)) continue
    const instead = one
      .choices(body, words)
      .find(choice => !tried.has(triedKey({ field: one.field, instead: choice })))
    if (instead !== undefined) {
      return { field: one.field, instead, isNamed, apply: given => one.apply(given, instead) }
    }
  }
  return null
}

/** The place or the name of one tool. */
const ofOneTool = /(tools|function_?declarations)[.[]\d|schema for (function|tool)/i

/** The field that is named first; a field that the error has in a field of its own comes before all others. */
function namedIn(said: ServerWords, body: Body, tried: ReadonlySet<string>): Attempt | null {
  const text = [...said.fields, said.words ?? ''].join(' ; ')
  const found = [
    ...switches.map(one => ({ one, at: text.search(one.names) })),
    ...optionalPaths(body).map(path => ({ one: otherSwitch(path), at: placeOf(path, text) })),
  ].filter(({ at }) => at >= 0)
  const isOfTool = ofOneTool.test(text)
  const [format] = found.filter(({ one }) => one.field === 'schema beside tools' && one.isIn(body))
  const ordered = found.toSorted((a, b) => a.at - b.at).map(({ one }) => one)
  return (
    firstOf(format === undefined || isOfTool ? [] : [format.one], body, text, tried, true) ??
    refusedTool(text, body, tried) ??
    firstOf(ordered, body, text, tried, true)
  )
}

/** Where the text names the field, in either way of writing; -1 if it does not. */
function placeOf(path: string, text: string): number {
  const name = path.slice(path.lastIndexOf('.') + 1)
  const snake = name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const isPlainWord = snake === camel
  for (const spelling of new Set([name, snake, camel])) {
    const exact = spelling.replaceAll(/[^\w]/g, '.')
    const pattern = isPlainWord
      ? `['"\`]${exact}['"\`]|(^|; )${exact} ;|\\b${exact} (parameter|field|property|argument|option)|(parameter|field|property|argument|option|name):? ${exact}\\b`
      : `(?<![\\w])${exact}(?![\\w])`
    const at = text.search(new RegExp(pattern))
    if (at >= 0) return at
  }
  return -1
}
