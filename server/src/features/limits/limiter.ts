/** Counts requests in windows of one minute: by workspace and environment, or by address before a key is known. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Allowance, Limiter } from '../../platform/admission.ts'
import { type BrowserPage, browserPageOf, browserTokenIdOf, type Caller } from '../../platform/caller.ts'
import { addressKey } from '../../platform/client-address.ts'
import type { Clock } from '../../platform/clock.ts'
import { windowSeconds } from '../../platform/counters.ts'
import type { Limits } from './service.ts'

type Counted = { consumedPoints: number; msBeforeNext: number }

/**
 * A limiter over a store of counters. It only counts: the limit depends on the plan, so the store's own number of
 * points is unused.
 */
export function createLimiter(dependencies: {
  counters: RateLimiterAbstract
  /** In this process's memory, so that a health probe is answered without the store. */
  visits: RateLimiterAbstract
  visitsPerMinute: number
  limits: Limits
  anonymousPerMinute: number
  /** How many requests a minute one person may send to one workspace. */
  personPerMinute: number
  clock: Clock
  /** The share of each limit that this process may spend; below 1 while it counts alone. */
  share: () => number
}): Limiter {
  const { counters, visits, visitsPerMinute, limits, anonymousPerMinute, personPerMinute, clock, share } =
    dependencies
  const allowance = (limit: number, counted: Counted | null): Allowance => {
    const used = counted?.consumedPoints ?? 0
    const leftMs = counted === null ? windowSeconds * 1000 : counted.msBeforeNext
    return {
      allowed: used <= limit,
      limit,
      remaining: Math.max(0, limit - used),
      resetAtSeconds: Math.ceil((clock() + leftMs) / 1000),
    }
  }
  const shared = (limit: number): number => Math.max(1, Math.floor(limit * share()))

  /** A plan without requests has no window: its limit is 0 and its reset time is now. */
  const ofKeys = async (
    caller: Caller,
    read: (counter: string) => Promise<Counted | null>,
  ): Promise<Allowance> => {
    const { requestsPerMinute } = limits.of(caller)
    if (requestsPerMinute === 0) {
      return { allowed: true, limit: 0, remaining: 0, resetAtSeconds: Math.ceil(clock() / 1000) }
    }
    const { workspaceId, environment } = caller.scope
    return allowance(shared(requestsPerMinute), await read(`${workspaceId}.${environment}`))
  }

  const ofPerson = async (name: string): Promise<Allowance> =>
    allowance(shared(personPerMinute), await counters.consume(`person.${name}`))

  const ofKey = (caller: Caller) => ofKeys(caller, counter => counters.consume(counter))
  const ofAllVisitors = async (caller: Caller): Promise<Allowance> => {
    const { workspaceId, environment } = caller.scope
    const half = Math.ceil(limits.of(caller).requestsPerMinute / 2)
    return allowance(shared(half), await counters.consume(`visitors.${workspaceId}.${environment}`))
  }
  /** A page that asks too often takes no requests from other pages. */
  const ofPage = async (caller: Caller, page: BrowserPage): Promise<Allowance> => {
    const { workspaceId, environment } = caller.scope
    // A visitor could invent other visitors to get more tokens, so the address counts.
    const whose = page.isVisitor
      ? `${workspaceId}.${environment}.${addressKey(caller.address ?? '')}`
      : browserTokenIdOf(caller)
    const own = allowance(shared(page.requestsPerMinute), await counters.consume(`browser.${whose}`))
    if (!own.allowed) return own
    // Addresses can be invented too: all visitors together leave the workspace half of its requests.
    const ofVisitors = page.isVisitor ? await ofAllVisitors(caller) : own
    if (!ofVisitors.allowed) return ofVisitors
    const all = await ofKey(caller)
    return all.allowed ? own : all
  }

  return {
    count(caller) {
      if (caller.kind === 'person') return ofPerson(`${caller.userId}.${caller.scope.workspaceId}`)
      const page = browserPageOf(caller)
      return page === null ? ofKey(caller) : ofPage(caller, page)
    },
    countPerson: ofPerson,
    peek: caller => ofKeys(caller, counter => counters.get(counter)),
    async countAddress(address) {
      return allowance(shared(anonymousPerMinute), await counters.consume(addressKey(address)))
    },
    async countTrigger(triggerId, perMinute) {
      return allowance(shared(perMinute), await counters.consume(`trigger.${triggerId}`))
    },
    async countVisit(address, what) {
      return allowance(visitsPerMinute, await visits.consume(`${what} ${addressKey(address)}`))
    },
    async peekAddress(address) {
      const counted = await counters.get(addressKey(address))
      const state = allowance(shared(anonymousPerMinute), counted)
      return { ...state, allowed: state.remaining > 0 }
    },
  }
}
