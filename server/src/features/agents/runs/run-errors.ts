/** Why a run can fail: the closed list of codes, each with whether the same run may succeed later. */
import { ModelError, modelErrorCodes } from '../../../platform/models/model-error.ts'

export const runErrorCodes = {
  ...modelErrorCodes,
  content_filtered: false,
  output_truncated: false,
  max_steps: false,
  max_cost: false,
  run_timeout: true,
  tool_error: true,
  run_interrupted: true,
  internal_error: true,
} as const

export type RunErrorCode = keyof typeof runErrorCodes

export type RunError = { code: RunErrorCode; message: string }

/** Ends a run as failed; `message` is public. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly code: RunErrorCode

  constructor(code: RunErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** Null where the error is nobody's to see: a fault of our own, to be logged. */
export function toRunError(error: unknown): RunError | null {
  if (error instanceof RunFailure || error instanceof ModelError) {
    return { code: error.code, message: error.message }
  }
  return null
}
