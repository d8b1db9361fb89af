/** Fills the rows of metadata for the documents that are older than these rows; the migration that made them queues it. */
import { minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Engine, Tx } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import type { Queue } from '../../../platform/jobs/job.ts'
import { writeFields } from './fields-store.ts'

export const fieldsQueue = 'knowledge-fields'

/** About 10 ms of the one writer's time. */
const documentsAtOnce = 50

/** Idempotent: the job can start again at any time. */
export const createFieldsQueue = ({ engine }: { engine: Engine }): Queue => ({
  concurrency: 1,
  leaseMs: 30 * secondMs,
  maxAttempts: 20,
  timeoutMs: 60 * minuteMs,
  async handle(job) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after
      after = await job.write(tx => fillSlice(tx, engine, from))
      job.signal.throwIfAborted()
    }
    await job.complete(async () => undefined)
  },
})

/** Answers the last document that it saw; undefined at the end. The rows are locked, so that no change of metadata is undone. */
async function fillSlice(tx: Tx, engine: Engine, after: string): Promise<string | undefined> {
  const query = tx
    .selectFrom('documents')
    .select(['id', 'workspace_id', 'environment', 'metadata'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(documentsAtOnce)
  const rows = await (engine === 'postgres' ? query.forUpdate() : query).execute()
  for (const row of rows) {
    const scope = { workspaceId: row.workspace_id, environment: row.environment }
    await writeFields(scope, tx, row.id, decodeJson(row.metadata))
  }
  return rows.at(-1)?.id
}
