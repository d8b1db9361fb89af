/** How good the search is on our own judged queries: typos, names, languages, compounds, phrases. */
import { join } from 'node:path'
import { loadCollection } from '../beir.ts'
import { startAtrium } from '../process.ts'
import { measureQuality } from '../quality.ts'
import { type Row, rounded, row } from '../table.ts'

const mustReach = 0.9

export async function measureJudged(): Promise<Row[]> {
  const collection = await loadCollection(join(import.meta.dirname, '../judged'))
  await using atrium = await startAtrium()
  const { figures } = await measureQuality(atrium.url, await atrium.createKey('live'), collection)
  return [
    row(
      `Quality of search, ${figures.queries} judged queries of our own`,
      `nDCG@10 ${rounded(figures.ndcgAt10, 3)}, MAP ${rounded(figures.meanAveragePrecision, 3)}`,
      `nDCG@10 ≥ ${rounded(mustReach, 2)}`,
      figures.ndcgAt10 >= mustReach,
    ),
  ]
}
