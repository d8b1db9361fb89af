/** A client before several servers, as a balancer is: each request goes to one that is there, and comes back where it is told to. */
import { setTimeout as sleep } from 'node:timers/promises'
import { secondMs } from '../../platform/clock.ts'
import { type Call, createClient } from './call.ts'

export type ClientTally = {
  requests: number
  /** Those that no server answered, since it was killed. */
  cut: number
  /** Those that were refused for the moment, and what with. */
  retried: number
  retriedWith: Set<string>
  /** Replies that there may not be. */
  faults: string[]
}

/** A document's lease is a minute: what a killed server holds is free after that. */
const patienceMs = 150 * secondMs
const longestPauseMs = 2 * secondMs
const maxFaults = 20

export function createBalancedClient(
  origins: () => readonly string[],
  key: string,
  random: () => number,
): { call: Call; tally: ClientTally } {
  const tally: ClientTally = { requests: 0, cut: 0, retried: 0, retriedWith: new Set(), faults: [] }
  const note = (what: string, status: number, body: unknown): void => {
    if (status < 500 || status === 503 || tally.faults.length === maxFaults) return
    tally.faults.push(`${what} answered ${status}: ${JSON.stringify(body)}`)
  }
  const client = async (): Promise<Call> => {
    for (;;) {
      const there = origins()
      const origin = there[Math.floor(random() * there.length)]
      if (origin !== undefined) return createClient(origin, key)
      await sleep(100)
    }
  }
  /** Until it is an answer, or the patience is over. */
  const insist = async <Answer extends { status: number; code: string; isRetryable: boolean } | null>(
    ask: (call: Call) => Promise<Answer>,
  ): Promise<Answer> => {
    const giveUpAtMs = performance.now() + patienceMs
    for (;;) {
      tally.requests += 1
      const answer = await ask(await client())
      if (answer === null) tally.cut += 1
      if (answer === null || !answer.isRetryable || performance.now() > giveUpAtMs) return answer
      tally.retried += 1
      tally.retriedWith.add(answer.code)
      await sleep(longestPauseMs * random())
    }
  }
  const send = async (...[method, path, content]: Parameters<Call>) => {
    const answer = await insist(async call => {
      const reply = await call(method, path, content)
      if (reply === null) return null
      note(`${method} ${path}`, reply.status, reply.body)
      const { status } = reply
      const isHeld = (status === 409 || status === 423) && reply.headers.has('retry-after')
      const isRetryable = status === 503 || status === 429 || isHeld
      return { reply, status, code: String(reply.body?.code), isRetryable }
    })
    return answer?.reply ?? null
  }
  const stream: Call['stream'] = async (path, options) => {
    const answer = await insist(async call => {
      const opened = await call.stream(path, options)
      if (opened === null) return null
      const { status } = opened.response
      note(path, status, null)
      return { opened, status, code: String(status), isRetryable: status === 503 || status === 429 }
    })
    return answer?.opened ?? null
  }
  return { call: Object.assign(send, { stream }), tally }
}
