/** What goes wrong in a sync as a whole, and what it means: for now or for good. */
import { HttpFailure, SourceFault } from '@atrium/connectors'
import { hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/errors.ts'

/** The attempt has had its time: the sync goes on in another one. */
export class SliceOver extends Error {
  override readonly name = 'SliceOver'
}

export type Consequence =
  /** The service asked for patience. */
  | { kind: 'wait'; delayMs: number; code: string; message: string }
  /** The service did not answer: it is tried again after longer and longer pauses, and given up in the end. */
  | { kind: 'setback'; code: string; message: string }
  | { kind: 'fail'; code: string; message: string }

const longestWaitMs = 6 * hourMs
/** Where a service limits its rate and does not say for how long. */
const usualWaitMs = minuteMs
const shownCharacters = 1_000

/** Null for what is not the source's fault: the job engine deals with it. */
export function consequenceOf(error: unknown): Consequence | null {
  if (error instanceof SourceFault) return { kind: 'fail', code: error.code, message: textOf(error) }
  if (error instanceof HttpFailure) return consequenceOfCall(error)
  if (!(error instanceof ServiceError)) return null
  const { code } = error
  const message = textOf(error)
  if (code === 'unavailable' || code === 'internal_error') return null
  if (isPassing(code)) return { kind: 'setback', code, message }
  return { kind: 'fail', code: code === 'not_found' ? 'collection_gone' : code, message }
}

function consequenceOfCall(failure: HttpFailure): Consequence {
  const { kind, retryAfterSeconds } = failure
  const message = textOf(failure)
  switch (kind) {
    case 'rate_limited': {
      const wantedMs = retryAfterSeconds === null ? usualWaitMs : retryAfterSeconds * secondMs
      return {
        kind: 'wait',
        delayMs: Math.min(Math.max(wantedMs, secondMs), longestWaitMs),
        code: kind,
        message,
      }
    }
    case 'not_authorized':
      return { kind: 'fail', code: 'needs_reauth', message: `${message}: reconnect` }
    case 'unavailable':
      return { kind: 'setback', code: 'integration_unreachable', message }
    default:
      return { kind: 'fail', code: kind, message }
  }
}

/** The service does not answer, or another change of the collection is in progress. */
export const isPassing = (code: string): boolean =>
  ['integration_unreachable', 'sync_in_progress', 'concurrent_change', 'document_in_progress'].includes(code)

/** PostgreSQL's text holds no NUL. */
export const textOf = (error: { message: string }): string =>
  error.message.replaceAll('\0', '').slice(0, shownCharacters)
