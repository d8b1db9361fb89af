/** What a scripted model server does with a request, whatever protocol it speaks, and the log that it keeps. */
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the server does with one request for an answer. */
export type ModelBehaviour =
  | ScriptedAnswer
  /** An answer whose words come one by one, with so long between them; all at once where no stream is asked for. */
  | { kind: 'paced'; text: string; delayMs: number; reasoning?: string }
  | { kind: 'slow'; delayMs: number; behaviour: ModelBehaviour }
  /** Waits for the test before it does the rest. */
  | { kind: 'held'; until: Promise<unknown>; behaviour: ModelBehaviour }
  /** Takes the request and says nothing until the client hangs up. */
  | { kind: 'never' }
  /** Begins the answer and then says nothing until the client hangs up. */
  | { kind: 'stalls'; text: string }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
  /** Sends the beginning of an answer and breaks the connection. */
  | { kind: 'half'; text?: string }
  /** Sends the beginning of a stream and ends it in good order, without having said how the answer ends. */
  | { kind: 'unfinished'; text: string }
  /** Sends the beginning of a stream and then an error of the protocol, such as Anthropic's `overloaded_error`. */
  | { kind: 'stream_error'; text: string; type: string; message: string }
  /** Streams a text as it is. */
  | { kind: 'raw_stream'; text: string }
  | { kind: 'invalid_json' }
  | { kind: 'huge'; sizeBytes: number }

/** `arguments` given as text is sent as it is, valid JSON or not. */
export type ScriptedCall = { name: string; arguments: unknown }

export type ScriptedAnswer =
  | {
      kind: 'answer'
      text: string
      /** What the model says to itself before. */
      reasoning?: string | undefined
      finishReason?: 'stop' | 'length' | 'content_filter'
    }
  /** In a stream the arguments come in pieces of `pieceLength` characters; whole unless given. */
  | { kind: 'tool_calls'; calls: ScriptedCall[]; text?: string; reasoning?: string; pieceLength?: number }

/** How a protocol says things. Frames are server-sent events as they go over the wire. */
export type Protocol<Request> = {
  answer(answer: ScriptedAnswer, request: Request): object
  frames(answer: ScriptedAnswer, request: Request): { opening: string[]; deltas: string[]; closing: string[] }
  /** A stream that has begun to say a text. */
  beginning(text: string, request: Request): string
  /** One more piece of that text. */
  textFrame(text: string, request: Request): string
  /** JSON up to the text of an answer. */
  answerUpToText: string
  error(status: number): object
  errorFrame(type: string, message: string): string
}

export type LoggedRequest<Request> = {
  body: Request
  headers: IncomingHttpHeaders
  /** When the client hung up before it had the whole answer; null if it did not. */
  closedByClientAtMs: number | null
  answered: boolean
}

/** Adds a request to the log, which is kept up to date until its answer is over. */
export function logRequest<Request>(
  log: LoggedRequest<Request>[],
  body: Request,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const logged: LoggedRequest<Request> = {
    body,
    headers: request.headers,
    closedByClientAtMs: null,
    answered: false,
  }
  response.on('close', () => {
    if (!logged.answered) logged.closedByClientAtMs = Date.now()
  })
  response.on('finish', () => {
    logged.answered = true
  })
  log.push(logged)
}

export async function behave<Request extends { stream?: boolean }>(
  behaviour: ModelBehaviour,
  protocol: Protocol<Request>,
  request: Request,
  response: ServerResponse,
): Promise<void> {
  switch (behaviour.kind) {
    case 'slow':
      await sleep(behaviour.delayMs, undefined, { ref: false })
      return behave(behaviour.behaviour, protocol, request, response)
    case 'held':
      await behaviour.until
      return behave(behaviour.behaviour, protocol, request, response)
    case 'never':
      return
    case 'status':
      return sendJson(
        response,
        behaviour.status,
        behaviour.body ?? protocol.error(behaviour.status),
        behaviour.headers,
      )
    case 'invalid_json':
      beginAnswer(request, response)
      response.end(request.stream ? 'data: {"choices": nonsense\n\n' : '{"choices": nonsense')
      return
    case 'raw_stream':
      beginAnswer(request, response)
      response.end(behaviour.text)
      return
    case 'huge':
      return sendHuge(behaviour.sizeBytes, protocol, request, response)
    case 'half':
      sendBeginning(behaviour.text ?? 'Half an', protocol, request, response)
      await sleep(10)
      response.destroy()
      return
    case 'stalls':
      return sendBeginning(behaviour.text, protocol, request, response)
    case 'unfinished':
      sendBeginning(behaviour.text, protocol, request, response)
      response.end()
      return
    case 'stream_error':
      sendBeginning(behaviour.text, protocol, request, response)
      response.end(protocol.errorFrame(behaviour.type, behaviour.message))
      return
    case 'paced': {
      const { text, reasoning, delayMs } = behaviour
      const answer = { kind: 'answer', text, reasoning } as const
      return sendAnswer(answer, protocol, request, response, delayMs)
    }
    case 'answer':
    case 'tool_calls':
      return sendAnswer(behaviour, protocol, request, response, 0)
  }
}

async function sendAnswer<Request extends { stream?: boolean }>(
  answer: ScriptedAnswer,
  protocol: Protocol<Request>,
  request: Request,
  response: ServerResponse,
  delayMs: number,
): Promise<void> {
  if (!request.stream) return sendJson(response, 200, protocol.answer(answer, request))
  const { opening, deltas, closing } = protocol.frames(answer, request)
  beginAnswer(request, response)
  if (delayMs === 0) {
    response.end([...opening, ...deltas, ...closing].join(''))
    return
  }
  response.write(opening.join(''))
  for (const delta of deltas) {
    await sleep(delayMs, undefined, { ref: false })
    // Who has hung up is sent nothing more.
    if (response.destroyed) return
    response.write(delta)
  }
  response.end(closing.join(''))
}

/** The first words of an answer, with no end to it. */
function sendBeginning<Request extends { stream?: boolean }>(
  text: string,
  protocol: Protocol<Request>,
  request: Request,
  response: ServerResponse,
): void {
  beginAnswer(request, response)
  if (!request.stream) {
    response.write(protocol.answerUpToText + text)
    return
  }
  response.write(protocol.beginning(text, request))
}

/** A valid beginning, then letters without end, as fast as the client takes them. */
async function sendHuge<Request extends { stream?: boolean }>(
  sizeBytes: number,
  protocol: Protocol<Request>,
  request: Request,
  response: ServerResponse,
): Promise<void> {
  sendBeginning('', protocol, request, response)
  const letters = 'a'.repeat(request.stream ? 1_000 : 256 * 1024)
  const block = request.stream ? protocol.textFrame(letters, request) : letters
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  for (let sent = 0; sent < sizeBytes && !response.destroyed; sent += block.length) {
    const { signal } = closed
    // A client that hangs up ends the wait; the loop's condition then ends the sending.
    if (!response.write(block)) await once(response, 'drain', { signal }).catch(() => undefined)
  }
  response.end()
}

const beginAnswer = ({ stream }: { stream?: boolean }, response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
  response.flushHeaders()
}

/** A text in the pieces that a stream brings it in. */
export const wordsOf = (text: string): string[] =>
  text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text])

/** A text in pieces of a length; whole where none is given. */
export function piecesOf(text: string, length: number | undefined): string[] {
  if (length === undefined) return [text]
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
}

export const argumentsText = ({ arguments: given }: ScriptedCall): string =>
  typeof given === 'string' ? given : JSON.stringify(given)

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body)
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...headers,
    })
    .end(text)
}
