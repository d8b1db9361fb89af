/** One attempt at a sync: the row as it stands, and the only way to write it, which ends where another attempt has taken over. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { minuteMs } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { SliceOver } from './sync-failure.ts'
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
