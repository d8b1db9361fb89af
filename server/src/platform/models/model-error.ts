/** How a model call can fail: a closed list of codes, the code for each provider's error, and when to try again. */
import { AISDKError, APICallError } from '@ai-sdk/provider'
import type { Clock, Sleep } from '../clock.ts'
import { type ModelErrorCode, modelErrorCodes } from './failures/codes.ts'
import { codeOf, isOurFault, statusOf } from './failures/failure-code.ts'
import { noWords, type ServerWords, wordsInBody, wordsInValue } from './failures/server-words.ts'
import { type Window, windowIn } from './failures/too-long.ts'
import { waitMsOf } from './failures/waits.ts'

/** A failed model call; `message` is public, `retryAfterMs` is what the provider asked for. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode
  readonly retryAfterMs: number | null
  /** True if the call must not be tried again within the same run, whatever its code. */
  readonly final: boolean
  /** True if every other model would refuse the same request. */
  readonly isOurFault: boolean
  /** For `context_too_long`: what the server said of its window. */
  readonly window: Window

  constructor(
    code: ModelErrorCode,
    message: string,
    options: {
      cause?: unknown
      retryAfterMs?: number | null
      final?: boolean
      isOurFault?: boolean
      window?: Window
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryAfterMs = options.retryAfterMs ?? null
    this.final = options.final ?? false
    this.isOurFault = options.isOurFault ?? (this.final && code === 'model_request_rejected')
    this.window = options.window ?? { most: null, asked: null }
  }

  get retryable(): boolean {
    return modelErrorCodes[this.code]
  }
}

/** Whether another model may do better after this failure: unless it would surely fail in the same way. */
export const isWorthAnother = (error: unknown): boolean => error instanceof ModelError && !error.isOurFault

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
  if (
    typeof error === 'string' ||
    (typeof error === 'object' && error !== null && !(error instanceof Error))
  ) {
    return fromEvent(wordsInValue(error))
  }
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

/** If a stream begins with an error, Anthropic's package says 500 and quotes the error as the body. */
function fromFirstEvent(error: APICallError): ModelError | null {
  const { responseHeaders, responseBody = '' } = error
  if (!responseHeaders?.['content-type']?.startsWith('text/event-stream')) return null
  const said = wordsInBody(responseBody)
  return said.codes.length > 0 && said.words !== null ? fromEvent(said) : notUnderstood(error)
}

/** An error that came within a stream. */
function fromEvent(said: ServerWords): ModelError {
  return failureOf(statusOf(said), said, "The model's server broke its answer off")
}

/** How many characters of a provider's words are passed on. */
const maxWords = 300

function fromAnswer(error: APICallError, now: number): ModelError {
  const { statusCode: status, responseBody = '', responseHeaders = {} } = error
  if (status === undefined) {
    return new ModelError('model_unavailable', "The model's server could not be reached", { cause: error })
  }
  if (status < 400) return notUnderstood(error)
  const read = wordsInBody(responseBody)
  const said = { ...read, words: read.words ?? (error.message.trim() === '' ? null : error.message) }
  const retryAfterMs = waitMsOf(responseHeaders, said, responseBody, now)
  return failureOf(status, said, `The model's server answered ${status}`, { cause: error, retryAfterMs })
}

function failureOf(
  status: number,
  said: ServerWords,
  what: string,
  { cause, retryAfterMs = null }: { cause?: unknown; retryAfterMs?: number | null } = {},
): ModelError {
  const code = codeOf(status, said, retryAfterMs !== null)
  // A refusal of the key may quote a part of the key, so the provider's words are left out there.
  const words = code === 'model_unauthorized' ? null : (said.words?.slice(0, maxWords).toWellFormed() ?? null)
  return new ModelError(code, words === null ? what : `${what}: ${words}`, {
    cause,
    retryAfterMs: retryAfterMs ?? waitMsOf({}, said, '', 0),
    isOurFault: code === 'model_request_rejected' && isOurFault(said.words ?? ''),
    window: code === 'context_too_long' ? windowIn(said) : noWindow,
  })
}

const noWindow: Window = { most: null, asked: null }

/** A failure that a server told in an answer with a good status. */
export const failureInAnswer = (value: unknown): ModelError => {
  const said = wordsInValue(value)
  return failureOf(
    statusOf(said),
    said.words === null ? noWords : said,
    "The model's server sent an error for an answer",
  )
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
