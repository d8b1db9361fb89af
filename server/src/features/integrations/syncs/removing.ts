/** The last phase of a sync: what is gone at the source goes from the collection, behind the delete guard. */
import { setTimeout as sleep } from 'node:timers/promises'
import { removedAtOnce } from '../../knowledge/syncs/sync-schemas.ts'
import type { SyncService } from '../../knowledge/syncs/sync-service.ts'
import { deleteItems, documentsOf, nextGone } from './items-store.ts'
import type { SyncAttempt } from './sync-attempt.ts'

const shortestPauseMs = 50
const longestPauseMs = 1_000

export type Removals = Pick<SyncService, 'countHeld' | 'guardRemoval' | 'remove' | 'get'>

/**
 * Removes session by session, each of which is awaited. The guard is asked once, before the first: an attempt that finds a
 * session goes on with what that was allowed.
 */
export async function removeGone(attempt: SyncAttempt, sessions: Removals): Promise<void> {
  const { database, scope, sync } = attempt
  const { connection_id: connectionId } = sync
  const next = () => nextGone(scope, database.read, connectionId, removedAtOnce)
  if (sync.session_id !== null) await waitFor(attempt, sessions, sync.session_id)
  let items = await next()
  if (items.length > 0) {
    // No session changes it: they remove only items that are gone.
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

/** Forgets the items in the transaction that begins the session of their documents. Null if none of those is there. */
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
    // Where the pause is broken off, the next look at the signal says why.
    await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
