/** What a client of the kill loop knows of its runs, and how it sees one through to its end. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenStream } from '../event-streams.ts'
import type { Call, Json } from './call.ts'
import type { RunKind } from './run-peers.ts'
import { putTogether, type StreamedEvent } from './told-run.ts'

const pauseMs = 150

export type Way = 'foreground' | 'background' | 'streamed'

/** A run that was acknowledged, and what its client knows of it. */
export type Ask = {
  word: string
  kind: RunKind
  id: string
  way: Way
  /** What it has heard, from the beginning. */
  events: StreamedEvent[]
  /** The run as the client last had it; null before. */
  answer: Json | null
}

export type RunBook = {
  agentId: string
  /** Of runs that wait for each other. */
  conversationId: string
  open: Ask[]
  /** Those of which nothing is to be found out any more by asking. */
  ended: Ask[]
  faults: string[]
}

/** Notes what comes until the stream ends or breaks off. */
export async function hear(book: RunBook, stream: OpenStream, ask: Ask): Promise<boolean> {
  // A stream that begins behind the last event has no content.
  if (stream.response.status === 204) return true
  assert.equal(stream.response.status, 200)
  try {
    for (;;) {
      const [event] = await stream.take(1)
      if (event === undefined) return true
      if (ask.id === '') {
        ask.id = event.data.runId
        book.open.push(ask)
      }
      ask.events.push(event)
      if (event.data.run !== undefined) ask.answer = event.data.run
    }
  } catch {
    // The server was killed in the middle of it.
    return false
  }
}

/** Goes on behind what was heard last. */
async function hearOn(book: RunBook, call: Call, ask: Ask): Promise<boolean> {
  const lastEventId = ask.events.at(-1)?.id ?? '0'
  const stream = await call.stream(`/runs/${ask.id}/events`, { lastEventId })
  return stream !== null && (await hear(book, stream, ask))
}

/** Sees a run through to its end. False once the server is gone. */
export async function pursue(book: RunBook, call: Call, ask: Ask): Promise<boolean> {
  if (ask.kind === 'cancelled' && !(await cancel(call, ask))) return false
  for (;;) {
    const reply = await call('GET', `/runs/${ask.id}`)
    if (reply === null) return false
    assert.equal(reply.status, 200, JSON.stringify(reply))
    ask.answer = reply.body.data
    if (ask.answer.finishedAt !== null) break
    // Before it is heard on, since a stream of a run that waits tells nothing until then.
    if (ask.answer.status === 'waiting' && !(await settle(call, ask.answer))) return false
    const isHeard = ask.way !== 'streamed' || putTogether(ask.events).end !== null
    if (isHeard) await sleep(pauseMs)
    else if (!(await hearOn(book, call, ask))) return false
  }
  if (ask.way === 'streamed' && putTogether(ask.events).end === null) {
    if (!(await hearOn(book, call, ask))) return false
    if (putTogether(ask.events).end === null)
      book.faults.push(
        `The run ${ask.id} has ended, and its stream does not say so behind ${ask.events.at(-1)?.id}`,
      )
  }
  book.open.splice(book.open.indexOf(ask), 1)
  book.ended.push(ask)
  return true
}

/** Approves and answers all that a run waits for. One that has ended or goes on already says so, which is as good. */
export async function settle(call: Call, { id, pendingApprovals, pendingToolCalls }: Json): Promise<boolean> {
  const decisions = pendingApprovals.map(({ toolCallId }: Json) => ({ toolCallId, decision: 'approve' }))
  const results = pendingToolCalls.map(({ toolCallId, input }: Json) => ({ toolCallId, output: input }))
  for (const [path, json] of [
    ...(decisions.length === 0 ? [] : [['approvals', { decisions }] as const]),
    ...(results.length === 0 ? [] : [['tool-results', { results }] as const]),
  ]) {
    const reply = await call('POST', `/runs/${id}/${path}`, { json })
    if (reply === null) return false
    assert.ok([200, 202, 400, 409].includes(reply.status), JSON.stringify(reply))
  }
  return true
}

async function cancel(call: Call, { id }: Ask): Promise<boolean> {
  const reply = await call('POST', `/runs/${id}/cancel`)
  assert.ok(reply === null || reply.status < 300, JSON.stringify(reply))
  return reply !== null
}
