/** Whether an error is the failure that a test expects, for `assert.rejects`. */
import { HttpFailure } from '../http.ts'

export const isFailure =
  (kind: string, message = /./) =>
  (error: unknown): boolean =>
    error instanceof HttpFailure && error.kind === kind && message.test(error.message)
