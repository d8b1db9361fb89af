/** The events of a model server's reply, whatever their form: a stream of events, lines of JSON, or one JSON value. */
import { StringDecoder } from 'node:string_decoder'
import { parseJson } from '@atrium/connectors/gate/parse-json'
import { createEventReader } from '@atrium/connectors/gate/read-events'
import { ModelError } from '../model-error.ts'
import { ModelAnswer } from '../model-fetch.ts'
import type { Json } from './values.ts'

/** `done` says that the server has said all: by `[DONE]`, or by one JSON value that is whole. */
export type ReplyEvent = { kind: 'event'; name: string | null; value: unknown } | { kind: 'done' }

/** The events of one protocol, on their way to its package. */
export type PackageEvents = {
  take(name: string | null, event: Json): Json[]
  /** The server has said that it is done. */
  done(): Json[]
  /** The bytes have ended. */
  end(): Json[]
  /** Whether the answer has told its end. */
  readonly isOver: boolean
  /** Whether nothing more is wanted of the server. */
  readonly hasEnded: boolean
}

type Answer = object & { body: AsyncIterable<Uint8Array> | null }

/** The usage may come behind the end of an answer. A server that says nothing more is not waited for. */
const lingerMs = 2_000

/**
 * `isOver` says whether the answer has told its end. From then on, a silence or a broken connection is the end of the
 * reply. Throws `ModelError` for an event that is no JSON.
 */
export async function* eventsOf(answer: Answer, isOver: () => boolean): AsyncGenerator<ReplyEvent> {
  const bytes = bytesOf(answer)[Symbol.asyncIterator]()
  const decoder = new StringDecoder('utf8')
  let read: ReturnType<typeof createReader> | null = null
  let beginning = ''
  try {
    for (;;) {
      const next = await nextOf(bytes, isOver())
      if (next === null) break
      let text = decoder.write(next)
      if (read === null) {
        // The first sign tells JSON from events: the content type of many servers is wrong.
        beginning += text
        text = beginning.replace(/^[\ufeff\s]+/, '')
        if (text === '') continue
        read = createReader(text)
      }
      for (const event of read.take(text)) {
        yield event
        if (event.kind === 'done') return
      }
    }
    if (read !== null) yield* await read.end()
  } finally {
    // Without waiting: the iterator of a stream answers only after the next bytes.
    void bytes.return?.(undefined)
  }
}

/** Null at the end of the bytes. */
async function nextOf(bytes: AsyncIterator<Buffer>, isOver: boolean): Promise<Buffer | null> {
  const pending = bytes.next()
  if (!isOver) {
    const { done, value } = await pending
    return done ? null : value
  }
  const { promise: silence, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, lingerMs, null)
  try {
    const first = await Promise.race([pending.catch(() => null), silence])
    return first === null || first.done ? null : first.value
  } finally {
    clearTimeout(timer)
  }
}

/** `end` gives what the end of the bytes completes. */
type Reader = { take(text: string): ReplyEvent[]; end(): Promise<ReplyEvent[]> }

const createReader = (beginning: string): Reader =>
  beginning.startsWith('{') || beginning.startsWith('[') ? createJsonReader() : createStreamReader()

function createStreamReader(): Reader {
  const read = createEventReader()
  return {
    take: text => read(text).flatMap(({ name, data }) => eventIn(name, data)),
    // The last event may lack its blank line. If it was cut off within its line, it is no event.
    async end() {
      return read('\n\n').flatMap(({ name, data }) => {
        try {
          return eventIn(name, data)
        } catch (error) {
          if (error instanceof ModelError) return []
          throw error
        }
      })
    },
  }
}

function eventIn(name: string | null, data: string | null): ReplyEvent[] {
  const text = data?.trim() ?? ''
  if (text === '') return []
  if (/^\[?done\]?$/i.test(text)) return [{ kind: 'done' }]
  const whole = parsed(text)
  if (whole !== undefined) return [{ kind: 'event', name, value: whole }]
  // Some servers end their events with one line end only, so that many events look like one.
  const lines = text.split('\n').map(line => line.trim())
  if (lines.length === 1) {
    if (name === 'error') return [{ kind: 'event', name, value: { error: text } }]
    throw notUnderstood()
  }
  return lines.flatMap(line => eventIn(name, line))
}

/** One JSON value, a list of events, or an event in each line. */
function createJsonReader(): Reader {
  /** Joined once a line ends, since each joining copies the whole text. */
  let begun: string[] = []
  let events = 0
  /** Null until the first line has shown whether each line is an event. */
  let isLines: boolean | null = null
  return {
    take(text) {
      begun.push(text)
      if (isLines === false || !text.includes('\n')) return []
      const lines = begun.join('').split('\n')
      const found: ReplyEvent[] = []
      for (const line of lines.slice(0, -1)) {
        if (line.trim() === '') continue
        const value = parsed(line)
        isLines ??= value !== undefined
        if (!isLines) {
          begun = [lines.join('\n')]
          return []
        }
        if (value === undefined) throw notUnderstood()
        events++
        found.push({ kind: 'event', name: null, value })
      }
      begun = [lines.at(-1) ?? '']
      return found
    },
    async end() {
      const rest = begun.join('')
      if (rest.trim() === '') return events === 1 ? [{ kind: 'done' }] : []
      const value = await parseJson(rest).catch(() => undefined)
      if (value === undefined) return []
      const values = Array.isArray(value) ? value : [value]
      const found = values.map((each): ReplyEvent => ({ kind: 'event', name: null, value: each }))
      return events + found.length === 1 ? [...found, { kind: 'done' }] : found
    },
  }
}

const notUnderstood = (): ModelError =>
  new ModelError('model_invalid_response', "The model's answer could not be understood")

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The bytes of an answer. An answer that `createModelFetch` did not make is read by its stream. */
const bytesOf = (answer: Answer): AsyncIterable<Buffer> =>
  answer instanceof ModelAnswer ? answer.arriving : pieces(answer.body)

async function* pieces(stream: AsyncIterable<Uint8Array> | null): AsyncGenerator<Buffer> {
  for await (const piece of stream ?? []) yield Buffer.from(piece)
}
