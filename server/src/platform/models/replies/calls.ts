/** The tool calls of a reply of chat completions, put together from the pieces that a server sends of them. */
import type { LanguageModelV3ToolCall } from '@ai-sdk/provider'
import { jsonIn } from '@atrium/connectors/gate'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { createGrowingText } from '../../text/growing-text.ts'
import { modelTextLimits } from '../../text/model-text.ts'
import { answerTooLarge, ModelError, maxToolCalls } from '../model-error.ts'
import { type Json, jsonTextOf, listIn, numberIn, recordIn, textIn } from './values.ts'

/** A call that is being written. */
type BegunCall = { id: string; name: string; index: number | null; input: Arguments; signature: unknown }

type SaidOfCall = { id: string; name: string; input: string; index: number | null }

export type Calls = {
  /** Takes a piece, or a list of pieces. Returns what they add to the arguments of calls. */
  take(pieces: unknown): string[]
  readonly isEmpty: boolean
  /** Whether each call has a name, and arguments that are whole. */
  areWhole(): boolean
  /** The calls, and notes about what was repaired. Throws `ModelError` for a call without a name. */
  end(): { calls: LanguageModelV3ToolCall[]; notes: string[] }
}

export function createCalls(): Calls {
  const calls: BegunCall[] = []
  const notes = new Set<string>()

  function takeOne(piece: Json): string {
    const described = recordIn(piece.function)
    const given = described.arguments ?? piece.arguments ?? described.parameters ?? piece.input
    const said = {
      id: textIn(piece.id),
      name: textIn(described.name ?? piece.name).trim(),
      input: jsonTextOf(given),
      index: numberIn(piece.index) ?? null,
    }
    if (given != null && typeof given !== 'string') notes.add('arguments that came as a value became JSON')
    if (said.index === null) notes.add('index missing; calls are told apart by id, name and arguments')
    const found = callIn(calls, said)
    const call = found ?? {
      id: '',
      name: '',
      index: said.index,
      input: createArguments(),
      signature: undefined,
    }
    if (found === undefined) calls.push(call)
    if (calls.length > maxToolCalls) throw answerTooLarge()
    call.id ||= said.id
    call.name ||= said.name
    call.signature ??= recordIn(recordIn(piece.extra_content).google).thought_signature
    const repair = call.input.add(said.input)
    if (repair !== null) notes.add(repair)
    return said.input
  }

  return {
    take: pieces =>
      listIn(pieces)
        .filter(piece => piece != null)
        .map(piece => takeOne(recordIn(piece))),
    get isEmpty() {
      return calls.length === 0
    },
    areWhole: () => calls.every(({ name, input }) => name !== '' && input.isWhole()),
    end() {
      const made = inOrder(calls).map(({ id, name, input, signature }, place) => {
        if (name === '')
          throw new ModelError('model_invalid_response', 'The model calls a tool without a name')
        return withoutUndefined<LanguageModelV3ToolCall>({
          type: 'tool-call',
          toolCallId: id === '' ? `call_${place + 1}` : id,
          toolName: name,
          input: input.text,
          providerMetadata:
            typeof signature === 'string' ? { google: { thoughtSignature: signature } } : undefined,
        })
      })
      return { calls: made, notes: calls.length === 0 ? [] : [...notes] }
    },
  }
}

/** The arguments of a call. Its pieces may be parts of one text, or a value that came before, whole, once more. */
export type Arguments = {
  /** Returns what was repaired; null for a piece that continues the text. */
  add(input: string): string | null
  /** Whether the text so far is nothing, or stands for nothing. */
  isEmpty(): boolean
  isWhole(): boolean
  /** Whether the text repeats the arguments so far, or all of them and more. */
  isRepeatedBy(input: string): boolean
  readonly text: string
}

export function createArguments(): Arguments {
  const written = createGrowingText()
  let length = 0
  let shape = createShape()
  const append = (input: string): void => {
    written.add(input)
    length += input.length
    shape.take(input)
  }
  const replace = (input: string): void => {
    written.clear()
    length = 0
    shape = createShape()
    append(input)
  }
  const isEmpty = (): boolean => length < longestEmpty && isEmptyValue(written.text)
  // Texts of very different lengths are not compared: the arguments may be long, and such pieces many.
  const isLike = (input: string): boolean => length <= 2 * input.length && input.length <= 2 * length
  const isSame = (input: string): boolean => isLike(input) && isSameJson(written.text, input)
  const isSnapshot = (input: string): boolean => length <= input.length && input.startsWith(written.text)
  return {
    add(input) {
      if (input === '') return null
      if (length === 0 || !beginsValue(input)) {
        append(input)
        return null
      }
      if (isEmpty()) {
        if (!isEmptyValue(input)) replace(input)
        return 'an empty value came before the arguments'
      }
      if (shape.isWhole() && (isEmptyValue(input) || isSame(input)))
        return 'a call came twice; it counts once'
      if (isSnapshot(input)) {
        replace(input)
        return 'arguments came whole again and again; the last ones count'
      }
      append(input)
      return null
    },
    isEmpty: () => length === 0 || isEmpty(),
    isWhole: () => length === 0 || isEmpty() || shape.isWhole(),
    isRepeatedBy: input => isEmptyValue(input) || isSame(input) || (!shape.isWhole() && isSnapshot(input)),
    get text() {
      return written.text
    },
  }
}

const longestEmpty = 10
const isEmptyValue = (input: string): boolean => ['', '{}', 'null', '""', '[]'].includes(input.trim())

const beginsValue = (input: string): boolean => /^\s*\{/.test(input) || (input !== '' && isEmptyValue(input))

function isSameJson(one: string, other: string): boolean {
  if (one === other) return true
  const [before, after] = [jsonIn(one, modelTextLimits), jsonIn(other, modelTextLimits)]
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after)
}

/** Follows the brackets of a text: whether each bracket that was opened is closed. */
function createShape() {
  let [depth, isInText, isEscaped, hasBegun] = [0, false, false, false]
  return {
    take(text: string): void {
      for (const sign of text) {
        if (isEscaped) isEscaped = false
        else if (isInText) {
          if (sign === '\\') isEscaped = true
          else if (sign === '"') isInText = false
        } else if (sign === '"') isInText = true
        else if (sign === '{' || sign === '[') {
          depth++
          hasBegun = true
        } else if (sign === '}' || sign === ']') depth--
      }
    },
    isWhole: () => hasBegun && depth === 0 && !isInText,
  }
}

/**
 * Finds the call that a piece belongs to. Most servers number the calls. Some leave the numbers out, or give all
 * calls the same number. Then a call begins with another id or name, or with the same name and other arguments.
 */
function callIn(calls: readonly BegunCall[], { id, name, input, index }: SaidOfCall): BegunCall | undefined {
  const call = calls.findLast(index === null ? one => id === '' || one.id === id : one => one.index === index)
  if (call === undefined) {
    // Some servers give each piece an id of its own.
    const continues = index === null && name === '' && input !== '' && !beginsValue(input)
    return continues ? calls.at(-1) : undefined
  }
  if (name === '' || call.name === '') return call
  if (call.name !== name) return undefined
  const hasOtherId = id !== '' && call.id !== '' && call.id !== id
  if (call.input.isEmpty()) return hasOtherId ? undefined : call
  if (!beginsValue(input)) return hasOtherId && call.input.isWhole() ? undefined : call
  return call.input.isRepeatedBy(input) ? call : undefined
}

/** In the order of their numbers, if all calls have one. */
const inOrder = (calls: readonly BegunCall[]): readonly BegunCall[] =>
  calls.every(({ index }) => index !== null)
    ? calls.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
    : calls
