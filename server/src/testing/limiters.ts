/** A limiter of ten requests a minute over a store of counters, for tests of these stores. */

import { createLimiter } from '../features/limits/limiter.ts'
import { createLimits } from '../features/limits/service.ts'
import type { Allowance } from '../platform/admission.ts'
import type { Caller } from '../platform/caller.ts'
import { noBounds, permissions } from '../platform/caller.ts'
import type { Counters } from '../platform/counters.ts'

const plan = { requestsPerMinute: 10, storageBytes: 0, uploadBytes: 0, members: 0, runsAtOnce: 0 }

const caller: Caller = {
  kind: 'key',
  userId: 'usr_1',
  keyId: 'key_1',
  role: 'owner',
  permissions: new Set(permissions),
  scope: { workspaceId: 'wsp_1', environment: 'live' },
  plan: 'enterprise',
  requestsPerMinute: null,
  requestId: 'req_1',
  address: null,
  idempotencyId: null,
  keyBounds: noBounds,
}

/** Sends requests of one key at once, by turns to each of the servers; returns how many were allowed. */
export async function allowedOf(requests: number, servers: readonly Counters[]): Promise<number> {
  const limiters = servers.map(counters =>
    createLimiter({
      ...counters,
      visits: counters.counters,
      visitsPerMinute: 10,
      limits: createLimits(
        { free: plan, starter: plan, professional: plan, enterprise: plan },
        () => undefined,
      ),
      anonymousPerMinute: 10,
      personPerMinute: 10,
      clock: Date.now,
    }),
  )
  const asked: Promise<Allowance>[] = []
  for (let request = 0; request < requests; request++) {
    const limiter = limiters[request % limiters.length]
    if (limiter !== undefined) asked.push(limiter.count(caller))
  }
  return (await Promise.all(asked)).filter(({ allowed }) => allowed).length
}
