/** A run as its events come: a connection that breaks is taken up again where it broke. */

import { bodyOf, createAnswering, type RunFunctions, type RunRequest } from './functions.ts'
import type { operations } from './generated.ts'
import { isSameWait } from './records.ts'
import { get, path } from './transport/calls.ts'
import { ConnectionError, mayPass } from './transport/errors.ts'
import { delayBeforeRetry, pause } from './transport/retry.ts'
import type { CallOptions, Outgoing, Transport } from './transport/transport.ts'
import { withoutUndefined } from './without-undefined.ts'

type EventData = operations['streamRun']['responses'][200]['content']['text/event-stream']

/** An event with its id, behind which `runs.follow` goes on. */
export type RunEvent = EventData & { id: string }

/** What may be set for following a run. */
export type StreamOptions = CallOptions & {
  /** Called each time the connection breaks, before it is taken up again. */
  onBreak?: (() => void) | undefined
  /** How long a server that cannot be reached is tried again, in milliseconds; as any call unless given. */
  reconnectMs?: number | undefined
}

/** How often in a row a stream is opened that says nothing new. */
const mostFruitlessTries = 5

/**
 * Runs an agent and yields what happens until the run has ended or waits for what `tools` do not answer. Leaving the
 * loop does not stop the run.
 */
export async function* streamRun(
  transport: Transport,
  agentId: string,
  run: RunRequest,
  options: StreamOptions = {},
): AsyncGenerator<RunEvent> {
  const at = path`/agents/${agentId}/run`
  const start: Outgoing = { method: 'POST', path: at, body: bodyOf(run), headers: asEvents }
  const response = await transport.open(start, options)
  const runId = response.headers.get('location')?.split('/').at(-1) ?? ''
  yield* goOnAnswering(transport, runId, { ...options, tools: run.tools, response })
}

/** Yields what happens behind `lastEventId`, or from the run's beginning; of a run that has ended too. */
export async function* followRun(
  transport: Transport,
  runId: string,
  options: FollowOptions = {},
): AsyncGenerator<RunEvent> {
  yield* goOnAnswering(transport, runId, options)
}

async function* goOnAnswering(
  transport: Transport,
  runId: string,
  { tools = {}, ...options }: FollowOptions & Following,
): AsyncGenerator<RunEvent> {
  const answer = createAnswering(transport, tools, options)
  let events = goOn(transport, runId, options)
  for (;;) {
    let last: RunEvent | undefined
    for await (const event of events) {
      last = event
      yield event
    }
    if (last?.type !== 'run.waiting' || !(await answer(last.run))) return
    const now = await get<'getRun'>(transport, path`/runs/${runId}`, { signal: options.signal })
    // Where a person has to decide as well, there may be no event for days.
    if (isSameWait(last.run, now)) return
    events = goOn(transport, runId, { ...options, lastEventId: last.id, response: undefined })
  }
}

const asEvents = { accept: 'text/event-stream' }

type FollowOptions = Omit<Following, 'response'> & {
  /** Functions that answer calls of the run, as those of `agents.stream` do. */
  tools?: RunFunctions | undefined
}

type Following = Pick<StreamOptions, 'signal' | 'timeoutMs' | 'onBreak' | 'reconnectMs'> & {
  lastEventId?: string | undefined
  /** A stream that is open already. */
  response?: Response | undefined
}

async function* goOn(
  transport: Transport,
  runId: string,
  { signal, timeoutMs, onBreak, reconnectMs = 0, lastEventId, response }: Following,
): AsyncGenerator<RunEvent> {
  let last = lastEventId
  let opened: Response | undefined = response
  let tries = 0
  let brokenAt: number | null = null
  const hear = (): void => {
    tries = 0
    brokenAt = null
  }
  for (; ; tries++) {
    let isReached = false
    let isWaiting = false
    let fault: unknown = null
    try {
      const current = opened ?? (await transport.open(follow(runId, last), { signal, timeoutMs }))
      opened = undefined
      isReached = true
      if (current.status === 204) return
      // A run that is silent for long is kept alive by comments.
      for await (const event of readEvents(current.body ?? emptyBody(), hear)) {
        hear()
        last = event.id
        const data: EventData = JSON.parse(event.data)
        yield { ...data, id: event.id }
        if (hasEnded(data)) return
        isWaiting = data.type === 'run.waiting' && data.run.status === 'waiting'
      }
    } catch (error) {
      signal?.throwIfAborted()
      fault = error
    }
    // A run may have waited before: the server ends the stream behind the last wait.
    if (isWaiting) return
    brokenAt ??= Date.now()
    const isOverdue = Date.now() - brokenAt >= reconnectMs
    if (!isReached && (isOverdue || !mayPass(fault))) throw fault
    // The server ends a stream when it stops, and when the key may no longer read it: the next call tells which.
    if (tries >= mostFruitlessTries && isOverdue) {
      throw new ConnectionError(`The events of ${runId} broke off again and again`, { cause: fault })
    }
    onBreak?.()
    await pause(delayBeforeRetry(tries, null) ?? 0, signal)
  }
}

const follow = (runId: string, lastEventId: string | undefined): Outgoing => ({
  method: 'GET',
  path: path`/runs/${runId}/events`,
  headers: withoutUndefined<Record<string, string>>({ ...asEvents, 'last-event-id': lastEventId }),
})

const hasEnded = ({ type }: EventData): boolean =>
  type === 'run.succeeded' || type === 'run.failed' || type === 'run.cancelled'

const emptyBody = (): ReadableStream<Uint8Array> => new Response('').body as ReadableStream<Uint8Array>

export type ServerSentEvent = { id: string; event: string; data: string }

/** Each event once it is complete; what a broken stream left unfinished is dropped. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onComment: () => void = () => undefined,
): AsyncGenerator<ServerSentEvent> {
  let id = ''
  let event = ''
  let data: string[] = []
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield { id, event, data: data.join('\n') }
      event = ''
      data = []
      continue
    }
    const colon = line.indexOf(':')
    if (colon === 0) onComment()
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id' && !value.includes('\0')) id = value
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
}

/** Lines end with CR LF, LF or CR. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      // A CR at the end may be the first half of a CR LF.
      const lines = rest.replace(/\r$/, '').split(/\r\n|\n|\r/)
      rest = (lines.pop() ?? '') + (rest.endsWith('\r') ? '\r' : '')
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
