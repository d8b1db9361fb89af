/** How a model call can fail: a closed list of codes, and the way from a provider's error to one of them. */
import { AISDKError, APICallError } from '@ai-sdk/provider'

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

/** A failed model call; `message` is public, `retryAfterMs` is what the provider asked for. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode
  readonly retryAfterMs: number | null
  /** Not to be tried again within the same run, whatever the code. */
  readonly final: boolean

  constructor(
    code: ModelErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | null; final?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryAfterMs = options.retryAfterMs ?? null
    this.final = options.final ?? false
  }

  get retryable(): boolean {
    return modelErrorCodes[this.code]
  }
}

/** Turns whatever a provider threw into a `ModelError`; the provider's own words are kept short. */
export function toModelError(error: unknown, now: number): ModelError {
  if (error instanceof ModelError) return error
  if (isTooLarge(error)) {
    return new ModelError('model_invalid_response', "The model's answer is larger than it may be", {
      cause: error,
      final: true,
    })
  }
  if (APICallError.isInstance(error)) return fromAnswer(error, now)
  if (AISDKError.isInstance(error)) {
    return new ModelError('model_invalid_response', "The model's answer could not be understood", {
      cause: error,
    })
  }
  return new ModelError('model_unavailable', "The model's server could not be reached", { cause: error })
}

function fromAnswer(error: APICallError, now: number): ModelError {
  const { statusCode: status } = error
  if (status === undefined) {
    return new ModelError('model_unavailable', "The model's server could not be reached", { cause: error })
  }
  if (status < 400) {
    return new ModelError('model_invalid_response', "The model's answer could not be understood", {
      cause: error,
    })
  }
  const code = codeOf(status, `${error.message} ${error.responseBody ?? ''}`)
  // A refusal of the key may quote a part of the key, so the provider's words are left out there.
  const words = code === 'model_unauthorized' ? '' : `: ${error.message.slice(0, 300)}`
  return new ModelError(code, `The model's server answered ${status}${words}`, {
    cause: error,
    retryAfterMs: retryAfterOf(error.responseHeaders ?? {}, now),
  })
}

function codeOf(status: number, text: string): ModelErrorCode {
  if (status === 401 || status === 403) return 'model_unauthorized'
  if (status === 404) return 'model_not_found'
  if (status === 429) return /insufficient_quota/.test(text) ? 'model_quota_exceeded' : 'model_rate_limited'
  if (status === 408 || status === 504) return 'model_timeout'
  if (status >= 500) return 'model_unavailable'
  return status === 413 || tooLong.test(text) ? 'context_too_long' : 'model_request_rejected'
}

/** The words of OpenAI, Anthropic, Google, vLLM and Ollama for a prompt that does not fit. */
const tooLong =
  /context_length_exceeded|context (length|window|size)|prompt is too long|input token count|too many (input )?tokens|maximum.{0,40}tokens/i

/** `Retry-After` in seconds or as a date, or the millisecond variant that OpenAI sends. */
function retryAfterOf(headers: Record<string, string>, now: number): number | null {
  const milliseconds = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds)
  const value = headers['retry-after']
  if (value === undefined || value === '') return null
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** Whether the limit of `model-fetch.ts` ended the reading; providers wrap that error more than once. */
function isTooLarge(error: unknown): boolean {
  let current = error
  for (let depth = 0; depth < 10 && current instanceof Error; depth++) {
    if ('code' in current && current.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return true
    current = current.cause
  }
  return false
}
