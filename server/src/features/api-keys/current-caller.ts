/** What a key may do now, for work that goes on after the request by which it was begun. */
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { callerOf, isAlive } from './key-caller.ts'
import { findById } from './store.ts'

/**
 * The caller with what its key may do now; null where the key is revoked or has expired, its maker is no member any
 * more, its plan has no API, or its workspace is deleted. Whoever acts without a key acts as before.
 */
export const createCurrentCaller =
  ({ database, clock }: { database: Database; clock: Clock }) =>
  async (caller: Caller): Promise<Caller | null> => {
    if (caller.kind !== 'key' || caller.keyId === null) return caller
    const key = await findById(database.read, caller.keyId, clock())
    if (key === undefined || !isAlive(key, clock()) || key.plan === 'free' || key.deletesAt !== null)
      return null
    const { requestId, address, idempotencyId } = caller
    return { ...callerOf(key), requestId, address, idempotencyId }
  }
