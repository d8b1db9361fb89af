/** How the command ends. Programs tell the cases apart by its exit code. */
import { ApiError, AuthenticationError } from '@atrium/sdk'

export const exitCodes = { done: 0, failed: 1, usage: 2, signIn: 4, interrupted: 130 } as const
type Ending = keyof typeof exitCodes

/** An end that the command has foreseen: its message says what to do. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly ending: Ending

  constructor(message: string, ending: Ending = 'failed') {
    super(message)
    this.ending = ending
  }
}

/** What to tell a person, and the exit code. */
export function describeFailure(error: unknown): { message: string; code: number; details: object } {
  if (error instanceof Failure) return { message: error.message, code: exitCodes[error.ending], details: {} }
  if (error instanceof AuthenticationError) {
    const message = `${error.message}\nSign in with \`atrium login\`, or set ATRIUM_API_KEY.`
    return { message, code: exitCodes.signIn, details: { code: error.code } }
  }
  if (error instanceof ApiError) {
    const { code, requestId, errors } = error
    return {
      message: `${error.message} (${requestId})`,
      code: exitCodes.failed,
      details: { code, requestId, errors },
    }
  }
  return {
    message: error instanceof Error ? error.message : String(error),
    code: exitCodes.failed,
    details: {},
  }
}
