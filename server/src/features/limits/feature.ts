/** The limits of each plan, and the counting of requests against them. */
import type { Feature } from '../../http/feature.ts'
import type { Limiter } from '../../platform/admission.ts'
import type { Plan } from '../../platform/caller.ts'
import { createMemoryCounters } from '../../platform/counters.ts'
import type { Platform } from '../../platform/platform.ts'
import type { PlanNumbers } from '../../settings/groups.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Outbox } from '../events/outbox-service.ts'
import { createLimiter } from './limiter.ts'
import { createLimits, createTellLimit, type Limits, type PlanLimits } from './service.ts'

export type LimitsServices = { limits: Limits; limiter: Limiter }

export function createLimitsFeature(
  platform: Platform,
  { outbox }: { outbox: Outbox },
): Feature<LimitsServices> {
  const { settings, counters, clock } = platform
  const limits = createLimits(planLimits(settings), createTellLimit({ ...platform, outbox }))
  const limiter = createLimiter({
    ...counters,
    visits: createMemoryCounters().counters,
    visitsPerMinute: settings.visitorRate,
    limits,
    clock,
    anonymousPerMinute: settings.anonymousRate,
    personPerMinute: settings.personRate,
  })
  return { services: { limits, limiter } }
}

const megabyte = 1024 * 1024

function planLimits(settings: Settings): Record<Plan, PlanLimits> {
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
