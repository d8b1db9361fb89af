/** The thread in which passages are found: it reads one state of the database for each search, and can change nothing. */
import { workerData } from 'node:worker_threads'
import { openReader } from '../../../platform/database/reader.ts'
import { serve } from '../../../platform/threads/serve.ts'
import { findPassages, type SearchResults, type Wanted } from '../search/find-passages.ts'
import { rankByVectors } from './rank-by-vectors.ts'
import type { SearchThreadData } from './search-threads.ts'

const { source, snapshotsAtOnce } = workerData as SearchThreadData
const reader = await openReader(source, snapshotsAtOnce)

serve<Wanted, SearchResults | null>((wanted, goOn) =>
  reader.snapshot(goOn, query => findPassages(reader.engine, query, wanted, rankByVectors)),
)
