/** What goes wrong in a sync, and what it means: for one item, for the whole, for now or for good. */
import { HttpFailure } from '@atrium/connectors'
import { hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/errors.ts'

/** The connector or the service behind it did something that no sync can go on from. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
  readonly code: string
  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** The attempt has had its time: the sync goes on in another one. */
export class SliceOver extends Error {
  override readonly name = 'SliceOver'
}

export type Consequence =
  /** The service asked for patience. */
  | { kind: 'wait'; delayMs: number; code: string; message: string }
  /** Nobody was there: tried again after longer and longer pauses, and given up in the end. */
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
  // A conflict: somebody else is at the collection.
  if (code === 'integration_unreachable' || code === 'conflict') return { kind: 'setback', code, message }
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

/** What one item's failure is recorded as; `isLasting` where another try within this sync cannot help. */
export type ItemFailure = { code: string; message: string; isLasting: boolean }

/** Null for what stops the whole sync. */
export function itemFailureOf(error: unknown): ItemFailure | null {
  if (error instanceof HttpFailure) {
    if (error.kind === 'not_authorized' || error.kind === 'rate_limited') return null
    const code = error.kind === 'unavailable' ? 'integration_unreachable' : error.kind
    return { code, message: textOf(error), isLasting: error.kind !== 'unavailable' }
  }
  if (error instanceof SourceFault) return { code: error.code, message: textOf(error), isLasting: false }
  if (!(error instanceof ServiceError)) return null
  const { code } = error
  if (!itemCodes.includes(code)) return null
  const [first] = error.errors
  const message = first === undefined ? textOf(error) : `${first.field} ${first.message}`
  return { code, message, isLasting: code !== 'conflict' && code !== 'integration_unreachable' }
}

/** What the knowledge feature and the way out say of one document. */
const itemCodes: readonly string[] = [
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'conflict',
  'address_forbidden',
  'integration_unreachable',
]

/** PostgreSQL's text holds no NUL. */
export const textOf = (error: Error): string => error.message.replaceAll('\0', '').slice(0, shownCharacters)
