/** What can go wrong with a database, in words that are the same for both engines. */
import { ServiceError } from '../errors.ts'

/** A 503 that asks the client to come back; the reason is the engine's and only logged with the cause. */
export const databaseUnavailable = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('unavailable', undefined, {
    headers: { 'retry-after': '1' },
    cause: cause === undefined ? new Error(reason) : cause,
  })
