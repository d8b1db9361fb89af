/** One attempt at a sync: the row as it stands, and the only way to write it, which ends where another attempt has taken over. */

import { HttpFailure, SourceFault } from '@atrium/connectors'
import type { Caller, Scope } from '../../../platform/caller.ts'
import { type Clock, hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import {
  ClaimLost,
  type ConnectionSyncChange,
  type ConnectionSyncRow,
  type Counts,
  updateSync,
} from './syncs-store.ts'

export type Progress = { change?: ConnectionSyncChange; counts?: Counts }

export type SyncAttempt = {
  /** As it stands by what this attempt has written. */
  readonly sync: ConnectionSyncRow
  readonly scope: Scope
  /** What documents say of their source. */
  readonly integrationId: string
  /** In whose name documents are written. */
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly database: Database
  readonly clock: Clock
  /** One transaction of work and of the progress that it was. Throws `ClaimLost`, and nothing is changed. */
  write(work: (tx: Tx) => Promise<Progress>): Promise<void>
  /** The same within a transaction of the caller. */
  advance(tx: Tx, progress: Progress): Promise<void>
  /** Throws if the attempt has lasted long enough, or is to stop. */
  requireTime(): void
}

/** Another attempt goes on from the position that is written down, so a long sync keeps no worker for ever. */
const sliceMs = 15 * minuteMs

export function createSyncAttempt(
  given: Pick<SyncAttempt, 'scope' | 'integrationId' | 'caller' | 'signal' | 'database' | 'clock'>,
  claimed: ConnectionSyncRow & { claim: string },
): SyncAttempt {
  const { scope, signal, database, clock } = given
  const endsAtMs = performance.now() + sliceMs
  let sync: ConnectionSyncRow = claimed

  const advance: SyncAttempt['advance'] = async (tx, { change = {}, counts = {} }) => {
    const dated = { ...change, updated_at: clock() }
    const row = await updateSync(scope, tx, claimed.id, { claim: claimed.claim }, dated, counts)
    if (row === undefined) throw new ClaimLost(claimed.id)
    database.afterCommit(tx, () => {
      // Several items write at once: the latest state is the one with the highest number.
      if (row.revision > sync.revision) sync = row
    })
  }

  return {
    ...given,
    get sync() {
      return sync
    },
    advance,
    write: work =>
      database.write(async tx => {
        await advance(tx, await work(tx))
      }),
    requireTime() {
      signal.throwIfAborted()
      if (performance.now() > endsAtMs) throw new SliceOver('The sync goes on in another attempt')
    },
  }
}

/** The attempt has had its time: the sync goes on in another one. Others below end the sync, for now or for good. */
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
