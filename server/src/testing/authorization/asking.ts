/** Asking an operation in a caller's name, and reading of the reply what it may not tell. */
import assert from 'node:assert/strict'
import type { TestApp, TestReply } from '../test-app.ts'
import { type Area, canaryOf, type Slot } from './area.ts'
import type { Asker } from './callers.ts'
import type { Ask, Operation } from './requests.ts'
import type { Stranger } from './strangers.ts'

export type Counts = { callers: number; requests: number; refusals: number }

export type Matrix = {
  counts: Counts
  /** Fails on what no request may ever be answered with. */
  send(asker: Asker, ask: Ask): Promise<TestReply>
  /** The same of all pages, which must hold as many rows as they say; one reply where there are no pages. */
  sendPages(asker: Asker, operation: Operation, ask: Ask): Promise<TestReply[]>
  /** Has every caller ask every operation; fails with all that is wrong, not with the first of it. */
  walk<A extends Asker>(
    askers: readonly A[],
    operations: readonly Operation[],
    check: (asker: A, operation: Operation) => Promise<void>,
  ): Promise<void>
}

export function createMatrix(app: TestApp): Matrix {
  const counts = { callers: 0, requests: 0, refusals: 0 }
  const send: Matrix['send'] = async (asker, ask) => {
    const { method, path, headers, ...rest } = ask
    const options = { ...rest, key: asker.token, headers: { ...headers, ...asker.headers } }
    const reply = await app.request(method, path, options)
    counts.requests += 1
    if (reply.status >= 400) counts.refusals += 1
    assert.ok(reply.status < 500 && reply.status !== 429, told(ask, reply))
    return reply
  }
  return {
    counts,
    send,
    async sendPages(asker, { maxPageSize }, ask) {
      if (maxPageSize === null) return [await send(asker, ask)]
      const replies: TestReply[] = []
      let isLast = false
      while (!isLast) {
        const query = { ...ask.query, pageSize: maxPageSize, page: replies.length + 1 }
        const reply = await send(asker, { ...ask, query })
        replies.push(reply)
        isLast = reply.status >= 300 || reply.body.data.length < maxPageSize
      }
      const rows = replies.reduce((sum, { body }) => sum + (body.data?.length ?? 0), 0)
      assert.equal(
        rows,
        replies.at(-1)?.body.meta?.total ?? 0,
        'the total counts other rows than those told of',
      )
      return replies
    },
    async walk(askers, operations, check) {
      const faults: string[] = []
      for (const asker of askers) {
        counts.callers += 1
        for (const operation of operations) {
          await check(asker, operation).catch((error: Error) =>
            faults.push(`${operation.id}, ${asker.name}: ${error.message}`),
          )
        }
      }
      assert.equal(faults.length, 0, `${faults.length} faults\n${faults.join('\n')}`)
    },
  }
}

export const told = ({ method, path }: Ask, { status, body }: TestReply): string =>
  `${method} ${path} answered ${status} ${JSON.stringify(body)}`

/** What a success tells of objects that do not exist for the caller; an id that it was asked by is none of that. */
export function leaksIn(
  { status, body }: TestReply,
  { area, unreached }: Stranger,
  named: ReadonlySet<Slot> = new Set(),
): Slot[] {
  if (status >= 300) return []
  const text = JSON.stringify(body)
  const isTold = (slot: Slot) =>
    text.includes(canaryOf(area.name, slot)) || (!named.has(slot) && text.includes(area.ids[slot]))
  return [...unreached].filter(isTold)
}

/** The reply as it would be if the record were in neither environment. */
export function withoutEnvironment(reply: TestReply): TestReply {
  const { environment } = reply.body.details
  const [here, there] = environment === 'test' ? ['live data', 'the sandbox'] : ['the sandbox', 'live data']
  const pointer = ` in ${here}; it is in ${there}: use a ${environment} key`
  const text = JSON.stringify(reply.body)
    .replaceAll(pointer, '')
    .replaceAll(`,"environment":"${environment}"`, '')
  return { ...reply, body: JSON.parse(text) }
}

/** All of a reply but what is of its request alone. */
export function comparable(
  { status, headers, body }: TestReply,
  { ids }: Area,
  named: ReadonlySet<Slot>,
): unknown {
  const ofTheRequest = /^(x-request-id|date|content-length|x-ratelimit-.*)$/
  const others = Object.entries(headers).filter(([name]) => !ofTheRequest.test(name))
  let text = JSON.stringify({ ...body, requestId: '' })
  // OpenAI's protocol has the same id under another prefix.
  for (const slot of named) text = text.replaceAll(ids[slot].replace(/^[a-z]+_/, ''), `the ${slot}`)
  return { status, headers: Object.fromEntries(others), text }
}
