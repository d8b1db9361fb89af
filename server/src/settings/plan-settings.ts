/** What each plan allows: numbers that the operator can change. */
import type { Plan } from '../platform/caller.ts'
import { type Setting, setting } from './setting.ts'
import { wholeNumber } from './values.ts'

const planNumberNames = ['requestsPerMinute', 'storageMb', 'uploadMb', 'members', 'runsAtOnce'] as const

/** What a plan allows. */
export type PlanNumbers = Record<(typeof planNumberNames)[number], number>

const planDefaults: Readonly<Record<Plan, PlanNumbers>> = {
  // Without an API, runs are only those that people begin in the console.
  free: { requestsPerMinute: 0, storageMb: 100, uploadMb: 10, members: 2, runsAtOnce: 1 },
  starter: { requestsPerMinute: 100, storageMb: 5_000, uploadMb: 100, members: 10, runsAtOnce: 5 },
  professional: { requestsPerMinute: 500, storageMb: 100_000, uploadMb: 500, members: 100, runsAtOnce: 20 },
  enterprise: {
    requestsPerMinute: 6_000,
    storageMb: 10_000_000,
    uploadMb: 2_048,
    members: 10_000,
    runsAtOnce: 100,
  },
}

export const planSettings = {
  freePlan: planSetting('free', 'Limits of the plan Free, which has no API access.'),
  starterPlan: planSetting('starter', 'Limits of the plan Starter; what is not named keeps its default.'),
  professionalPlan: planSetting('professional', 'Limits of the plan Professional.'),
  enterprisePlan: planSetting(
    'enterprise',
    'Limits of the plan Enterprise; set-plan --rate gives a workspace a number of its own.',
  ),
} as const

function planSetting(plan: Plan, help: string): Setting<PlanNumbers> {
  const defaults = planDefaults[plan]
  const parse = (value: string) => ({ ...defaults, ...planNumbers(value) })
  return setting(`ATRIUM_PLAN_${plan.toUpperCase()}`, parse, defaults, help)
}

/** `requestsPerMinute=100 storageMb=5000 …`, in any order; what is not named keeps the plan's default. */
function planNumbers(value: string): Partial<PlanNumbers> {
  const pairs = value.trim().split(/[\s,]+/)
  const numbers = pairs.map(pair => {
    const [name = '', number = ''] = pair.split('=')
    if (!planNumberNames.some(known => known === name)) {
      throw new Error(`names "${name}"; a plan has ${planNumberNames.join(', ')}, each as name=number`)
    }
    try {
      return [name, wholeNumber(0, 1_000_000_000)(number)]
    } catch (error) {
      throw new Error(`gives "${number}" for ${name}, which ${(error as Error).message}`)
    }
  })
  return Object.fromEntries(numbers)
}
