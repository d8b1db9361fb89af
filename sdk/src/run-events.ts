/** A run as its events come: a connection that breaks is taken up again where it broke. */
import { path } from './calls.ts'
import { ConnectionError } from './errors.ts'
import { readEvents } from './event-stream.ts'
import type { operations } from './generated.ts'
import type { Body } from './operations.ts'
import { delayBeforeRetry, pause } from './retry.ts'
import type { CallOptions, Outgoing, Transport } from './transport.ts'
import { withoutUndefined } from './without-undefined.ts'

type Told = operations['streamRun']['responses'][200]['content']['text/event-stream']

/** An event with its id, behind which `runs.follow` goes on. */
export type RunEvent = Told & { id: string }

/** What may be set for following a run. */
export type StreamOptions = CallOptions & {
  /** Told each time the connection breaks, before it is taken up again. */
  onBreak?: (() => void) | undefined
}

/** How often in a row a stream is opened that says nothing new. */
const mostFruitlessTries = 5

/**
 * Runs an agent and yields what happens until the run has ended or waits for an approval. Leaving the loop does not
 * stop the run.
 */
export async function* streamRun(
  transport: Transport,
  agentId: string,
  run: Body<'runAgent'>,
  options: StreamOptions = {},
): AsyncGenerator<RunEvent> {
  const start: Outgoing = { method: 'POST', path: path`/agents/${agentId}/run`, body: run, headers: asEvents }
  const response = await transport.open(start, options)
  const runId = response.headers.get('location')?.split('/').at(-1) ?? ''
  yield* goOn(transport, runId, { ...options, lastEventId: undefined, response })
}

/** Yields what happens behind `lastEventId`, or from the run's beginning; of a run that has ended too. */
export async function* followRun(
  transport: Transport,
  runId: string,
  options: Pick<StreamOptions, 'signal' | 'timeoutMs' | 'onBreak'> & { lastEventId?: string } = {},
): AsyncGenerator<RunEvent> {
  yield* goOn(transport, runId, options)
}

const asEvents = { accept: 'text/event-stream' }

type Following = Pick<StreamOptions, 'signal' | 'timeoutMs' | 'onBreak'> & {
  lastEventId?: string | undefined
  /** A stream that is open already. */
  response?: Response
}

async function* goOn(
  transport: Transport,
  runId: string,
  { signal, timeoutMs, onBreak, lastEventId, response }: Following,
): AsyncGenerator<RunEvent> {
  let last = lastEventId
  let opened: Response | undefined = response
  for (let tries = 0; ; tries++) {
    const current = opened ?? (await transport.open(follow(runId, last), { signal, timeoutMs }))
    opened = undefined
    if (current.status === 204) return
    let fault: unknown = null
    try {
      for await (const event of readEvents(current.body ?? emptyBody())) {
        tries = 0
        last = event.id
        const told: Told = JSON.parse(event.data)
        yield { ...told, id: event.id }
        if (isLast(told)) return
      }
    } catch (error) {
      signal?.throwIfAborted()
      fault = error
    }
    // The server ends a stream when it stops, and when the key may no longer read it: the next call tells which.
    if (tries >= mostFruitlessTries) {
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

const isLast = ({ type }: Told): boolean =>
  type === 'run.succeeded' || type === 'run.failed' || type === 'run.cancelled' || type === 'run.waiting'

const emptyBody = (): ReadableStream<Uint8Array> => new Response('').body as ReadableStream<Uint8Array>
