/** Reads the answer of a server that imitates OpenAI's chat completions, whole or as it is written. */
import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { ModelError } from '../model-error.ts'
import { createCalls } from './calls.ts'
import { endNamed, isNoEnd } from './ends.ts'
import { eventsOf } from './events.ts'
import { notesIn } from './notes.ts'
import { createUsage } from './usage.ts'
import { type Json, listIn, recordIn, textIn } from './values.ts'

type Answer = Parameters<typeof eventsOf>[0]
type Piece = { type: 'text' | 'reasoning'; text: string }

export async function* chatAnswerOf(answer: Answer): AsyncGenerator<LanguageModelV3StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  let open: Piece['type'] | null = null
  let finishReason: LanguageModelV3FinishReason | null = null
  let [isDone, hasText] = [false, false]
  const usage = createUsage()
  const calls = createCalls()
  const notes: string[] = []
  for await (const event of eventsOf(answer, () => finishReason !== null)) {
    if (event.kind === 'done') {
      isDone = true
      break
    }
    const value = recordIn(event.value)
    const choice = recordIn(firstOf(value.choices))
    const error = errorIn(event.name, value, choice)
    if (error !== null) return yield { type: 'error', error }
    usage.take(value, choice)
    const finish = textIn(choice.finish_reason ?? choice.finishReason ?? choice.stop_reason ?? '')
    if (!isNoEnd(finish)) finishReason = { unified: unifiedOf(finish), raw: finish }
    const isWhole = choice.delta == null && choice.message != null
    // A message that is whole repeats what its pieces have brought.
    if (isWhole && (hasText || !calls.isEmpty)) continue
    const delta = choice.delta ?? choice.message ?? choice.text
    const message = recordIn(delta)
    for (const { type, text } of piecesIn(typeof delta === 'string' ? { content: delta } : message)) {
      hasText ||= type === 'text' && text.trim() !== ''
      if (type !== open) {
        if (open !== null) yield { type: `${open}-end`, id: open }
        yield { type: `${type}-start`, id: type }
        open = type
      }
      yield { type: `${type}-delta`, id: type, delta: text }
    }
    for (const written of calls.take(callsIn(message))) {
      if (written !== '') yield { type: 'tool-input-delta', id: 'call', delta: written }
    }
  }
  if (open !== null) yield { type: `${open}-end`, id: open }
  if (finishReason === null) {
    // What a server calls done is whole, unless a call in it is not.
    const isWhole = isDone && (hasText || !calls.isEmpty) && calls.areWhole()
    if (!isWhole) throw new ModelError('model_invalid_response', "The model's answer broke off")
    finishReason = { unified: calls.isEmpty ? 'stop' : 'tool-calls', raw: undefined }
    notes.push('no finish reason; the server called its answer done')
  }
  // A call that was cut off has not been asked for.
  if (finishReason.unified === 'stop' || finishReason.unified === 'tool-calls') {
    const ended = calls.end()
    notes.push(...ended.notes)
    yield* ended.calls
  }
  yield { type: 'finish', finishReason, usage: usage.told(), ...notesIn(notes) }
}

/** A list that is an object with a number for each item is a list. */
function firstOf(choices: unknown): unknown {
  const [first] = listIn(choices)
  const numbered = recordIn(first)
  return Array.isArray(choices) || numbered['0'] === undefined ? first : numbered['0']
}

function unifiedOf(finish: string): LanguageModelV3FinishReason['unified'] {
  const end = endNamed(finish)
  return end === 'broken' ? 'other' : end
}

function piecesIn(delta: Json): Piece[] {
  const pieces: Piece[] = []
  const add = (type: Piece['type'], text: string): void => {
    if (text !== '') pieces.push({ type, text })
  }
  const thoughts = textIn(delta.reasoning_content ?? delta.reasoning ?? delta.thinking ?? '')
  add('reasoning', thoughts === '' ? detailsIn(delta.reasoning_details) : thoughts)
  if (Array.isArray(delta.content)) for (const part of delta.content) addPart(part, add)
  else if (typeof delta.content === 'object' && delta.content !== null) addPart(delta.content, add)
  else add('text', textIn(delta.content))
  // A refusal is what the model says instead of an answer.
  add('text', textIn(delta.refusal))
  return pieces
}

/** The parts of a text, some of which are thoughts. Parts that are neither are left out. */
function addPart(part: unknown, add: (type: Piece['type'], text: string) => void): void {
  const { type, text, thinking, reasoning, content } = recordIn(
    typeof part === 'object' ? part : { text: part },
  )
  const kind = textIn(type)
  if (/think|thought|reason/.test(kind)) add('reasoning', textIn(thinking ?? reasoning ?? text ?? content))
  else if (kind === '' || kind === 'text' || kind === 'output_text') add('text', textIn(text ?? content))
}

/** OpenRouter's form: some details are encrypted, or are a summary. */
const detailsIn = (details: unknown): string =>
  listIn(details)
    .map(detail => {
      const { text, summary } = recordIn(detail)
      return textIn(text ?? summary ?? '')
    })
    .join('')

/** The pieces of calls; `function_call` is their first form, without ids. */
const callsIn = (message: Json): unknown =>
  message.tool_calls ??
  (message.function_call == null ? null : [{ index: 0, function: message.function_call }])

/** The error that an event tells; null for an event that tells none. */
function errorIn(name: string | null, event: Json, choice: Json): unknown {
  for (const error of [event.error, choice.error]) if (isSaid(error)) return error
  if (name === 'error' || event.object === 'error' || event.type === 'error') return event
  const isAnswer = event.choices !== undefined || event.usage != null
  const words = event.detail ?? event.message ?? event.msg ?? event.errors
  return !isAnswer && isSaid(words) ? { ...event, message: textIn(words) || JSON.stringify(words) } : null
}

const isSaid = (error: unknown): boolean =>
  error != null && error !== false && error !== '' && error !== 0 && JSON.stringify(error) !== '{}'
