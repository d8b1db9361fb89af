import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPlace, type Place } from '../../testing/operator.ts'
import { pdfOf } from '../../testing/sample-files.ts'

const rounds = 4
const uploadsAtOnce = 6
const uploadsPerRound = 60
const uploadsBeforeKill = 12

type Sent = { externalId: string; name: string; content: Buffer; word: string }
type Client = (method: string, path: string, form?: FormData) => Promise<{ status: number; body: Json }>
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

/** Leases of a process that was killed are over at the next start, since only one server has the data folder. */
test('a server killed again and again in the middle of uploads loses nothing that it acknowledged and doubles nothing', async t => {
  const place = await createPlace(t, { engine: 'sqlite' })
  const first = await place.startServer()
  const { key } = await place.atriumJson(['key', 'create', ...(await inFirstWorkspace(place)), ...allowed])
  const collectionId = (await createClient(first.origin, key)('POST', '/knowledge/collections')).body.data.id
  await first.stop()

  const acknowledged = new Map<string, Sent>()
  for (let round = 0; round < rounds; round++) {
    const server = await place.startServer()
    const client = createClient(server.origin, key)
    const uploading = uploadAll(client, collectionId, round, acknowledged)
    const enough = acknowledged.size + uploadsBeforeKill
    for (let tries = 0; acknowledged.size < enough && tries < 1_000; tries++) await sleep(10)
    // Somewhere in the reading, the indexing or the uploads that are under way by then.
    await sleep(round * 30)
    await server.kill()
    await uploading
  }
  assert.ok(
    acknowledged.size >= rounds * uploadsBeforeKill,
    `Only ${acknowledged.size} uploads were acknowledged`,
  )
  await checkEverything(t, place, key, collectionId, acknowledged)
})

const allowed = ['--env', 'live', '--name', 'crash', '--permissions', 'all']

async function inFirstWorkspace(place: Place): Promise<string[]> {
  const [workspace] = await place.atriumJson('workspace list')
  return ['--workspace', workspace.slug]
}

function createClient(origin: string, key: string): Client {
  return async (method, path, form) => {
    const reply = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(form === undefined && method === 'POST' && { 'content-type': 'application/json' }),
      },
      ...(method === 'POST' && { body: form ?? JSON.stringify({ name: 'Crash' }) }),
    })
    return { status: reply.status, body: await reply.json() }
  }
}

/** Uploads until the server is gone; what it acknowledged is noted. */
async function uploadAll(
  client: Client,
  collectionId: string,
  round: number,
  acknowledged: Map<string, Sent>,
): Promise<void> {
  const waiting = Array.from({ length: uploadsPerRound }, (_, index) => makeFile(round, index))
  const work = async (): Promise<void> => {
    for (let sent = waiting.shift(); sent !== undefined; sent = waiting.shift()) {
      const form = new FormData()
      form.append('collectionId', collectionId)
      form.append('externalId', sent.externalId)
      form.append('file', new Blob([new Uint8Array(sent.content)]), sent.name)
      // The server is killed in the middle: to fail is what most of these are here for.
      const reply = await client('POST', '/knowledge/documents', form).catch(() => null)
      if (reply === null) return
      assert.equal(reply.status, 201)
      acknowledged.set(reply.body.data.id, sent)
    }
  }
  await Promise.all(Array.from({ length: uploadsAtOnce }, work))
}

/** Every kind of way through the pipeline: read in the process and by a child, in one slice and in many. */
function makeFile(round: number, index: number): Sent {
  const word = `zebra${round}x${index}`
  const externalId = `${round}-${index}`
  if (index % 10 === 3) return { externalId, word, name: 'a.pdf', content: pdfOf(`A page about ${word}.`) }
  const length = index % 10 === 5 ? 400 : 1
  const text = Array.from({ length }, (_, i) =>
    `${i === 0 ? word : 'More'} in paragraph ${i}. ${'Filling. '.repeat(100)}`.trimEnd(),
  )
  return { externalId, word, name: 'a.txt', content: Buffer.from(text.join('\n\n')) }
}

async function checkEverything(
  t: TestContext,
  place: Place,
  key: string,
  collectionId: string,
  acknowledged: ReadonlyMap<string, Sent>,
): Promise<void> {
  const server = await place.startServer()
  const client = createClient(server.origin, key)
  const documents = await listSettled(client, collectionId)
  const collection = (await client('GET', `/knowledge/collections/${collectionId}`)).body.data
  assert.equal(collection.documentCount, documents.length)
  assert.equal(
    collection.chunkCount,
    documents.reduce((sum, document) => sum + document.chunkCount, 0),
  )
  assert.equal(new Set(documents.map(({ externalId }) => externalId)).size, documents.length)
  for (const [id, { externalId, word, name, content }] of acknowledged) {
    const document = documents.find(candidate => candidate.id === id)
    assert.deepEqual(
      [document?.status, document?.externalId],
      ['ready', externalId],
      JSON.stringify(document),
    )
    const found = (await client('GET', `/knowledge/search?query=${word}`)).body.data
    assert.deepEqual(
      found.map((hit: { documentId: string }) => hit.documentId),
      [id],
      `A search for ${word} in ${name} of ${content.length} bytes: ${JSON.stringify(document)}`,
    )
    if (name === 'a.pdf') continue
    const text = (await client('GET', `/knowledge/documents/${id}/content`)).body.data
    assert.ok(text.text === content.toString().slice(0, 100_000), `The text of ${word} is another one`)
  }
  await server.stop()
  t.diagnostic(
    `${acknowledged.size} uploads acknowledged, ${documents.length} documents stored, ${rounds} kills`,
  )
}

async function listSettled(client: Client, collectionId: string): Promise<Json[]> {
  for (let tries = 0; tries < 600; tries++) {
    const documents: Json[] = []
    for (let page = 1; page === 1 || documents.length === (page - 1) * 100; page++) {
      const path = `/knowledge/documents?collectionId=${collectionId}&pageSize=100&page=${page}`
      documents.push(...(await client('GET', path)).body.data)
    }
    if (documents.every(({ status }) => status === 'ready' || status === 'failed')) return documents
    await sleep(100)
  }
  throw new assert.AssertionError({ message: 'Documents stay unfinished after the restart' })
}
