/** What each plan allows, and what a workspace has of it. */
import type { Caller, Plan } from '../../platform/caller.ts'
import type { TellLimit } from './limit-notices.ts'

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
  /** To be called where something is refused: those who want to know are told. */
  reached: tell,
  /** The limits that hold for the caller's workspace now. */
  of({ plan, requestsPerMinute }: Pick<Caller, 'plan' | 'requestsPerMinute'>): PlanLimits {
    const limits = plans[plan]
    return requestsPerMinute === null ? limits : { ...limits, requestsPerMinute }
  },
})
