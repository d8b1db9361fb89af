/** What choosing candidates costs: the order that is served beside that in which every chunk with a word is scored. */

import { readReach } from '../server/src/features/knowledge/search/ranking/reach.ts'
import { rankByText } from '../server/src/features/knowledge/search/ranking/text-ranking.ts'
import { type DatabaseSettings, openDatabase } from '../server/src/platform/database/open.ts'

export type Overlap = {
  /** The parts of the best 100 and the best ten chunks that are served. */
  firstHundred: number
  firstTen: number
  queries: number
}

/** To score all chunks takes a second each. */
const mostQueries = 25

/** Asks the database itself: the API has no search without a bound. */
export async function compareUnpruned(
  settings: DatabaseSettings,
  collectionId: string,
  queries: readonly string[],
): Promise<Overlap> {
  const database = await openDatabase(settings)
  try {
    const { engine, read } = database
    const { workspace_id: workspaceId, environment } = await read
      .selectFrom('collections')
      .select(['workspace_id', 'environment'])
      .where('id', '=', collectionId)
      .executeTakeFirstOrThrow()
    const scope = { workspaceId, environment }
    const rank = (text: string, limitOf?: () => number): Promise<string[]> =>
      database.snapshot(workspaceId, async query => {
        const reach = await readReach(engine, scope, query, { collectionIds: [collectionId] })
        const ranking = reach === null ? null : await rankByText(engine, query, reach, text, { limitOf })
        return ranking?.ranked.map(({ chunkId }) => chunkId) ?? []
      })
    const step = Math.max(1, Math.ceil(queries.length / mostQueries))
    const asked = queries.filter((_, place) => place % step === 0)
    const sums = { hundred: 0, ten: 0 }
    for (const text of asked) {
      const [served, all] = [await rank(text), await rank(text, () => Number.MAX_SAFE_INTEGER)]
      sums.hundred += partOf(served.slice(0, 100), all.slice(0, 100))
      sums.ten += partOf(served.slice(0, 10), all.slice(0, 10))
    }
    return {
      firstHundred: sums.hundred / asked.length,
      firstTen: sums.ten / asked.length,
      queries: asked.length,
    }
  } finally {
    await database.close()
  }
}

function partOf(served: readonly string[], best: readonly string[]): number {
  const there = new Set(served)
  return best.length === 0 ? 1 : best.filter(id => there.has(id)).length / best.length
}
