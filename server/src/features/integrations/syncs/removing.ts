/** The last phase of a sync: what is gone at the source goes from the collection, behind the delete guard. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SyncService } from '../../knowledge/syncs/sync-service.ts'
import { countItems, deleteItems, documentsOf } from './items-store.ts'
import type { SyncAttempt } from './sync-attempt.ts'

const shortestPauseMs = 50
const longestPauseMs = 1_000

export type Removals = Pick<SyncService, 'remove' | 'get'>

export async function removeGone(attempt: SyncAttempt, sessions: Removals): Promise<void> {
  const { database, scope, faults } = attempt
  if (attempt.sync.session_id === null) {
    const gone = documentsOf(scope, database.read, attempt.sync.connection_id, 'gone')
    const documentIds = await Array.fromAsync(gone)
    faults.reach('connection-sync.before-removal')
    if (documentIds.length > 0) await begin(attempt, sessions, documentIds)
  }
  const { session_id: sessionId, connection_id } = attempt.sync
  if (sessionId !== null) await waitFor(attempt, sessions, sessionId)
  while ((await database.write(tx => deleteItems(scope, tx, connection_id, 'gone'))) > 0);
}

async function begin(attempt: SyncAttempt, sessions: Removals, documentIds: string[]): Promise<void> {
  const { sync, caller, database, scope, faults } = attempt
  const { kept } = await countItems(scope, database.read, sync.connection_id)
  const gone = { documentIds, kept, confirmed: sync.confirm_deletes }
  await sessions.remove(caller, sync.collection_id, gone, async (tx, sessionId) => {
    await attempt.advance(tx, { change: { session_id: sessionId } })
  })
  faults.reach('connection-sync.removal-begun')
}

async function waitFor(attempt: SyncAttempt, sessions: Removals, sessionId: string): Promise<void> {
  const { caller, signal } = attempt
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const { status, deleted } = await sessions.get(caller, sessionId)
    if (deleted !== attempt.sync.deleted) await attempt.write(async () => ({ change: { deleted } }))
    if (status !== 'completing') return
    attempt.requireTime()
    // Where the pause is broken off, the next look at the signal says why.
    await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
