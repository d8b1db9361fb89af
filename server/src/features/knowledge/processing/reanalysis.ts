/** Brings the search index up to date after a change of the analysis: documents that were indexed by an earlier one are indexed again. */
import type { Database } from '../../../platform/database/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { reindexJob } from '../records/document-jobs.ts'
import { analysisVersion } from '../search/analysis/analyse.ts'

/** Queues a job for each such document, which stays found meanwhile, and answers how many there are. */
export type Reanalysis = () => Promise<number>

const documentsAtOnce = 200

export function createReanalysis({ database, jobs }: { database: Database; jobs: Jobs }): Reanalysis {
  const listOutdated = (after: string) =>
    database.read
      .selectFrom('search_segments')
      .innerJoin('search_indexes', 'search_indexes.number', 'search_segments.index_number')
      .select(['document_id as documentId', 'workspace_id as workspaceId', 'environment'])
      .distinct()
      .where('search_segments.analysis', '<', analysisVersion)
      .where('search_segments.live', '=', 1)
      .where('search_segments.document_id', '>', after)
      .orderBy('search_segments.document_id')
      .limit(documentsAtOnce)
      .execute()

  return async () => {
    let count = 0
    for (let after = ''; ; ) {
      const outdated = await listOutdated(after)
      const last = outdated.at(-1)
      if (last === undefined) return count
      await database.write(async tx => {
        for (const { documentId, ...scope } of outdated) {
          // Each start asks again, as long as any are left.
          const uniqueKey = `reanalysis:${documentId}`
          await jobs.enqueue(tx, { ...reindexJob(scope, documentId, 'rewrite'), uniqueKey })
        }
      })
      count += outdated.length
      after = last.documentId
    }
  }
}
