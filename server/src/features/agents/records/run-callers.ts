/** The author of a run, stored with it so that any worker can continue it. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { decodeJson, type Json } from '../../../platform/database/json.ts'
import { restoreCaller, type StoredCaller } from '../../../platform/stored-caller.ts'
import type { Actor } from '../../events/data-schemas.ts'
import { findRunOfJob, type RunRow } from './run-store.ts'

export const callerOf = (run: Pick<RunRow, 'caller'>): Caller => restoreCaller(run.caller)

/** Who began the run, where the rest of the caller is not needed. */
export const authorOf = (run: Pick<RunRow, 'caller'>): Actor => decodeJson(run.caller as Json<StoredCaller>)

/** The browser token of the page that began it; null if none did. */
export const browserTokenOf = (run: Pick<RunRow, 'caller'>): string | null =>
  decodeJson(run.caller as Json<StoredCaller>).browserTokenId ?? null

/** What the author of a run may read now; null once the run is deleted, or its author may do nothing any more. */
export const createAuthorOfRun =
  (currentCaller: CurrentCaller) =>
  async (query: Query, runId: string): Promise<Scope | null> => {
    const run = await findRunOfJob(query, runId)
    return run === undefined ? null : ((await currentCaller(callerOf(run)))?.scope ?? null)
  }

/** The author with today's permissions; null once the key is revoked or has expired, or its creator has left. */
export type CurrentCaller = (caller: Caller) => Promise<Caller | null>
