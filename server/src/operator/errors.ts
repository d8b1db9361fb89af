/** The errors of commands: each becomes one line for the operator, and an exit code. */

/** The command line was not understood: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was understood but cannot be done: exit code 1, and one clear line. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
