/** Finds runs that no worker will finish. */
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { RowRange } from '../../../platform/schedules/rounds.ts'
import { noJob } from '../conversations/turns.ts'
import type { RunRow } from '../records/run-store.ts'

type Range = RowRange & { before: number }

/** Runs that were begun before then, wait for nothing, and have no job that is queued or running. */
export const listLeftBehind = (query: Query, { before, after, limit }: Range): Promise<RunRow[]> =>
  selectLeftBehind(query)
    .where('runs.created_at', '<', before)
    .where('runs.id', '>', after)
    .orderBy('runs.id')
    .limit(limit)
    .execute()

/** Returns the run if it is one of these, and locks its row until the transaction ends. */
export async function lockLeftBehind(tx: Tx, id: string): Promise<RunRow | undefined> {
  // An update that changes nothing locks the row on either engine; what it waited for is seen by the next statement.
  await tx
    .updateTable('runs')
    .set(({ ref }) => ({ change_count: ref('change_count') }))
    .where('id', '=', id)
    .execute()
  return await selectLeftBehind(tx).where('runs.id', '=', id).executeTakeFirst()
}

/** Parts of runs that have ended without them. */
export const listOrphans = (query: Query, { before, after, limit }: Range): Promise<RunRow[]> =>
  query
    .selectFrom('runs')
    .innerJoin('runs as head', 'head.id', 'runs.root_run_id')
    .selectAll('runs')
    .where('runs.finished_at', 'is', null)
    .where('head.finished_at', 'is not', null)
    .where('runs.created_at', '<', before)
    .where('runs.id', '>', after)
    .orderBy('runs.id')
    .limit(limit)
    .execute()

/** A run without a job waits for those before it in its conversation; one within another has the job of that one. */
const selectLeftBehind = (query: Query) =>
  query
    .selectFrom('runs')
    .selectAll('runs')
    .where('runs.finished_at', 'is', null)
    .where('runs.status', '<>', 'waiting')
    .where('runs.parent_run_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.id', '=', 'runs.job_id')
            .where('jobs.finished_at', 'is', null),
        ),
      ),
    )
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('runs.job_id', '<>', noJob),
        not(
          exists(
            selectFrom('runs as earlier')
              .select('earlier.id')
              .whereRef('earlier.workspace_id', '=', 'runs.workspace_id')
              .whereRef('earlier.conversation_id', '=', 'runs.conversation_id')
              .whereRef('earlier.turn', '<', 'runs.turn')
              .where('earlier.finished_at', 'is', null),
          ),
        ),
      ]),
    )
