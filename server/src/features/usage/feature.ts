/** What a workspace uses: now, and day by day. */
import type { Feature } from '../../http/feature.ts'
import type { Limiter } from '../../platform/admission.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour, eachMinute } from '../../platform/schedules/schedules.ts'
import type { Limits } from '../limits/service.ts'
import { createRequestMeter, type KeptRequestMeter } from './request-meter.ts'
import { usageHistoryRoutes, usageRoutes } from './routes.ts'
import {
  createUsageHistoryService,
  createUsageService,
  type UsageHistoryService,
  type UsageSources,
} from './service.ts'

export type UsageServices = { usageHistory: UsageHistoryService; requestMeter: KeptRequestMeter }

export function createUsageFeature(
  platform: Platform,
  others: { limits: Limits; limiter: Limiter; sources: UsageSources },
): Feature<UsageServices> {
  const requestMeter = createRequestMeter(platform)
  const usageHistory = createUsageHistoryService({ ...platform, usageMs: platform.settings.usageMs })
  return {
    services: { usageHistory, requestMeter },
    tag: 'workspace',
    routes: [...usageRoutes(createUsageService(others)), ...usageHistoryRoutes(usageHistory)],
    schedules: [
      eachMinute('measure what collections hold', usageHistory.measure),
      eachHour('remove old usage', usageHistory.tidy),
    ],
    workspaceData: {
      slices: [{ table: 'usage_periods', key: ['environment', 'kind', 'period', 'subject_id'] }],
    },
    close: requestMeter.close,
  }
}
