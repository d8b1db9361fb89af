/** What the kill loop runs on: an installation with a collection, a key, and a second connection to its database. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createOrphanSweep } from '../../features/knowledge/processing/reaper.ts'
import { createFolderBlobs } from '../../platform/blobs/folder.ts'
import { dayMs } from '../../platform/clock.ts'
import type { Database, Engine } from '../../platform/database/database.ts'
import { createIds } from '../../platform/ids.ts'
import {
  createInstallation,
  type Installation,
  openInstallationDatabase,
  type RunningServer,
} from '../operator.ts'
import { startModelServer } from '../servers/model-server.ts'
import { startWebhookReceiver } from '../servers/webhook-receiver.ts'
import { type Book, type Content, createBook } from './book.ts'
import { createClient } from './call.ts'
import type { Errand } from './errand.ts'
import { createErrands, type Subject } from './errands.ts'
import { namedBlobs } from './inspect.ts'
import { startKeptService } from './kept-service.ts'
import type { KillPoint } from './rounds.ts'
import { startRunPeers } from './run-peers.ts'

export type PreparedInstallation = {
  installation: Installation
  /** It runs until it is stopped or killed. */
  server: RunningServer
  database: Database
  key: string
  book: Book
  errands: readonly Errand[]
  lanes?: number | undefined
  settingsFor(point: KillPoint | null): Record<string, string>
}

/** A change from the one to the other makes every vector again. */
const models = ['openai/test-embedding-32', 'openai/test-embedding-64']

const ownConnectors = join(import.meta.dirname, '../programs/connectors')

/** More documents than requests at once, few enough to be looked at after each kill. */
const usualBookSize = 30

export async function prepare(
  cleanup: { after: (work: () => Promise<void>) => void },
  engine: Engine,
  {
    bookSize = usualBookSize,
    random = Math.random,
    subjects = ['knowledge'],
  }: { bookSize?: number; random?: () => number; subjects?: readonly Subject[] } = {},
): Promise<PreparedInstallation> {
  const modelServer = await startModelServer()
  cleanup.after(() => modelServer.close())
  const peers = await startRunPeers(modelServer)
  cleanup.after(peers.close)
  const receiver = await startWebhookReceiver()
  cleanup.after(receiver.close)
  const kept = await startKeptService()
  cleanup.after(kept.close)
  const serve = await startFileServer(cleanup)
  const environment: Record<string, string> = {
    ATRIUM_LOG_LEVEL: 'info',
    ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1/32,::1/128',
    OPENAI_API_KEY: 'of-nobody',
    OPENAI_BASE_URL: modelServer.baseUrl,
  }
  // A server with connectors of its own runs from its sources, which takes three times as long to start.
  if (subjects.includes('connections')) environment.ATRIUM_CONNECTORS_DIR = ownConnectors
  const installation = await createInstallation(cleanup, { engine, environment })
  const server = await installation.startServer()
  const [workspace] = await installation.atriumJson('workspace list')
  const { key } = await installation.atriumJson([
    ...['key', 'create', '--workspace', workspace.slug],
    ...['--env', 'live', '--name', 'kill-loop', '--permissions', 'all'],
  ])
  await installation.atriumJson(['workspace', 'set-plan', workspace.slug, 'enterprise', '--rate', '10000000'])
  const call = createClient(server.origin, key)
  const reply = await call('POST', '/knowledge/collections', { json: { name: 'Killed' } })
  const errands = await createErrands(call, { random, peers, receiver, kept, subjects })
  const database = await openInstallationDatabase(installation)
  cleanup.after(() => database.close())
  let model = 0
  return {
    installation,
    server,
    database,
    key,
    book: createBook(reply?.body.data.id, bookSize, serve),
    errands,
    lanes: subjects.includes('knowledge') ? undefined : 0,
    settingsFor(point) {
      if (point?.startsWith('knowledge-embed/')) model = 1 - model
      const isEmbedding = point?.startsWith('knowledge-embed/') || random() < 0.2
      return isEmbedding ? { ATRIUM_EMBEDDING_MODEL: models[model] ?? '' } : {}
    },
  }
}

/** Whatever it was told to serve lies at an address of its own. */
async function startFileServer(cleanup: {
  after: (work: () => Promise<void>) => void
}): Promise<Book['serve']> {
  const contents = new Map<string, Content>()
  const server = createServer((request, response) => {
    const content = contents.get(request.url ?? '')
    response.writeHead(content === undefined ? 404 : 200).end(content?.bytes)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  cleanup.after(async () => {
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return content => {
    const path = `/${content.word}/${content.name}`
    contents.set(path, content)
    return `http://127.0.0.1:${port}${path}`
  }
}

/** Sweeps what uploads that were cut off have left, as a server does a day later; returns the files that do not belong. */
export async function sweepFiles({
  installation,
  database,
}: PreparedInstallation): Promise<{ swept: number; faults: string[] }> {
  const blobs = await createFolderBlobs({
    folder: join(installation.dataDir, 'files'),
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

/** The same numbers for the same seed: a linear congruential generator, with the constants of Numerical Recipes. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
