/** Why a run can fail: the closed list of codes, each with whether the same run may succeed later. */
import { ServiceError } from '../../../platform/errors.ts'
import { crashedServerMessage } from '../../../platform/jobs/job.ts'
import { modelErrorCodes } from '../../../platform/models/failures/codes.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import { SimulatedFailure } from '../../../platform/models/sandbox/failures.ts'

export const runErrorCodes = {
  ...modelErrorCodes,
  content_filtered: false,
  output_truncated: false,
  max_steps: false,
  max_cost: false,
  budget_exceeded: false,
  output_invalid: false,
  tool_not_called: false,
  attachment_unavailable: false,
  run_timeout: true,
  tool_error: true,
  run_interrupted: true,
  crashed_server: false,
  approval_expired: false,
  tool_result_expired: false,
  access_revoked: false,
  internal_error: true,
} as const

/** A 409 for an operation that needs a run that has ended. */
export const runInProgress = ({ id, status }: { id: string; status: string }): ServiceError =>
  new ServiceError('run_in_progress', `The run ${id} is ${status}: wait for it, or cancel it`, {
    details: { runId: id, status },
  })

export type RunErrorCode = keyof typeof runErrorCodes

export type RunError = { code: RunErrorCode; message: string }

/** The error of a run whose job the engine has given up. */
export const interrupted: RunError = {
  code: 'run_interrupted',
  message: 'The run was cut short several times and has been given up',
}

/** The error of a run that has ended its server twice. */
export const crashedServer: RunError = {
  code: 'crashed_server',
  message: `${crashedServerMessage}. Change the prompt or the agent`,
}

/** Ends a run as failed; `message` is public. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly code: RunErrorCode

  constructor(code: RunErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** Returns null for an internal error: the server logs it, and no client sees its details. */
export function toRunError(error: unknown): RunError | null {
  if (error instanceof SimulatedFailure) return { code: error.simulates, message: error.message }
  if (error instanceof RunFailure || error instanceof ModelError) {
    return { code: error.code, message: error.message }
  }
  return null
}
