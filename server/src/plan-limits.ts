/** What the settings say of each plan, in the units that the limits are held in. */
import type { Settings } from './config.ts'
import type { PlanLimits } from './features/limits/service.ts'
import type { Plan } from './platform/caller.ts'
import type { PlanNumbers } from './settings/plan-settings.ts'

const megabyte = 1024 * 1024

export function planLimits(settings: Settings): Record<Plan, PlanLimits> {
  const limitsOf = (numbers: PlanNumbers): PlanLimits => ({
    requestsPerMinute: numbers.requestsPerMinute,
    storageBytes: numbers.storageMb * megabyte,
    uploadBytes: numbers.uploadMb * megabyte,
    members: numbers.members,
    runsAtOnce: numbers.runsAtOnce,
  })
  return {
    free: limitsOf(settings.freePlan),
    starter: limitsOf(settings.starterPlan),
    professional: limitsOf(settings.professionalPlan),
    enterprise: limitsOf(settings.enterprisePlan),
  }
}
