/** A client of event streams as others write them: the global fetch and a parser that is not ours. */

import assert from 'node:assert/strict'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { RunEvent } from '../features/agents/events/run-event-schemas.ts'
import { faultsIn } from '../platform/json-schema/own-schema.ts'
import type { TestKey } from './test-app.ts'

export type ReceivedEvent = { id: string; event: string; data: RunEvent }

export type OpenStream = {
  response: Response
  /** The next events, until so many have come or the stream has ended. */
  take(count: number): Promise<ReceivedEvent[]>
  /** All events until the stream ends. */
  rest(): Promise<ReceivedEvent[]>
  /** Hangs up. */
  abort(): void
}

/** Opens a stream; the reply is as it came, an error too. */
export async function openStream(
  address: string,
  { key }: Pick<TestKey, 'key'>,
  {
    body,
    lastEventId,
    headers = {},
  }: { body?: unknown; lastEventId?: string; headers?: Record<string, string> } = {},
): Promise<OpenStream> {
  const controller = new AbortController()
  const response = await fetch(address, {
    method: body === undefined ? 'GET' : 'POST',
    headers: withoutUndefined<Record<string, string>>({
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      'content-type': body === undefined ? undefined : 'application/json',
      'last-event-id': lastEventId,
      ...headers,
    }),
    body: body === undefined ? null : JSON.stringify(body),
    signal: controller.signal,
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const reader =
    isStream && response.body !== null
      ? response.body
          .pipeThrough(new TextDecoderStream())
          .pipeThrough(new EventSourceParserStream())
          .getReader()
      : null
  async function take(count: number): Promise<ReceivedEvent[]> {
    const events: ReceivedEvent[] = []
    while (events.length < count) {
      const next = await reader?.read()
      if (next === undefined || next.done) break
      const { id = '', event = '', data } = next.value
      const parsed: RunEvent = JSON.parse(data)
      assert.deepEqual(faultsIn(RunEvent, parsed, event), [], data)
      assert.equal(parsed.type, event, 'the type stands in the data as in the line `event:`')
      events.push({ id, event, data: parsed })
    }
    return events
  }
  return { response, take, rest: () => take(Number.POSITIVE_INFINITY), abort: () => controller.abort() }
}

/** What the deltas of a step come to, put together; a step that begins again counts from there. */
export function textOfStep(events: readonly ReceivedEvent[], stepIndex: number): string {
  let text = ''
  for (const { data } of events) {
    if (data.stepIndex !== stepIndex) continue
    if (data.type === 'step.restarted') text = ''
    if (data.type === 'text.delta') text += data.text
  }
  return text
}
