/**
 * The replies that providers' packages read: brought into the form that a package takes, since a package refuses a whole
 * answer for one field of another type, waits for the end of the connection, and loses an event without a blank line.
 */
import { createAnthropicEvents } from './anthropic-events.ts'
import { eventsOf, type PackageEvents } from './events.ts'
import { type Json, listIn, recordIn, textIn } from './values.ts'

type Fetch = typeof globalThis.fetch

export const asAnthropic = (fetch: Fetch): Fetch => tidying(fetch, createAnthropicEvents)
export const asGoogle = (fetch: Fetch): Fetch => tidying(fetch, createGoogleEvents)
export const asResponses = (fetch: Fetch): Fetch => tidying(fetch, createResponseEvents)

function tidying(fetch: Fetch, createEvents: () => PackageEvents): Fetch {
  return async (...request) => {
    const answer = await fetch(...request)
    if (!answer.ok || !asksForStream(...request)) return answer
    const headers = new Headers(answer.headers)
    headers.set('content-type', 'text/event-stream')
    headers.delete('content-length')
    // The types of the DOM and of Node call the same stream differently.
    const body = ReadableStream.from(tidied(answer, createEvents())) as ReadableStream
    return new Response(body, { status: answer.status, headers })
  }
}

/** Vectors and lists come in one piece. */
const asksForStream = (...[address, options]: Parameters<Fetch>): boolean =>
  String(address).includes(':streamGenerateContent') ||
  (typeof options?.body === 'string' && options.body.includes('"stream":true'))

async function* tidied(
  answer: Parameters<typeof eventsOf>[0],
  events: PackageEvents,
): AsyncGenerator<Uint8Array> {
  const written = (all: readonly Json[]): Uint8Array[] =>
    all.map(event => Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
  for await (const event of eventsOf(answer, () => events.isOver)) {
    yield* written(event.kind === 'done' ? events.done() : events.take(event.name, recordIn(event.value)))
    if (events.hasEnded) return
  }
  yield* written(events.end())
}

/** Each event is a part of one answer, and the last one says why it ends. */
function createGoogleEvents(): PackageEvents {
  let isOver = false
  return {
    take(_, event) {
      const { finishReason } = recordIn(listIn(event.candidates)[0])
      isOver ||= textIn(finishReason) !== ''
      return [event]
    },
    done: () => [],
    end: () => [],
    get isOver() {
      return isOver
    },
    hasEnded: false,
  }
}

/** The package takes an incomplete answer without a reason for a whole one. */
function createResponseEvents(): PackageEvents {
  let hasEnded = false
  return {
    take(_, event) {
      const type = textIn(event.type)
      hasEnded ||= ['response.completed', 'response.incomplete', 'response.failed', 'error'].includes(type)
      const response = recordIn(event.response)
      const status = textIn(response.status)
      const isIncomplete =
        type === 'response.incomplete' ||
        (type === 'response.completed' && !['', 'completed'].includes(status))
      if (!isIncomplete || textIn(recordIn(response.incomplete_details).reason) !== '') return [event]
      const reason = status === '' ? 'incomplete' : status
      return [{ ...event, response: { ...response, incomplete_details: { reason } } }]
    },
    done: () => [],
    end: () => [],
    get isOver() {
      return hasEnded
    },
    get hasEnded() {
      return hasEnded
    },
  }
}
