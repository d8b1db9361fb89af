/** On whose behalf a run acts, kept with it so that any worker can go on. */
import type { Caller } from '../../../platform/caller.ts'
import { decodeJson, type Json } from '../../../platform/database/json.ts'
import { restoreCaller, type StoredCaller } from '../../../platform/stored-caller.ts'
import type { Actor } from '../../events/data-schemas.ts'
import type { RunRow } from './run-store.ts'

export const callerOf = (run: Pick<RunRow, 'caller'>): Caller => restoreCaller(run.caller)

/** Who began the run, for those who only count: the rest of the caller is not made again. */
export const authorOf = (run: Pick<RunRow, 'caller'>): Actor => decodeJson(run.caller as Json<StoredCaller>)

/** The author as it may act now; null where it may not any more: its key is revoked or has expired, its maker has gone. */
export type CurrentCaller = (caller: Caller) => Promise<Caller | null>
