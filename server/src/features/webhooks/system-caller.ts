/** The author of changes that no request makes: an endpoint is given up by the server itself. */
import type { Caller, Scope } from '../../platform/caller.ts'

/** Signs audit rows on behalf of the member who made the endpoint; holds no permission of its own. */
export const systemCaller = (scope: Scope, userId: string | null, requestId: string): Caller => ({
  kind: 'system',
  userId,
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
