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

export type PlanLimitsByPlan = Readonly<Record<Plan, PlanLimits>>

export type Limits = {
  /** The limits that hold for the caller's workspace now. */
  of(caller: Pick<Caller, 'plan' | 'requestsPerMinute'>): PlanLimits
  /** To be called where something is refused: those who want to know are told. */
  reached: TellLimit
}

export const createLimits = (plans: PlanLimitsByPlan, tell: TellLimit): Limits => ({
  reached: tell,
  of({ plan, requestsPerMinute }) {
    const limits = plans[plan]
    return requestsPerMinute === null ? limits : { ...limits, requestsPerMinute }
  },
})
