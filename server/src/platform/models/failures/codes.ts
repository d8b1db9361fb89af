/** The codes of failed model calls. */

/** Every code, with whether the same call may succeed later. */
export const modelErrorCodes = {
  model_not_configured: false,
  model_unauthorized: false,
  model_not_found: false,
  model_rate_limited: true,
  model_quota_exceeded: false,
  model_unavailable: true,
  model_timeout: true,
  model_request_rejected: false,
  model_invalid_response: true,
  context_too_long: false,
} as const

export type ModelErrorCode = keyof typeof modelErrorCodes
