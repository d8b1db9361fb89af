/** How a model call can fail: a closed list of codes, the code for each provider's error, and when to try again. */
import { AISDKError, APICallError } from '@ai-sdk/provider'
import type { Clock, Sleep } from '../clock.ts'

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
  /** True if the call must not be tried again within the same run, whatever its code. */
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

/** Whether another model may do better after this failure. Only a wrong request fails everywhere. */
export const isWorthAnother = (error: unknown): boolean =>
  error instanceof ModelError && error.code !== 'model_request_rejected'

/** Turns an error that a provider threw, or put into its stream, into a `ModelError`. Cuts the provider's words. */
export function toModelError(error: unknown, now: number): ModelError {
  if (error instanceof ModelError) return error
  if (hasCode(error, tooLargeCodes)) return answerTooLarge(error)
  if (hasCode(error, silenceCodes)) {
    // Final: the run has waited so long once and does not wait as long again.
    return new ModelError('model_timeout', "The model's server fell silent", { cause: error, final: true })
  }
  if (hasCode(error, ['address_forbidden'])) {
    return new ModelError(
      'model_not_configured',
      "The model's server is at an address that may not be reached",
      {
        cause: error,
      },
    )
  }
  if (APICallError.isInstance(error)) return fromFirstEvent(error) ?? fromAnswer(error, now)
  if (AISDKError.isInstance(error)) {
    return notUnderstood(error)
  }
  if (error instanceof TypeError && error.message === 'terminated') {
    return new ModelError('model_invalid_response', "The model's answer broke off", { cause: error })
  }
  if (typeof error === 'string') return fromEvent({ message: error })
  if (isEvent(error)) return fromEvent(error)
  return new ModelError('model_unavailable', "The model's server could not be reached", { cause: error })
}

const notUnderstood = (cause: unknown): ModelError =>
  new ModelError('model_invalid_response', "The model's answer could not be understood", { cause })

export const answerTooLarge = (cause?: unknown): ModelError =>
  new ModelError('model_invalid_response', "The model's answer is larger than it may be", {
    cause,
    final: true,
  })

/** The most tool calls of one answer. Each call becomes a step; models make far fewer at once. */
export const maxToolCalls = 128

/** An error that came within a stream, as Anthropic and OpenAI shape it. */
type ErrorEvent = { message: string; type?: unknown; code?: unknown }

const isEvent = (value: unknown): value is ErrorEvent =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Error) &&
  'message' in value &&
  typeof value.message === 'string'

/** The status that each error would have had before the answer began. All other errors are the server's fault. */
const statusOfEvent: Readonly<Record<string, number>> = {
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  invalid_request_error: 400,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  timeout_error: 504,
  insufficient_quota: 429,
  context_length_exceeded: 400,
}

/** If a stream begins with an error, Anthropic's package says 500 and quotes the error as the body. */
function fromFirstEvent(error: APICallError): ModelError | null {
  const { responseHeaders, responseBody = '' } = error
  if (!responseHeaders?.['content-type']?.startsWith('text/event-stream')) return null
  const event = parsed(responseBody)
  return isEvent(event) ? fromEvent(event) : notUnderstood(error)
}

/** Undefined if the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fromEvent({ message, type, code }: ErrorEvent): ModelError {
  const status = statusOfEvent[String(code)] ?? statusOfEvent[String(type)] ?? numeric(code) ?? 500
  const modelCode = codeOf(status, `${message} ${code} ${type}`)
  const words = modelCode === 'model_unauthorized' ? '' : `: ${message.slice(0, maxWords)}`
  return new ModelError(modelCode, `The model's server broke its answer off${words}`)
}

const numeric = (code: unknown): number | null => {
  const number = Number(code)
  return Number.isInteger(number) && number >= 400 && number < 600 ? number : null
}

/** How many characters of a provider's words are passed on. */
const maxWords = 300

function fromAnswer(error: APICallError, now: number): ModelError {
  const { statusCode: status } = error
  if (status === undefined) {
    return new ModelError('model_unavailable', "The model's server could not be reached", { cause: error })
  }
  if (status < 400) return notUnderstood(error)
  const code = codeOf(status, `${error.message} ${error.responseBody ?? ''}`)
  // A refusal of the key may quote a part of the key, so the provider's words are left out there.
  const words = code === 'model_unauthorized' ? '' : `: ${error.message.slice(0, maxWords)}`
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

/** The words of OpenAI, Anthropic, Google, vLLM and Ollama for a prompt that is too long. */
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

/** The limits of `model-fetch.ts`, as undici names them. */
const tooLargeCodes = ['UND_ERR_RES_EXCEEDED_MAX_SIZE']
const silenceCodes = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** Whether the error or one of its causes has one of the codes. Providers wrap what `fetch` threw more than once. */
function hasCode(error: unknown, codes: readonly string[]): boolean {
  let current = error
  for (let depth = 0; depth < 10 && current instanceof Error; depth++) {
    if ('code' in current && codes.includes(String(current.code))) return true
    current = current.cause
  }
  return false
}

const maxAttempts = 3
const firstDelayMs = 500
/** A call does not wait longer than this for a provider. */
const longestDelayMs = 20_000

/** `random` gives numbers from 0 to 1. */
export type RetryDependencies = { clock: Clock; sleep: Sleep; random: () => number }

/** Throws `ModelError`, or the signal's reason once the signal is aborted. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  { clock, sleep, random }: RetryDependencies,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      const failure = toModelError(error, clock())
      const delayMs = failure.retryAfterMs ?? firstDelayMs * 2 ** (count - 1) * (0.5 + random())
      const hopeless = !failure.retryable || failure.final || delayMs > longestDelayMs
      if (hopeless || count === maxAttempts) throw failure
      await sleep(delayMs, signal)
    }
  }
}

/** More than any model reads at once. Sums over many calls stay whole numbers in every database. */
const mostTokens = 100_000_000

/** The server's count as a whole number that can be added up; 0 if the server named none, or an unusable one. */
export const countedTokens = (told: number | undefined): number =>
  told === undefined || !(told > 0) ? 0 : Math.min(mostTokens, Math.round(told))
