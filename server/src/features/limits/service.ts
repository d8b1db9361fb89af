/** What each plan allows, and what a workspace has of it. */
import type { Caller, Plan } from '../../platform/caller.ts'

export type PlanLimits = {
  requestsPerMinute: number
  storageBytes: number
  uploadBytes: number
  members: number
  runsAtOnce: number
}

export type PlanLimitsByPlan = Readonly<Record<Plan, PlanLimits>>

export type Limits = {
  /** The limits that hold for the caller's workspace now. */
  of(caller: Pick<Caller, 'plan' | 'requestsPerMinute'>): PlanLimits
}

export const createLimits = (plans: PlanLimitsByPlan): Limits => ({
  of({ plan, requestsPerMinute }) {
    const limits = plans[plan]
    return requestsPerMinute === null ? limits : { ...limits, requestsPerMinute }
  },
})
