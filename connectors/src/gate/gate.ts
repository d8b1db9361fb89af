/**
 * The gate for bytes from outside: what another program wrote passes it before any parser, ours or a package's, sees
 * it. The gate counts bytes, values, depth and the longest text. These counts bound what parsing may cost.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

export type Limits = {
  /** Of one value: a whole body, or one event of a stream. */
  maxBytes: number
  /**
   * Counted by their brackets and commas. A parser takes a tenth of a microsecond for a value; a package that also
   * checks the value by a schema takes up to a hundred times as long.
   */
  maxValues: number
  /** Of lists and objects in each other. */
  maxDepth: number
  /** The longest text, as it is written. */
  maxTextBytes?: number
}

/** For small replies, such as tokens and metadata. */
export const smallLimits: Limits = { maxBytes: 1024 * 1024, maxValues: 5_000, maxDepth: 50 }

/** Why bytes are refused; the message follows the name of what sent them. */
export class OutsideFault extends Error {
  override readonly name = 'OutsideFault'
  readonly limit: 'bytes' | 'values' | 'depth' | 'text' | 'time'

  constructor(limit: OutsideFault['limit'], most: number) {
    super(words[limit](most))
    this.limit = limit
  }
}

const words: Record<OutsideFault['limit'], (most: number) => string> = {
  bytes: most => `a value of more than ${most} bytes`,
  values: most => `a value that holds more than ${most} values`,
  depth: most => `a value that is nested deeper than ${most} levels`,
  text: most => `a value with a text of more than ${most} bytes`,
  time: most => `a value that takes more than ${most} ms of a processor to read`,
}

/** Counts bytes as they come. JSON is one value, a stream of events (`text/event-stream`) has one in each event. */
export type Scan = {
  /**
   * Counts the bytes from `from` on. Returns where to make a pause: what lies before takes a parser some milliseconds.
   * Throws `OutsideFault`.
   */
  take(piece: Uint8Array, from: number): number
}

const [plain, quote, separator, opening, closing] = [0, 1, 2, 3, 4]
/** What each byte means outside of texts. Looking it up takes a fraction of the time of comparing it. */
const meanings = new Uint8Array(256)
for (const [signs, meaning] of [
  ['"', quote],
  [',', separator],
  ['[{', opening],
  [']}', closing],
] as const)
  for (const sign of signs) meanings[sign.charCodeAt(0)] = meaning
const [quoteByte, backslashByte, lineFeedByte, carriageReturnByte] = [0x22, 0x5c, 0x0a, 0x0d]

/** After so many values and lines, other work gets its turn. */
const mostBetweenPauses = 1_000

export function createScan(
  { maxBytes, maxValues, maxDepth, maxTextBytes = maxBytes }: Limits,
  form: 'json' | 'events',
): Scan {
  const isOfEvents = form === 'events'
  let state = { bytes: 0, values: 0, depth: 0, textBytes: 0, isInText: false, isEscaped: false }
  let isLineEmpty = true

  return {
    take(piece, from) {
      // Local names: reading the fields for each byte would take several times as long.
      let { bytes, values, depth, textBytes, isInText, isEscaped } = state
      let [at, countedTo, lineStart, sincePause] = [from, from, from, 0]
      const end = piece.length
      let nextLine = isOfEvents ? placeOf(lineFeedByte, piece, from) : end
      while (at < end && sincePause <= mostBetweenPauses) {
        if (at === nextLine) {
          // An empty line ends an event. A JSON text never continues in the next line.
          bytes += at - countedTo
          countedTo = at
          if (bytes > maxBytes) throw new OutsideFault('bytes', maxBytes)
          if (isLineEmpty && isBlank(piece, lineStart, at)) bytes = values = depth = 0
          isLineEmpty = true
          isInText = isEscaped = false
          sincePause++
          at++
          lineStart = at
          nextLine = placeOf(lineFeedByte, piece, at)
        } else if (isInText) {
          // The first byte after a backslash that ended the piece before is part of the text.
          const start = isEscaped ? at + 1 : at
          const closed = endOfText(piece, start, nextLine)
          textBytes += closed.at - at
          if (textBytes > maxTextBytes) throw new OutsideFault('text', maxTextBytes)
          isEscaped = closed.isEscaped
          isInText = !closed.isClosed
          at = closed.isClosed ? closed.at + 1 : closed.at
        } else {
          for (; at < nextLine && sincePause <= mostBetweenPauses; at++) {
            const meaning = meanings[piece[at] ?? 0]
            if (meaning === plain) continue
            if (meaning === quote) {
              isInText = true
              textBytes = 0
              at++
              break
            }
            if (meaning === closing) {
              depth--
              continue
            }
            sincePause++
            if (++values > maxValues) throw new OutsideFault('values', maxValues)
            if (meaning === opening && ++depth > maxDepth) throw new OutsideFault('depth', maxDepth)
          }
        }
      }
      bytes += at - countedTo
      if (bytes > maxBytes) throw new OutsideFault('bytes', maxBytes)
      isLineEmpty &&= isBlank(piece, lineStart, at)
      state = { bytes, values, depth, textBytes, isInText, isEscaped }
      return at
    },
  }
}

/** Whether a line, or the piece of one, is empty. Many servers end their lines with a carriage return as well. */
const isBlank = (piece: Uint8Array, start: number, end: number): boolean =>
  end === start || (end === start + 1 && piece[start] === carriageReturnByte)

/** The end of the piece if the byte does not occur. */
function placeOf(byte: number, piece: Uint8Array, from: number): number {
  const at = piece.indexOf(byte, from)
  return at === -1 ? piece.length : at
}

/** Where a text ends, or the piece or line that it is in; then also whether a backslash was the last byte. */
function endOfText(piece: Uint8Array, start: number, end: number) {
  for (let from = start; from < end; ) {
    const at = Math.min(placeOf(quoteByte, piece, from), end)
    let slashes = 0
    while (at - 1 - slashes >= start && piece[at - 1 - slashes] === backslashByte) slashes++
    const isEscaped = slashes % 2 === 1
    if (at === end) return { at, isClosed: false, isEscaped }
    if (!isEscaped) return { at, isClosed: true, isEscaped }
    from = at + 1
  }
  // The last quote was escaped, and was the last byte.
  return { at: end, isClosed: false, isEscaped: false }
}

/** Throws `OutsideFault` if a parser would take long for the JSON text, whether it is JSON or not. */
export function checkJson(text: string | Uint8Array, limits: Limits): void {
  const piece = typeof text === 'string' ? Buffer.from(text) : text
  const scan = createScan(limits, 'json')
  for (let at = 0; at < piece.length; ) at = scan.take(piece, at)
}

/** Like `JSON.parse`, for texts within the limits. Throws `OutsideFault`, or `SyntaxError`. */
export function readJson(text: string, limits: Limits = smallLimits): unknown {
  if (text.length > limits.maxBytes) throw new OutsideFault('bytes', limits.maxBytes)
  checkJson(text, limits)
  return JSON.parse(text)
}

/** Undefined if the text is no JSON, or beyond the limits. */
export function jsonIn(text: string, limits: Limits = smallLimits): unknown {
  try {
    return readJson(text, limits)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof OutsideFault) return undefined
    throw error
  }
}

const mostFields = 200
const mostFormBytes = 256 * 1024

/** A form, or the query of an address. Throws `OutsideFault` if it has more fields than any form of ours. */
export function readForm(text: string): URLSearchParams {
  if (text.length > mostFormBytes) throw new OutsideFault('bytes', mostFormBytes)
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1))
    if (++fields > mostFields) throw new OutsideFault('values', mostFields)
  return new URLSearchParams(text)
}

export const isEventStream = (headers: Headers): boolean =>
  headers.get('content-type')?.trim().toLowerCase().startsWith('text/event-stream') === true

type Bytes = Uint8Array<ArrayBuffer>

/**
 * The same reply. Its body breaks off with an `OutsideFault` before a package could parse what is beyond the limits,
 * and comes in pieces that are parsed in a few milliseconds each. `failed` is told of each error of the body.
 */
export function gated(
  response: Response,
  limits: Limits,
  failed: (error: unknown) => unknown = error => error,
): Response {
  const { status, statusText, headers } = response
  if (response.body === null) return response
  const reader = response.body.getReader()
  const scan = createScan(limits, isEventStream(headers) ? 'events' : 'json')
  let rest: Bytes = new Uint8Array()
  const next = async (): Promise<Bytes | null> => {
    if (rest.length === 0) {
      const { done, value } = await reader.read()
      if (done) return null
      rest = value
    } else await nextTurn()
    const end = scan.take(rest, 0)
    const piece = rest.subarray(0, end)
    rest = rest.subarray(end)
    return piece
  }
  return new Response(bodyOf(reader, next, failed), { status, statusText, headers })
}

/** What `next` makes of the pieces that it reads, until it returns null. Its errors break the body off. */
export function bodyOf(
  reader: ReadableStreamDefaultReader<Bytes>,
  next: () => Promise<Bytes | null>,
  failed: (error: unknown) => unknown,
): ReadableStream<Bytes> {
  return new ReadableStream<Bytes>({
    async pull(controller) {
      try {
        const piece = await next()
        if (piece === null) controller.close()
        else controller.enqueue(piece)
      } catch (error) {
        controller.error(failed(error))
        // The rest is of no use. It does not matter if giving it up fails too.
        await reader.cancel(error).catch(() => undefined)
      }
    },
    cancel: reason => reader.cancel(reason),
  })
}
