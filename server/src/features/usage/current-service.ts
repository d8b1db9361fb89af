/** What the plan allows beside what is used of it. The features that know what is used come later, and hand it in. */
import type { Limiter } from '../../platform/admission.ts'
import { type Caller, isNarrowed, type Scope } from '../../platform/caller.ts'
import { secondMs, toTimestamp } from '../../platform/clock.ts'
import type { Limits } from '../limits/service.ts'
import type { Usage } from './current-schemas.ts'

export type UsageSources = {
  storageBytes(scope: Scope): Promise<number>
  members(scope: Scope): Promise<number>
  runsAtOnce(scope: Scope): Promise<number>
  month(caller: Caller): Promise<Usage['month']>
}

export type UsageService = ReturnType<typeof createUsageService>

export function createUsageService(dependencies: {
  limits: Limits
  limiter: Limiter
  sources: UsageSources
}) {
  const { limits, limiter, sources } = dependencies
  return {
    async get(caller: Caller): Promise<Usage> {
      const { scope } = caller
      const allowed = limits.of(caller)
      const [requests, storageBytes, members, runsAtOnce, month] = await Promise.all([
        limiter.peek(caller),
        isNarrowed(scope) ? null : sources.storageBytes(scope),
        sources.members(scope),
        isNarrowed(scope) ? null : sources.runsAtOnce(scope),
        sources.month(caller),
      ])
      return {
        plan: caller.plan,
        environment: scope.environment,
        requestsPerMinute: {
          limit: requests.limit,
          used: requests.limit - requests.remaining,
          resetsAt: toTimestamp(requests.resetAtSeconds * secondMs),
        },
        storageBytes: { limit: allowed.storageBytes, used: storageBytes },
        uploadBytes: { limit: allowed.uploadBytes },
        members: { limit: allowed.members, used: members },
        runsAtOnce: { limit: allowed.runsAtOnce, used: runsAtOnce },
        month,
      }
    },
  }
}
