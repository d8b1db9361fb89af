/** What the kill loop runs on: a place with a collection, a key, and a second connection to its database. */
import { join } from 'node:path'
import { createOrphanSweep } from '../../features/knowledge/processing/orphans.ts'
import { createFolderBlobs } from '../../platform/blobs/folder.ts'
import { dayMs } from '../../platform/clock.ts'
import type { Database, Engine } from '../../platform/database/database.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { createIds } from '../../platform/ids.ts'
import { createPlace, type Place } from '../operator.ts'
import { type Book, createBook } from './book.ts'
import { createClient } from './client.ts'
import { namedBlobs } from './inspect.ts'

export type KillPlace = { place: Place; database: Database; key: string; book: Book }

/** More documents than requests at once, few enough to be looked at after each kill. */
const usualBookSize = 30

export async function prepare(
  cleanup: { after: (work: () => Promise<void>) => void },
  engine: Engine,
  bookSize = usualBookSize,
): Promise<KillPlace> {
  const place = await createPlace(cleanup, { engine, environment: { ATRIUM_LOG_LEVEL: 'info' } })
  const server = await place.startServer()
  const [workspace] = await place.atriumJson('workspace list')
  const { key } = await place.atriumJson([
    ...['key', 'create', '--workspace', workspace.slug],
    ...['--env', 'live', '--name', 'kill-loop', '--permissions', 'all'],
  ])
  await place.atriumJson(['workspace', 'set-plan', workspace.slug, 'enterprise', '--rate', '10000000'])
  const reply = await createClient(server.origin, key)('POST', '/knowledge/collections', {
    json: { name: 'Killed' },
  })
  await server.stop()
  const url = place.environment.DATABASE_URL
  const database = await openDatabase(
    url === undefined
      ? { engine: 'sqlite', file: join(place.dataDir, 'atrium.db') }
      : { engine: 'postgres', url, maxConnections: 2 },
  )
  cleanup.after(() => database.close())
  return { place, database, key, book: createBook(reply?.body.data.id, bookSize) }
}

/** Sweeps what uploads that were cut off have left, as a server does a day later; answers the files that do not belong. */
export async function sweepFiles({
  place,
  database,
}: KillPlace): Promise<{ swept: number; faults: string[] }> {
  const blobs = await createFolderBlobs({
    folder: join(place.dataDir, 'files'),
    newId: createIds(Date.now),
  })
  const swept = await createOrphanSweep({ database, blobs, clock: () => Date.now() + 2 * dayMs })()
  const named = await namedBlobs(database.read)
  const stored = new Set(await Array.fromAsync(blobs.ids()))
  const faults = [
    ...[...stored].filter(id => !named.has(id)).map(id => `the file ${id} belongs to nothing`),
    ...[...named].filter(id => !stored.has(id)).map(id => `the file ${id} is gone`),
  ]
  return { swept, faults }
}
