/**
 * Search quality on a test collection in BEIR form, through the public API alone:
 * `npm run eval -- FOLDER [--engine sqlite|postgres]`. PostgreSQL is the server at DATABASE_URL, or one started for this.
 */
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../server/src/testing/postgres.ts'
import { type BeirDocument, type BeirQuery, type Collection, loadCollection } from './beir.ts'
import { eachAtOnce, percentile } from './load.ts'
import { evaluate } from './metrics.ts'
import { startAtrium } from './process.ts'

const uploadsAtOnce = 8
const pageSize = 50
const maxResults = 1_000
/** The longest query that the API takes. */
const maxQueryLength = 4_000
/** The longest title and external id that it takes. */
const maxTitleLength = 500

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', default: 'sqlite' } },
})
const [folder] = positionals
if (folder === undefined || !['sqlite', 'postgres'].includes(values.engine)) {
  console.error('Usage: npm run eval -- FOLDER [--engine sqlite|postgres]')
  process.exit(2)
}
await measure(folder, values.engine)

async function measure(folder: string, engine: string): Promise<void> {
  const collection = await loadCollection(folder)
  const postgres =
    engine === 'postgres' && process.env.DATABASE_URL === undefined ? await startTestPostgres() : null
  const databaseUrl = engine === 'postgres' ? (postgres?.url ?? process.env.DATABASE_URL) : undefined
  try {
    const atrium = await startAtrium({
      settings: databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl },
    })
    try {
      const call = createCaller(atrium.url, await atrium.createKey('live'))
      await measureThrough(call, folder, engine, collection)
    } finally {
      await atrium.stop()
    }
  } finally {
    await postgres?.stop()
  }
}

async function measureThrough(
  call: Call,
  folder: string,
  engine: string,
  { documents, queries, judgements }: Collection,
): Promise<void> {
  const name = `eval ${folder} ${new Date().toISOString()}`
  const { data } = await call('POST', '/knowledge/collections', { json: { name } })
  const { id: collectionId } = data as { id: string }
  const startedAt = performance.now()
  await eachAtOnce(documents, uploadsAtOnce, document => upload(call, collectionId, document))
  const seconds = (performance.now() - startedAt) / 1000

  const rankings = new Map<string, readonly string[]>()
  const firstPageMs: number[] = []
  for (const query of queries) {
    const { ranking, milliseconds } = await search(call, collectionId, query)
    rankings.set(query._id, ranking)
    firstPageMs.push(milliseconds)
  }
  const figures = evaluate(rankings, judgements)
  console.log(`${folder} on ${engine}: ${documents.length} documents, ${figures.queries} judged queries`)
  console.log(`nDCG@10     ${figures.ndcgAt10.toFixed(4)}`)
  console.log(`Recall@100  ${figures.recallAt100.toFixed(4)}`)
  console.log(`MAP         ${figures.meanAveragePrecision.toFixed(4)}`)
  console.log(`Uploaded and indexed ${(documents.length / seconds).toFixed(0)} documents/s`)
  console.log(
    `First page: p50 ${percentile(firstPageMs, 0.5).toFixed(1)} ms, p99 ${percentile(firstPageMs, 0.99).toFixed(1)} ms`,
  )
}

/** Resolves once the document can be found. */
async function upload(call: Call, collectionId: string, { _id, title, text }: BeirDocument): Promise<void> {
  const form = new FormData()
  form.set('collectionId', collectionId)
  form.set('externalId', _id)
  if (title !== '') form.set('title', title.slice(0, maxTitleLength))
  // A file has to hold something: a document without a text is its title.
  form.set('file', new File([text.trim() === '' ? title : text], `${_id.replaceAll('/', '_')}.txt`))
  let { data } = await call('POST', '/knowledge/documents', { form, headers: { prefer: 'wait=60' } })
  for (;;) {
    const { id, status, error } = data as { id: string; status: string; error: unknown }
    if (status === 'ready') return
    if (status === 'failed') throw new Error(`The document ${_id} failed: ${JSON.stringify(error)}`)
    data = (await call('GET', `/knowledge/documents/${id}`, { headers: { prefer: 'wait=60' } })).data
  }
}

/** The documents in the order of their best chunks, and how long the first page took. */
async function search(
  call: Call,
  collectionId: string,
  { text }: BeirQuery,
): Promise<{ ranking: string[]; milliseconds: number }> {
  const ranking = new Set<string>()
  let milliseconds = 0
  for (let page = 1; page <= maxResults / pageSize; page++) {
    const parameters = new URLSearchParams({ query: text.slice(0, maxQueryLength), collectionId })
    parameters.set('page', String(page))
    parameters.set('pageSize', String(pageSize))
    const startedAt = performance.now()
    const { data, meta } = await call('GET', `/knowledge/search?${parameters}`)
    if (page === 1) milliseconds = performance.now() - startedAt
    for (const { externalId } of data as { externalId: string }[]) ranking.add(externalId)
    if (page * pageSize >= (meta?.total ?? 0)) break
  }
  return { ranking: [...ranking], milliseconds }
}

type Reply = { data: unknown; meta?: { total: number } }
type Call = (
  method: string,
  path: string,
  content?: { json?: unknown; form?: FormData; headers?: Record<string, string> },
) => Promise<Reply>

function createCaller(url: string, key: string): Call {
  return async (method, path, { json, form, headers = {} } = {}) => {
    const reply = await fetch(`${url}/api/v1${path}`, {
      method,
      body: form ?? (json === undefined ? null : JSON.stringify(json)),
      headers: {
        authorization: `Bearer ${key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`)
    return JSON.parse(text) as Reply
  }
}
