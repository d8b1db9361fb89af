/** Tells thoughts from text where a model writes both into one text, such as `<think>…</think>`, piece by piece. */

/**
 * `void` says that all text before was a thought, and `told` that all thoughts before were text. Both happen where a
 * server leaves out the tag at the beginning.
 */
export type ThoughtPiece = { type: 'text' | 'reasoning'; text: string } | { type: 'void' | 'told' }

export type ThoughtSplitter = {
  /** Whether the text began with a thought that no tag had opened. */
  readonly opensWithout: boolean
  take(text: string): ThoughtPiece[]
  end(): ThoughtPiece[]
}

const wordList = [
  ...['think', 'thinking', 'thought', 'thoughts', 'thought_process', 'reasoning', 'reflection', 'scratchpad'],
  ...['analysis', 'monologue', 'inner_monologue', 'internal_monologue'],
]
const words = wordList.join('|')
/** Words of other tags that stand around a thought or its answer. */
const otherWords = ['seed:', 'start_', 'begin_of_', 'end_of_', 'of_', 'response', 'solution', 'text']

/** `<think>`, `[THINK]`, `◁think▷`, `<seed:think>`, `<|START_THINKING|>`, `<|begin_of_thought|>`. */
const opening = new RegExp(
  `[<\\[◁]\\|?(?:start_|begin_of_)?(?:\\w{1,20}:)?(?:${words})(?:\\s[^<>\\[\\]◁▷]{0,100})?\\|?[>\\]▷]`,
  'i',
)
const openingAtStart = new RegExp(`^${opening.source}`, 'i')
/** The tag of a thought among other text stands at the beginning of a line. */
const openingOfLine = /^[ \t]*([<[◁]\|?(?:\w{1,20}:)?(?:think|thinking)\|?[>\]▷])/i
const closing = new RegExp(`[<\\[◁](?:\\|?/|\\|?end_(?:of_)?)(?:\\w{1,20}:)?(?:${words})\\s?\\|?[>\\]▷]`, 'i')

/** The channels of gpt-oss. What is not its final channel is a thought. */
const channel = /^(?:<\|start\|>assistant)?<\|channel\|>\s?(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>/
const finalChannel =
  /(?:<\|(?:end|return)\|>)?(?:<\|start\|>assistant)?<\|channel\|>\s?final[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>/
const token = /<\|(?:start|end|return|channel|message|constrain|call)\|>(?:assistant)?/g
/** The same channels where a server has left out their marks. */
const unmarked = /^analysis(?=\p{Lu})/u
const unmarkedFinal = /assistant(?:<\|channel\|>)?final/

/** Marks that open the answer behind a thought. */
const answerOpening = /^(?:<\|(?:start_response|begin_of_solution|start_text)\|>)/i
const answerClosing = /<\|(?:end_response|end_of_solution|end_text)\|>/gi

/** The longest tag that may come in pieces. */
const longestTag = 160
/** A text does not wait for the end of a thought any longer. */
const longestWait = 16_384
const marks = ['start', 'end', 'return', 'channel', 'message', 'constrain', 'call'].map(name => `<|${name}|>`)
const channelBegun =
  /^(?:<\|(?:end|return)\|>)?(?:<\|start\|>(?:assistant|a|as|ass|assi|assis|assist|assista|assistan)?)?(?:<\|(?:channel|constrain)\|>[^<\n]*)*$/

function mayBecomeChannel(tail: string): boolean {
  const last = /<[|\w]*$/.exec(tail)
  if (last !== null && !marks.some(mark => mark.startsWith(last[0]))) return false
  return channelBegun.test(last === null ? tail : tail.slice(0, last.index))
}

/** Whether the text may become a tag with the next piece. */
function mayBecomeTag(tail: string): boolean {
  if (tail.length > longestTag) return false
  if (mayBecomeChannel(tail)) return true
  if (/[>\]▷\n]/.test(tail)) return false
  const name = tail
    .toLowerCase()
    .replace(/^[<[◁][|/]*/, '')
    .replace(/^(?:start_|begin_of_|end_of_|end_)/, '')
    .replace(/^\w{1,20}:/, '')
  const [word = '', ...rest] = name.split(/[\s|]/)
  if (rest.length > 0) return [...wordList, ...otherWords].includes(word)
  return word === '' || [...wordList, ...otherWords].some(each => each.startsWith(word))
}

/** The place from which a text must wait for its next piece; its length if nothing has to wait. */
function waitingFrom(text: string): number {
  const from = Math.max(0, text.length - longestTag)
  for (let at = from; at < text.length; at++) {
    if ('<[◁'.includes(text[at] ?? ' ') && mayBecomeTag(text.slice(at))) return at
  }
  return text.length
}

type State =
  /** Nothing but white space so far, or since the last thought. */
  | { kind: 'start'; isAgain: boolean }
  | { kind: 'text' }
  | { kind: 'thought'; closing: RegExp; isAssumed: boolean }
  /** A thought among other text, which waits for its end: without one, it is text. */
  | { kind: 'aside' }

/** `opensWithout` says that this model's earlier answers began with a thought that no tag had opened. */
export const createThoughtSplitter = (opensWithout = false): ThoughtSplitter => new Splitter(opensWithout)

class Splitter implements ThoughtSplitter {
  #state: State
  /** What has come and is neither text nor thought yet. */
  #waiting = ''
  /** The last line of the text so far; of a long line, its beginning and its last sign. */
  #line = ''
  #isFenced = false
  #hasText = false
  /** Whether the text speaks of such tags. */
  #hasNamedTag = false
  #hasThought = false
  #foundWithout = false
  #hasChannels = false
  #hasMarkedAnswer = false

  constructor(opensWithout: boolean) {
    this.#state = opensWithout
      ? { kind: 'thought', closing, isAssumed: true }
      : { kind: 'start', isAgain: false }
  }

  get opensWithout(): boolean {
    return this.#foundWithout
  }

  take(text: string): ThoughtPiece[] {
    this.#waiting += text
    return this.#pieces(false)
  }

  end(): ThoughtPiece[] {
    if (this.#state.kind === 'thought' && this.#state.isAssumed && this.#waiting === '') {
      return [{ type: 'told' }]
    }
    const found = this.#pieces(true)
    // White space alone is text, unless a thought comes before it.
    const isText = this.#state.kind === 'start' && !this.#state.isAgain
    return isText ? [...found, ...this.#told(this.#waiting)] : found
  }

  #told(text: string): ThoughtPiece[] {
    let shown = this.#hasChannels ? text.replaceAll(token, '') : text
    if (this.#hasMarkedAnswer) shown = shown.replaceAll(answerClosing, '')
    if (shown === '') return []
    this.#hasText ||= shown.trim() !== ''
    this.#hasNamedTag ||= opening.test(shown)
    for (const part of shown.split('\n').slice(0, -1)) {
      if ((this.#line + part).trimStart().startsWith('```')) this.#isFenced = !this.#isFenced
      this.#line = ''
    }
    const grown = this.#line + shown.slice(shown.lastIndexOf('\n') + 1)
    this.#line = grown.length > longestTag ? `${grown.slice(0, 80)}${grown.at(-1)}` : grown
    return [{ type: 'text', text: shown }]
  }

  #thought(text: string): ThoughtPiece[] {
    const shown = text.replaceAll(token, '')
    return shown === '' ? [] : [{ type: 'reasoning', text: shown }]
  }

  /** Returns null if the rest has to wait for more. */
  #step(isEnd: boolean): ThoughtPiece[] | null {
    switch (this.#state.kind) {
      case 'start':
        return this.#begin(isEnd, this.#state.isAgain)
      case 'thought':
        return this.#think(isEnd, this.#state)
      case 'aside':
        return this.#standAside(isEnd)
      case 'text':
        return this.#tell(isEnd)
    }
  }

  #begin(isEnd: boolean, isAgain: boolean): ThoughtPiece[] | null {
    const text = this.#waiting.trimStart()
    if (text === '' && this.#waiting.length < longestWait) return null
    const tag = openingAtStart.exec(text)
    const inChannel = channel.exec(text)
    if (tag !== null) {
      this.#state = { kind: 'thought', closing, isAssumed: false }
      this.#waiting = text.slice(tag[0].length)
      return []
    }
    if (inChannel !== null) {
      this.#hasChannels = true
      const isFinal = inChannel[1] === 'final'
      this.#state = isFinal ? { kind: 'text' } : { kind: 'thought', closing: finalChannel, isAssumed: false }
      this.#waiting = text.slice(inChannel[0].length)
      return []
    }
    if (!isAgain && unmarked.test(text)) {
      // Text may begin so too: it is a thought only once the other channel has come.
      const final = unmarkedFinal.exec(text)
      if (final === null && !isEnd && text.length < longestWait) return null
      if (final !== null) {
        this.#state = { kind: 'text' }
        this.#waiting = text.slice(final.index + final[0].length)
        return this.#thought(text.slice('analysis'.length, final.index))
      }
    } else if (!isEnd && (mayBecomeTag(text) || (!isAgain && 'analysis'.startsWith(text)))) return null
    const answer = isAgain ? answerOpening.exec(text) : null
    this.#hasMarkedAnswer ||= answer !== null
    this.#state = { kind: 'text' }
    // The white space between a thought and its answer belongs to neither.
    if (isAgain) this.#waiting = text.slice(answer?.[0].length ?? 0).trimStart()
    return []
  }

  #think(isEnd: boolean, { closing: end, isAssumed }: Extract<State, { kind: 'thought' }>) {
    const found = end.exec(this.#waiting)
    if (found !== null) {
      const inner = this.#waiting.slice(0, found.index)
      this.#waiting = this.#waiting.slice(found.index + found[0].length)
      this.#foundWithout ||= isAssumed
      this.#hasThought = true
      this.#state = end === finalChannel ? { kind: 'text' } : { kind: 'start', isAgain: true }
      return this.#thought(inner)
    }
    const from = isEnd ? this.#waiting.length : waitingFrom(this.#waiting)
    const pieces = this.#thought(this.#waiting.slice(0, from))
    this.#waiting = this.#waiting.slice(from)
    if (isEnd && isAssumed) return [...pieces, { type: 'told' } as const]
    return pieces.length === 0 && !isEnd ? null : pieces
  }

  #standAside(isEnd: boolean): ThoughtPiece[] | null {
    const found = closing.exec(this.#waiting)
    const tag = opening.exec(this.#waiting)
    if (found === null || tag === null) {
      if (!isEnd && this.#waiting.length < longestWait) return null
      const text = this.#waiting
      this.#waiting = ''
      this.#state = { kind: 'text' }
      return this.#told(text)
    }
    const inner = this.#waiting.slice(tag.index + tag[0].length, found.index)
    this.#waiting = this.#waiting.slice(found.index + found[0].length)
    this.#hasThought = true
    this.#state = { kind: 'text' }
    return this.#thought(inner)
  }

  /** Line by line, since a tag may be part of the text: in a code fence, or in a text about such tags. */
  #tell(isEnd: boolean): ThoughtPiece[] | null {
    const lineEnd = this.#waiting.indexOf('\n') + 1
    const here = lineEnd === 0 ? this.#waiting : this.#waiting.slice(0, lineEnd)
    if (!/[<[◁]/.test(here)) return this.#upTo(here.length)
    const aside = this.#isFenced || this.#line.trim() !== '' ? null : openingOfLine.exec(here)
    if (aside !== null) {
      this.#state = { kind: 'aside' }
      return []
    }
    const alone = this.#hasThought || this.#hasNamedTag || this.#isFenced ? null : aloneIn(here, this.#line)
    if (alone !== null) {
      const before = here.slice(0, alone.at)
      this.#waiting = this.#waiting.slice(alone.end)
      this.#state = alone.isFinal ? { kind: 'text' } : { kind: 'start', isAgain: true }
      this.#hasChannels ||= alone.isFinal
      this.#foundWithout ||= this.#hasText || before.trim() !== ''
      this.#hasThought = true
      return [...this.#told(before), { type: 'void' }]
    }
    return this.#upTo(isEnd || lineEnd > 0 ? here.length : waitingFrom(here))
  }

  #upTo(end: number): ThoughtPiece[] | null {
    if (end === 0) return null
    const text = this.#waiting.slice(0, end)
    this.#waiting = this.#waiting.slice(end)
    return this.#told(text)
  }

  #pieces(isEnd: boolean): ThoughtPiece[] {
    const found: ThoughtPiece[] = []
    while (this.#waiting !== '') {
      const next = this.#step(isEnd)
      if (next === null) break
      found.push(...next)
    }
    return found
  }
}

/** A tag that closes a thought although none was opened. A tag in quotes is what the text is about. */
function aloneIn(text: string, line: string): { at: number; end: number; isFinal: boolean } | null {
  const final = finalChannel.exec(text)
  if (final !== null) return { at: final.index, end: final.index + final[0].length, isFinal: true }
  const found = closing.exec(text)
  if (found === null || opening.test(text.slice(0, found.index))) return null
  const [before, behind] = [
    text[found.index - 1] ?? line.at(-1) ?? '',
    text[found.index + found[0].length] ?? '',
  ]
  const isQuoted = /[`'"“‘«(]/.test(before) || /[`'"”’»]/.test(behind)
  return isQuoted ? null : { at: found.index, end: found.index + found[0].length, isFinal: false }
}
