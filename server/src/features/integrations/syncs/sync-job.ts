/**
 * The job that works on a connection's sync, from where the attempt before stopped, and records how the sync ended.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { type Connector, type Context, followSource, type Source, SourceFault } from '@atrium/connectors'
import type { Scope } from '../../../platform/caller.ts'
import { dayMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import { found } from '../../../platform/errors.ts'
import { type Job, JobCancelled, JobPoisoned, type NewJob, type Queue } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import type { ActingMember } from '../../authentication/callers-service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { removedAtOnce } from '../../knowledge/syncs/sync-schemas.ts'
import type { SyncService } from '../../knowledge/syncs/sync-service.ts'
import type { ConnectorHost } from '../credentials/connector-host.ts'
import { findConnection } from '../records/store.ts'
import { type DestinationDependencies, openDatabaseDestination } from './database-destination.ts'
import { deleteItems, documentsOf, nextGone } from './items-store.ts'
import { sandboxContext, sandboxSource } from './sandbox-source.ts'
import {
  type Consequence,
  consequenceOf,
  createSyncAttempt,
  endSync,
  SliceOver,
  type SyncAttempt,
  type SyncEnd,
} from './sync-attempt.ts'
import { ClaimLost, type ConnectionSyncRow, findSync, updateSync } from './syncs-store.ts'

export const connectionSyncQueue = 'integration.sync'

type ClaimedSync = ConnectionSyncRow & { claim: string }

type Payload = { syncId: string; scope: Scope }

/** At most one job of a sync is queued or running. */
export const connectionSyncJob = ({ workspaceId, environment }: Scope, syncId: string): NewJob => ({
  queue: connectionSyncQueue,
  workspaceId,
  payload: { syncId, scope: { workspaceId, environment } } satisfies Payload,
  uniqueKey: syncId,
})

type SyncQueueDependencies = WorkDependencies &
  Pick<Platform, 'jobs' | 'newId' | 'log'> & {
    audit: AuditService
    outbox: Outbox
  }

/** The pauses before a service that does not answer is asked again. After the last pause, the sync fails. */
const setbackDelaysMs = [2 * secondMs, 10 * secondMs, minuteMs, 5 * minuteMs]

export function createConnectionSyncQueue(dependencies: SyncQueueDependencies): Queue<Payload> {
  const { database, jobs, clock, newId, log } = dependencies

  /** Null if the sync has ended meanwhile. */
  const take = async (job: Job<Payload>): Promise<ClaimedSync | null> => {
    const { syncId, scope } = job.payload
    const claim = newId('request')
    return job.write(async tx => {
      const sync = await findSync(scope, tx, syncId)
      const now = clock()
      const taken = await updateSync(
        scope,
        tx,
        syncId,
        { isUnderWay: true },
        {
          status: 'running',
          claim,
          job_id: job.id,
          updated_at: now,
          waiting_until: null,
          error_code: null,
          error_message: null,
          started_at: sync?.started_at ?? now,
        },
      )
      return taken === undefined ? null : { ...taken, claim }
    })
  }

  const end = async (job: Job<Payload>, sync: ClaimedSync, how: SyncEnd): Promise<void> => {
    await job.complete(tx => endSync(dependencies, tx, job.payload.scope, sync, how))
  }

  /** Ends this job and queues the next one in the same transaction. */
  const goOnLater = (
    job: Job<Payload>,
    sync: ClaimedSync,
    { delayMs, why, isSetback }: { delayMs: number; why: Consequence | null; isSetback: boolean },
  ): Promise<void> =>
    job.complete(async tx => {
      const { scope } = job.payload
      const jobId = await jobs.enqueue(tx, { ...connectionSyncJob(scope, sync.id), delayMs })
      const now = clock()
      const change = {
        claim: null,
        job_id: jobId,
        updated_at: now,
        waiting_until: delayMs === 0 ? null : now + delayMs,
        error_code: why?.code ?? null,
        error_message: why?.message ?? null,
      }
      const counts = isSetback ? { setbacks: 1 } : {}
      if ((await updateSync(scope, tx, sync.id, { claim: sync.claim }, change, counts)) === undefined) {
        throw new ClaimLost(sync.id)
      }
    })

  const accept = async (job: Job<Payload>, sync: ClaimedSync, consequence: Consequence): Promise<void> => {
    const { code, message } = consequence
    if (consequence.kind === 'wait') {
      return goOnLater(job, sync, { delayMs: consequence.delayMs, why: consequence, isSetback: false })
    }
    if (consequence.kind === 'setback') {
      const now = await findSync(job.payload.scope, database.read, sync.id)
      const delayMs = setbackDelaysMs[now?.setbacks ?? 0]
      if (delayMs !== undefined) {
        return goOnLater(job, sync, { delayMs, why: consequence, isSetback: true })
      }
    }
    await end(job, sync, { status: 'failed', error: { code, message } })
  }

  return {
    concurrency: 4,
    leaseMs: 30 * secondMs,
    maxAttempts: 10,
    timeoutMs: 60 * minuteMs,
    async handle(job) {
      const sync = await take(job)
      if (sync === null) return
      try {
        await workOnSync(dependencies, job.payload.scope, sync, job.signal)
        await end(job, sync, { status: 'succeeded' })
      } catch (error) {
        // The sync was cancelled, or another attempt has it.
        if (error instanceof ClaimLost) return
        job.signal.throwIfAborted()
        if (error instanceof SliceOver) {
          return goOnLater(job, sync, { delayMs: 0, why: null, isSetback: false })
        }
        const consequence = consequenceOf(error)
        if (consequence === null) throw error
        log.info('A sync was held up', { syncId: sync.id, connectionId: sync.connection_id, error })
        await accept(job, sync, consequence).catch(failure => {
          if (!(failure instanceof ClaimLost)) throw failure
        })
      }
    },
    async onDead(job, error, tx) {
      // The request that cancelled the sync has already ended its record.
      if (error instanceof JobCancelled) return
      const { syncId, scope } = job.payload
      const sync = await findSync(scope, tx, syncId)
      if (sync === undefined || sync.finished_at !== null) return
      log.error('A sync was given up', { syncId, connectionId: sync.connection_id, error })
      const message = 'The sync failed again and again for a reason inside the server; its log says which'
      const fault =
        error instanceof JobPoisoned
          ? { code: 'crashed_server', message: error.message }
          : { code: 'internal_error', message }
      const how = { status: 'failed', error: fault } as const
      await endSync(dependencies, tx, scope, sync, how)
    },
  }
}

type WorkDependencies = DestinationDependencies &
  Pick<Platform, 'database' | 'clock'> & {
    host: Pick<ConnectorHost, 'use'>
    sessions: Removals
    actingMember: ActingMember
  }

/** A sync that has not ended by then will never end. */
const longestSyncMs = 7 * dayMs

/** Does the rest of the sync. Throws what stops it. */
async function workOnSync(
  dependencies: WorkDependencies,
  scope: Scope,
  claimed: ConnectionSyncRow & { claim: string },
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, actingMember, sessions } = dependencies
  if (clock() - claimed.created_at > longestSyncMs) {
    throw new SourceFault('timeout', 'The sync came to no end within a week')
  }
  const connection = found(await findConnection(scope, database.read, claimed.connection_id))
  const caller = await actingMember(scope, claimed.acting_user_id)
  if (caller === null) throw creatorGone()
  if (!caller.permissions.has('knowledge:write')) throw mayNotWrite()
  const attempt = createSyncAttempt(
    { ...dependencies, scope, caller, signal, integrationId: connection.integration_id },
    claimed,
  )
  if (attempt.sync.phase !== 'removing') {
    const destination = await openDatabaseDestination(dependencies, attempt)
    const follow = (source: Source, context: Context) => followSource(source, context, destination)
    if (scope.environment === 'test') await follow(sandboxSource, sandboxContext(signal, clock))
    else {
      await dependencies.host.use(scope, connection.id, signal, (connector, context) =>
        follow(sourceOf(connector), context),
      )
    }
  }
  await removeGone(attempt, sessions)
}

function sourceOf({ source, name }: Connector): Source {
  if (source === undefined) throw new SourceFault('no_source', `${name} has nothing to keep in sync`)
  return source
}

const creatorGone = (): SourceFault =>
  new SourceFault(
    'creator_gone',
    'The member who began this sync, or set its schedule, has left: begin it or set the schedule again',
  )

const mayNotWrite = (): SourceFault =>
  new SourceFault(
    'permission_missing',
    'The member who began this sync, or set its schedule, may no longer write knowledge',
  )

// The last phase of a sync: removes what is gone at the source from the collection, behind the delete guard.

const shortestPauseMs = 50
const longestPauseMs = 1_000

type Removals = Pick<SyncService, 'countHeld' | 'guardRemoval' | 'remove' | 'get'>

/**
 * Removes session by session, and waits for each. The guard is asked once, before the first session. An attempt that
 * finds a session goes on with what the guard allowed.
 */
async function removeGone(attempt: SyncAttempt, sessions: Removals): Promise<void> {
  const { database, scope, sync } = attempt
  const { connection_id: connectionId } = sync
  const next = () => nextGone(scope, database.read, connectionId, removedAtOnce)
  if (sync.session_id !== null) await waitFor(attempt, sessions, sync.session_id)
  let items = await next()
  if (items.length > 0) {
    // Sessions do not change this number, since they remove only items that are gone.
    const documentIds = documentsOf(scope, database.read, connectionId, 'kept')
    const kept = await sessions.countHeld(attempt.caller, sync.collection_id, documentIds)
    if (sync.session_id === null) await askGuard(attempt, sessions, kept)
    for (; items.length > 0; items = await next()) {
      const sessionId = await begin(attempt, sessions, { items, kept })
      if (sessionId !== null) await waitFor(attempt, sessions, sessionId)
    }
  }
  while ((await database.write(tx => deleteItems(scope, tx, connectionId, 'gone'))) > 0);
}

async function askGuard(
  { sync, caller, database, scope }: SyncAttempt,
  sessions: Removals,
  kept: number,
): Promise<void> {
  const documentIds = documentsOf(scope, database.read, sync.connection_id, 'gone')
  await sessions.guardRemoval(caller, sync.collection_id, {
    documentIds,
    kept,
    confirmed: sync.confirm_deletes,
  })
}

/**
 * Forgets the items in the transaction that begins the session of their documents. Null if none of the documents is
 * there.
 */
async function begin(
  attempt: SyncAttempt,
  sessions: Removals,
  { items, kept }: { items: Awaited<ReturnType<typeof nextGone>>; kept: number },
): Promise<string | null> {
  const { sync, caller, scope } = attempt
  const ids = items.flatMap(({ document_id }) => document_id ?? [])
  const goneUntil = items.at(-1)?.external_id ?? ''
  let begun: string | null = null
  await sessions.remove(caller, sync.collection_id, { ids, kept }, async (tx, sessionId) => {
    begun = sessionId
    while ((await deleteItems(scope, tx, sync.connection_id, { goneUntil })) > 0);
    if (sessionId !== null)
      await attempt.advance(tx, { change: { session_id: sessionId, deleted_before: sync.deleted } })
  })
  return begun
}

async function waitFor(attempt: SyncAttempt, sessions: Removals, sessionId: string): Promise<void> {
  const { caller, signal } = attempt
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const { status, deleted: deletedInSession } = await sessions.get(caller, sessionId)
    const deleted = attempt.sync.deleted_before + deletedInSession
    if (deleted !== attempt.sync.deleted) await attempt.write(async () => ({ change: { deleted } }))
    if (status !== 'completing') return
    attempt.requireTime()
    // If the pause is broken off, the signal says why.
    await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
