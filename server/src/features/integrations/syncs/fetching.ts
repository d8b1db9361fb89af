/** The second phase of a sync: what is new or changed is fetched, a few items at a time, and becomes documents. */
import type { Context, Item, Source } from '@atrium/connectors'
import { HttpFailure } from '@atrium/connectors'
import { decodeJson } from '../../../platform/database/json.ts'
import { countItems, type ItemRow, nextPending, triedItems } from './items-store.ts'
import type { SyncAttempt } from './sync-attempt.ts'
import { SourceFault } from './sync-failure.ts'
import { allItemsFailed, failedBefore } from './syncs-store.ts'
import { type TakeItem, takeFailure } from './take-item.ts'

/** In one sync; each later one tries again. */
const maxTries = 3
const itemsAtOnce = 4
const rowsAtOnce = 50
/** So many items in a row that the service could not be had for mean that it is not there. */
const patience = 5

/** Every round tries once what has failed in the one before. */
export async function fetchItems(
  attempt: SyncAttempt,
  source: Source,
  context: Context,
  takeItem: TakeItem,
): Promise<void> {
  const { database, scope } = attempt
  const outages = { inARow: 0 }
  for (let round = 1; round <= maxTries; round++) {
    for (let after = ''; ; ) {
      const next = { after, attempts: round, limit: rowsAtOnce }
      const rows = await nextPending(scope, database.read, attempt.sync, next)
      const last = rows.at(-1)
      if (last === undefined) break
      await severalAtOnce(rows, async row => {
        attempt.requireTime()
        const item = itemOf(row)
        try {
          await takeItem(attempt, row, () => source.fetch(context, item))
          outages.inARow = 0
        } catch (error) {
          context.signal.throwIfAborted()
          if (!(error instanceof HttpFailure && error.kind === 'unavailable')) outages.inARow = 0
          else if (++outages.inARow >= patience) throw error
          await takeFailure(attempt, row, error, maxTries)
        }
      })
      after = last.external_id
    }
  }
  const { pending, kept } = await countItems(scope, database.read, attempt.sync.connection_id)
  const fault = await faultOfAll(attempt, { failed: pending, kept })
  await attempt.write(async () => ({
    change: fault === null ? { failed: pending, phase: 'removing' } : { failed: pending },
  }))
  // Nothing is removed then: a service of which nothing can be had is not believed in what is gone either.
  if (fault !== null) throw fault
}

/**
 * Where none of what was tried could be had. What is known to fail, and is tried in vain again, does not fail every quiet
 * sync of a connection that works.
 */
async function faultOfAll(
  { database, scope, sync }: SyncAttempt,
  { failed, kept }: { failed: number; kept: number },
): Promise<SourceFault | null> {
  const all = await triedItems(scope, database.read, sync)
  if (all.first === undefined || all.failed < all.tried) return null
  if (kept > 0 && failed <= (await failedBefore(scope, database.read, sync))) return null
  const what = all.tried === 1 ? 'The only item that was tried' : `All ${all.tried} items that were tried`
  const { external_id: id, error_message: why } = all.first
  return new SourceFault(allItemsFailed, `${what} failed, the first (${id}) with: ${why}`)
}

const itemOf = ({ external_id: id, version, title, data }: ItemRow): Item => ({
  id,
  version,
  title: title ?? undefined,
  data: data !== null ? decodeJson(data) : undefined,
})

/** Ends once all of what has begun has ended; after the first failure nothing more is begun. */
async function severalAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined && failures.length === 0; item = left.shift()) {
      await work(item).catch(error => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: itemsAtOnce }, worker))
  if (failures.length > 0) throw failures[0]
}
