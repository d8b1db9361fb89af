/** Errors in OpenAI's shape, and the header that tells its clients whether to try again. */
import type { ServiceError } from '../../platform/errors.ts'
import type { Run } from '../agents/records/run-schemas.ts'

export const openAiPrefix = '/v1'

export type OpenAiError = { message: string; type: string; param: string | null; code: string }

/** The error of a call, before its run began or within the run. */
export type Failure = { error: OpenAiError; status: number; retryable: boolean }

const mostFaultsTold = 5

/** For every refusal below `/v1`: these fields are added to the usual ones. */
export function describeError(error: ServiceError) {
  const { error: shown, retryable } = failureOf(error)
  const retryAfter = Number(error.headers['retry-after'] ?? Number.NaN)
  const headers: Record<string, string> = { 'x-should-retry': String(retryable) }
  if (Number.isFinite(retryAfter)) headers['retry-after-ms'] = String(retryAfter * 1_000)
  return { fields: { error: shown }, headers }
}

export function failureOf({ code, errors, message, statusCode, retryable }: ServiceError): Failure {
  // A refusal as a whole may also stand under the part of the request that it is about, such as a header.
  const named = errors.filter(({ message: fault }) => fault !== message)
  const faults = named.slice(0, mostFaultsTold).map(({ field, message: fault }) => `${field}: ${fault}`)
  const isOfModel = code === 'not_found' && errors[0]?.field === 'model'
  return {
    error: {
      message: isOfModel || faults.length === 0 ? message : faults.join('; '),
      type: typeOf(statusCode),
      param: (isOfModel ? errors : named)[0]?.field ?? null,
      code: isOfModel ? 'model_not_found' : code,
    },
    status: statusCode,
    retryable,
  }
}

const typeOf = (status: number): string => {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

/** The statuses of runs that failed for a reason other than a fault of the server. */
const statusOfRunError: Readonly<Record<string, number>> = {
  context_too_long: 400,
  model_request_rejected: 400,
  attachment_unavailable: 400,
  budget_exceeded: 403,
  max_cost: 403,
  access_revoked: 403,
  model_rate_limited: 429,
  model_unavailable: 503,
  model_timeout: 504,
  run_timeout: 504,
}

/** For a run that has ended without an answer. */
export function failureOfRun({ id, error }: Pick<Run, 'id' | 'error'>): Failure {
  if (error === null) return failed(409, 'run_cancelled', `The run ${id} was cancelled`, false)
  const { code, message, retryable } = error
  return failed(statusOfRunError[code] ?? 500, code, message, retryable)
}

/** A person must decide first, which may take days. */
export const needsApproval = ({ id, pendingApprovals }: Pick<Run, 'id' | 'pendingApprovals'>): Failure => {
  const names = pendingApprovals.map(({ name }) => name).join(', ')
  return failed(
    409,
    'approval_needed',
    `The run ${id} waits until a person approves its calls of ${names}`,
    false,
  )
}

/** A completion of text has no place for calls. */
export const callsFunctions = (names: readonly string[]): Failure => {
  const message = `The answer calls ${names.join(', ')}: ask at /v1/chat/completions, where it can`
  return failed(409, 'function_called', message, false)
}

/** The part of the answer that was sent is no longer valid, but it cannot be taken back. */
export const answerRestarted = (): Failure =>
  failed(503, 'answer_restarted', 'The model began its answer again after a part of it was sent', true)

const failed = (status: number, code: string, message: string, retryable: boolean): Failure => ({
  error: { message, type: typeOf(status), param: null, code },
  status,
  retryable,
})
