/**
 * The thread that finds passages: it reads one state of an SQLite file for each search, and cannot change the file.
 */
import { workerData } from 'node:worker_threads'
import { openReader, whileWanted } from '../../../platform/database/sqlite/snapshots.ts'
import { serve } from '../../../platform/threads/serve.ts'
import { findPassages, type SearchResults, type Wanted } from '../search/find-passages.ts'
import { rankByVectors } from './rank-by-vectors.ts'

const reader = openReader(workerData as string)

serve<Wanted, SearchResults | null>((wanted, goOn) =>
  reader.snapshot(query => findPassages('sqlite', whileWanted(query, goOn), wanted, rankByVectors)),
)
