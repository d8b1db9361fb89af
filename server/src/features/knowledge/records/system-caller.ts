/** The author of what housekeeping does: it acts for nobody, in one scope, and holds no permission. */
import type { Caller, Scope } from '../../../platform/caller.ts'

export const systemCaller = (scope: Scope, requestId: string): Caller => ({
  kind: 'system',
  userId: null,
  keyId: null,
  role: 'viewer',
  permissions: new Set(),
  scope,
  plan: 'free',
  requestsPerMinute: null,
  requestId,
  address: null,
  idempotencyId: null,
})
