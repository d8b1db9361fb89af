/** What each plan allows, and what a workspace has of it. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller, Plan, Scope } from '../../platform/caller.ts'
import { toDay } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import type { LimitSummary } from '../events/data-schemas.ts'
import type { Occurrence, Outbox } from '../events/outbox-service.ts'

export type PlanLimits = {
  requestsPerMinute: number
  storageBytes: number
  uploadBytes: number
  members: number
  runsAtOnce: number
}

type PlanLimitsByPlan = Readonly<Record<Plan, PlanLimits>>

export type Limits = ReturnType<typeof createLimits>

export const createLimits = (plans: PlanLimitsByPlan, tell: TellLimit) => ({
  /** To be called where something is refused: it records an event. */
  reached: tell,
  /** The limits that hold for the caller's workspace now. */
  of({ plan, requestsPerMinute }: Pick<Caller, 'plan' | 'requestsPerMinute'>): PlanLimits {
    const limits = plans[plan]
    return requestsPerMinute === null ? limits : { ...limits, requestsPerMinute }
  },
})

/** Writes in a transaction of its own, since that of the refusal is rolled back; returns at once. */
type TellLimit = (scope: Scope, reached: LimitSummary) => void

/** Beyond so many limits a day an event may be written again; the outbox refuses the second one. */
const maxRemembered = 10_000

export function createTellLimit(
  dependencies: Pick<Platform, 'database' | 'clock' | 'log'> & {
    outbox: Outbox
  },
): TellLimit {
  const { database, outbox, clock, log } = dependencies
  const told = new Set<string>()
  return ({ workspaceId, environment }, reached) => {
    const at = clock()
    const day = toDay(at)
    const uniqueKey = `limit ${reached.limit} ${reached.agentId ?? ''} ${day}`
    const name = `${workspaceId} ${environment} ${uniqueKey}`
    if (told.has(name)) return
    if (told.size >= maxRemembered) told.clear()
    told.add(name)
    const occurrence = withoutUndefined<Occurrence>({
      workspaceId,
      environment,
      at,
      uniqueKey,
      type: 'limit.reached',
      data: reached,
      agentId: reached.agentId ?? undefined,
    })
    database
      .write(tx => outbox.record(tx, occurrence))
      .catch((error: unknown) => {
        told.delete(name)
        log.warn('The event of a reached limit could not be written', { limit: reached.limit, error })
      })
  }
}
