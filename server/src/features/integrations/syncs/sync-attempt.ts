/**
 * One attempt at a sync, which alone may write the sync's row. Also the end of the sync, with its event, in one
 * transaction.
 */
import { HttpFailure, SourceFault } from '@atrium/connectors'
import { type Caller, type Scope, systemCaller } from '../../../platform/caller.ts'
import { type Clock, hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { AuditService } from '../../audit/service.ts'
import { actorOf, type Outbox } from '../../events/outbox-service.ts'
import { findConnection } from '../records/store.ts'
import {
  ClaimLost,
  type ConnectionSyncChange,
  type ConnectionSyncRow,
  type Counts,
  type SyncSettings,
  updateSync,
  updateSyncError,
  updateSyncSettings,
} from './syncs-store.ts'

export type Progress = { change?: ConnectionSyncChange; counts?: Counts }

export type SyncAttempt = {
  /** The row as this attempt has last written it. */
  readonly sync: ConnectionSyncRow
  readonly scope: Scope
  /** The source that the documents name. */
  readonly integrationId: string
  /** The caller in whose name documents are written. */
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly database: Database
  readonly clock: Clock
  /** Does work and records its progress in one transaction. Throws `ClaimLost`, and then nothing is changed. */
  write(work: (tx: Tx) => Promise<Progress>): Promise<void>
  /** Records progress in the same way, within a transaction of the caller. */
  advance(tx: Tx, progress: Progress): Promise<void>
  /** Throws if the attempt has lasted long enough, or is to stop. */
  requireTime(): void
}

/** Another attempt goes on from the stored position, so a long sync does not keep a worker for ever. */
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
      // Several items write at once. The row with the highest revision is the latest.
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

/**
 * The attempt has used up its time, and the sync goes on in another one. The consequences below stop the sync, for
 * now or for good.
 */
export class SliceOver extends Error {
  override readonly name = 'SliceOver'
}

export type Consequence =
  /** The service asked to wait. */
  | { kind: 'wait'; delayMs: number; code: string; message: string }
  /** The service did not answer: it is tried again after longer and longer pauses, and given up in the end. */
  | { kind: 'setback'; code: string; message: string }
  | { kind: 'fail'; code: string; message: string }

const longestWaitMs = 6 * hourMs
/** The wait if a service limits its rate and does not say for how long. */
const usualWaitMs = minuteMs
const shownCharacters = 1_000

/** Null if the source is not at fault. The job engine then deals with the error. */
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

/** Whether the cause passes: the service does not answer, or another change of the collection is in progress. */
export const isPassing = (code: string): boolean =>
  ['integration_unreachable', 'sync_in_progress', 'concurrent_change', 'document_in_progress'].includes(code)

/** A text of PostgreSQL cannot hold NUL. */
export const textOf = (error: { message: string }): string =>
  error.message.replaceAll('\0', '').slice(0, shownCharacters)

// The end of a sync: its record, what the connection keeps of it, and its event, in one transaction.

export type SyncEnd =
  | { status: 'succeeded' }
  | { status: 'failed'; error: { code: string; message: string } }
  | { status: 'cancelled' }

/**
 * Where the next sync goes on. If a reconnection to another account has set `sync_since` to null since this sync
 * began, it stays null. Everything is then listed once more.
 */
async function continuation(
  scope: Scope,
  tx: Tx,
  { connection_id: connectionId, since, next_since }: ConnectionSyncRow,
): Promise<Pick<SyncSettings, 'sync_since'>> {
  const connection = await findConnection(scope, tx, connectionId)
  return since !== null && connection?.sync_since === null ? {} : { sync_since: next_since }
}

/** Throws `ClaimLost` if the sync has already ended, or if another attempt holds its claim by now. */
export async function endSync(
  { clock, newId, audit, outbox }: { clock: Clock; newId: NewId; audit: AuditService; outbox: Outbox },
  tx: Tx,
  scope: Scope,
  sync: ConnectionSyncRow,
  end: SyncEnd,
): Promise<ConnectionSyncRow> {
  const now = clock()
  const error = end.status === 'failed' ? end.error : null
  const held = sync.claim === null ? ({ isUnderWay: true } as const) : { claim: sync.claim }
  const ended = await updateSync(scope, tx, sync.id, held, {
    status: end.status,
    claim: null,
    waiting_until: null,
    page: null,
    landmark: null,
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    updated_at: now,
    finished_at: now,
  })
  if (ended === undefined) throw new ClaimLost(sync.id)
  if (end.status === 'succeeded') {
    await updateSyncSettings(scope, tx, sync.connection_id, {
      last_sync_at: now,
      ...(await continuation(scope, tx, ended)),
      last_full_at: ended.is_full === 1 ? now : undefined,
    })
  }
  if (end.status !== 'cancelled') {
    const last_error = error === null ? null : encodeJson({ ...error, at: now })
    await updateSyncError(scope, tx, sync.connection_id, last_error)
  }
  const { added, changed, unchanged, deleted, failed } = ended
  const counts = { added, changed, unchanged, deleted, failed }
  const author = systemCaller(scope, newId('request'), sync.acting_user_id)
  const connection = await findConnection(scope, tx, sync.connection_id)
  if (end.status === 'cancelled' || connection === undefined) return ended
  await audit.record(tx, author, {
    action: 'integration.sync_end',
    resourceId: sync.connection_id,
    details: { syncId: sync.id, status: end.status, code: error?.code ?? null, ...counts },
  })
  await outbox.record(tx, {
    workspaceId: scope.workspaceId,
    environment: scope.environment,
    at: now,
    collectionId: sync.collection_id,
    type: `connection.sync_${end.status}`,
    data: {
      id: sync.connection_id,
      integrationId: connection.integration_id,
      syncId: sync.id,
      collectionId: sync.collection_id,
      status: end.status,
      ...counts,
      errorCode: error?.code ?? null,
      actor: actorOf(author),
    },
  })
  return ended
}
