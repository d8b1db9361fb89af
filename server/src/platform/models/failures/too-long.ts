/** Whether a server says that a prompt is too long, in whatever words, and how much its model reads at once. */
import type { ServerWords } from './server-words.ts'

/** The statuses with which servers refuse a prompt for its length. */
const statuses: readonly number[] = [400, 413, 414, 422, 500]

const codes =
  /context_?(length|window|size)|too_?(long|large)|max_?(prompt_|input_)?tokens_?exceeded|string_above_max/i

/** Limits of the answer, and names of fields: a wrong limit of the answer is no prompt that is too long. */
const notOfPrompt =
  /\b(max|min|budget|num)_?\w{0,20}(tokens?|predict)\b|\b(completion|output|generated|new|thinking|response) tokens?\b|\bthinking\b/gi
const perTime = /\bper[ _-]?(second|minute|hour|day|month)\b|\b[tr]p[mdh]\b|rate.?limit/i
const things =
  /tokens?\b|token_|\bcontext|\bprompts?\b|\binputs?\b|\bmessages?\b|\bsequence|\bconversation|\bhistory\b|\bchat\b/i
const limits =
  /length|\blong\b|limit|\bmax|window|\bsize\b|capacity|\bcounts?\b|\brange\b|\bmany\b|\blarge|\bbig|\bcontext\b|\btokens\b/i
const excess =
  /exceed|too (long|large|many|big|much)|(long|larg|great|bigg|high|short|small|few)er\b|more than|less than|overflow|\bover\b|beyond|above|must be (<|at most|under|within|below)|should be (within|\[|<|at most|below)|(can|could|may)(not|n't| not) (exceed|be|fit|hold)|(not|n't) fit|reduce|shorten|truncat|ran out|run out|\bfull\b|[<>]=?|but (the |your |got |it |we )|however|at most|\bonly\b|surpass|fits? (in|into)|out of (range|bounds)/i
const others = /\b(image|picture|file|attachment|audio|video|pdf|document|bytes|mb|kb|megabytes)\b/i
/** Chinese servers say it in their own words. */
const chinese = /(超过|超出|超长|过长|太长|大于)/
const chineseThings = /(长度|上下文|输入|token|提示|消息|最大)/i

/** Numbers below this are limits of names and lists, never of a prompt. */
const leastWindow = 128

/** Whether the refusal is about the length of the prompt. */
export function isTooLong(status: number, { words, codes: said, numbers }: ServerWords): boolean {
  if (said.some(code => codes.test(code)) && statuses.includes(status)) return true
  if (numbers.some(([name]) => /^n_ctx$/i.test(name))) return true
  if (status === 413) return !others.test(words ?? '') || things.test(words ?? '')
  return words !== null && statuses.includes(status) && saysTooLong(words)
}

function saysTooLong(words: string): boolean {
  if (chinese.test(words) && chineseThings.test(words)) return true
  if (perTime.test(words)) return false
  const isOfAnswer = /^\W{0,3}(\w+ ){0,3}\W{0,3}max_\w{0,20}tokens?\b/i.test(words)
  if (isOfAnswer && !/\b(inputs?|prompts?|messages?)\b/i.test(words)) return false
  const rest = words.replaceAll(notOfPrompt, ' ')
  const isOfOther = others.test(rest) && !/tokens?\b|context|prompt/i.test(rest)
  if (isOfOther || !things.test(rest) || !excess.test(rest)) return false
  const counts = numbersIn(rest)
  if (counts.length > 0 && Math.max(...counts.map(({ value }) => value)) < leastWindow) return false
  return limits.test(rest) || counts.length > 0
}

/** How many tokens the model reads at once, and how many the prompt had; null for what the server does not say. */
export type Window = { most: number | null; asked: number | null }

export function windowIn({ words, numbers }: ServerWords): Window {
  const most = windowOf(Object.fromEntries(numbers))
  const asked = numbers.find(([name]) =>
    /^(n_)?(prompt|input|request(ed)?)_?(tokens|length)?(_count)?$/i.test(name),
  )
  const told = words === null ? { most: null, asked: null } : windowInWords(words)
  return { most: most ?? told.most, asked: asked?.[1] ?? told.asked }
}

const ofLimit =
  /max(imum)?|limit|window|context|at most|only|up to|less than|<=?|>=?|allowed|capacity|supports?|exceeds?|than|size|cannot/gi
const ofPrompt =
  /contains?|request(ed)?\b|result(ed|s)?|got|given|received|your?\b|prompt|has\b|have\b|total|current|but\b|input|count|used|needs?|messages?/gi

type Counted = { value: number; at: number; end: number }

/** Each number takes the side of the last word before it, or of the word right behind it. */
function windowInWords(words: string): Window {
  const counts = numbersIn(words).filter(({ value }) => value >= leastWindow)
  const most: number[] = []
  const asked: number[] = []
  let from = 0
  for (const { value, at, end } of counts) {
    const before = words.slice(Math.max(from, at - 80), at)
    const behind = words.slice(end, end + 24)
    const isLimit =
      /^\W{0,3}(tokens? )?(maximum|max\b|limit)/i.test(behind) ||
      lastOf(ofLimit, before) > lastOf(ofPrompt, before)
    if (isLimit) most.push(value)
    else asked.push(value)
    from = end
  }
  const all = counts.map(({ value }) => value)
  if (all.length === 0) return { most: null, asked: null }
  if (all.length === 1) return { most: most[0] ?? null, asked: asked[0] ?? null }
  // Whatever the words are, the window is smaller than what did not fit into it.
  const window = most.length > 0 ? Math.min(...most) : Math.min(...all)
  const largest = Math.max(...all)
  const prompt = asked.length > 0 ? Math.max(...asked) : largest
  return {
    most: Math.min(window, largest),
    asked: prompt > window ? prompt : largest > window ? largest : null,
  }
}

const lastOf = (pattern: RegExp, text: string): number => [...text.matchAll(pattern)].at(-1)?.index ?? -1

function numbersIn(text: string): Counted[] {
  return [
    ...text.matchAll(/(?<![\w.-])(\d{1,3}(?:[,_]\d{3}){1,3}|\d{1,12})(\.\d{1,3})?( ?[kKmM])?(?![\w-])/g),
  ].map(match => {
    const [whole, digits = '', fraction = '', unit = ''] = match
    const factor =
      unit.trim().toLowerCase() === 'k' ? 1_000 : unit.trim().toLowerCase() === 'm' ? 1_000_000 : 1
    const value = Math.round(Number(digits.replaceAll(/[,_]/g, '') + fraction) * factor)
    return { value, at: match.index, end: match.index + whole.length }
  })
}

// What a server's list says about the window of a model.

/** What servers call the window, without the signs between the words. */
const windowNames =
  /^(nctx|numctx|maxmodellen|modelmaxlen|(loaded|max|maximum|model)?context(length|window|size|len|tokens|windowtokens|windowsize)?|max(imum)?contextwindowtokens|max(imum)?(input|prompt)tokens|(input|prompt)tokenlimit|max(position|seq|sequence)(embeddings|length|len))$/
const largestWindow = 100_000_000
const mostDepth = 3

/** The smallest window that the entry of a model names; null if it names none. */
export function windowOf(entry: unknown, depth = 0): number | null {
  if (typeof entry !== 'object' || entry === null || depth > mostDepth) return null
  let least: number | null = null
  for (const [key, value] of Object.entries(entry).slice(0, 100)) {
    const name = key.toLowerCase().replaceAll(/[^a-z]/g, '')
    const own = windowNames.test(name) ? countIn(value) : null
    const found = own ?? windowOf(value, depth + 1)
    if (found !== null && (least === null || found < least)) least = found
  }
  return least
}

function countIn(value: unknown): number | null {
  const count = typeof value === 'string' ? (numbersIn(value.trim())[0]?.value ?? Number.NaN) : Number(value)
  const isWindow = typeof value !== 'object' && Number.isInteger(count) && count >= leastWindow
  return isWindow ? Math.min(count, largestWindow) : null
}
