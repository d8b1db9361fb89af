/** What was learned of models, in the database: another server and the next start know it too. */
import { secondMs } from '../../platform/clock.ts'
import type { Database, Query, Tx } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Learned, LearnedStore, ProfileOf } from '../../platform/models/asking/profiles.ts'

const mostOfModel = 50
const mostShown = 500
const longestWaitMs = 2 * secondMs

/** `settle` waits for what is being written. */
export function createLearnedStore({ database, log }: { database: Database; log: Log }): LearnedStore & {
  settle(): Promise<void>
} {
  const writing = new Set<Promise<void>>()
  return {
    load: ({ provider, model }) =>
      database.read
        .selectFrom('learned_fields')
        .where('provider', '=', provider)
        .where('model', '=', model)
        .select(['field', 'instead', 'because', 'learned_at as learnedAt'])
        .limit(mostOfModel)
        .execute(),
    save(of, learned) {
      const written = database
        .write(tx => put(tx, of, learned))
        // The call has succeeded; the next process learns again.
        .catch(error => log.warn('What was learned of a model could not be stored', { ...of, error }))
        .finally(() => writing.delete(written))
      writing.add(written)
      return written
    },
    async settle() {
      await Promise.race([
        Promise.all(writing),
        new Promise(resolve => setTimeout(resolve, longestWaitMs).unref()),
      ])
    },
  }
}

async function put(tx: Tx, { workspaceId, provider, model }: ProfileOf, learned: Learned): Promise<void> {
  const { field, instead, because, learnedAt } = learned
  const changing = { instead, because, learned_at: learnedAt }
  await tx
    .insertInto('learned_fields')
    .values({ provider, model, field, workspace_id: workspaceId, ...changing })
    .onConflict(conflict => conflict.columns(['provider', 'model', 'field']).doUpdateSet(changing))
    .execute()
}

/** Of these providers, the latest first. */
export const learnedOf = (query: Query, providers: readonly string[]) =>
  query
    .selectFrom('learned_fields')
    .where('provider', 'in', providers)
    .selectAll()
    .orderBy('learned_at', 'desc')
    .orderBy('model')
    .orderBy('field')
    .limit(mostShown)
    .execute()

export const forgetLearned = async (tx: Tx, provider: string): Promise<void> => {
  await tx.deleteFrom('learned_fields').where('provider', '=', provider).execute()
}
