/** One of everything about a collection, and about an agent: what a caller either reaches all of, or is told nothing of. */
import assert from 'node:assert/strict'
import { subscribableTypes } from '../../features/events/schemas.ts'
import { exportOf, importInto } from '../knowledge/archives.ts'
import { putAndWait, upload, uploadAndWait } from '../knowledge/knowledge.ts'
import { createTus } from '../knowledge/resumable.ts'
import { pdfOf } from '../knowledge/sample-files.ts'
import type { TestKey } from '../test-app.ts'
import { batchId } from './asks.ts'
import { type Ids, merged, type World } from './world.ts'

/** All but one: a connection is everybody's until it fills a collection, and so is the event of its beginning. */
export const listenedTypes = subscribableTypes.filter(type => type !== 'connection.active')

/** Whom it is kept to: as a body has it, empty for everybody. */
type Access = { access?: 'teams'; teamIds?: string[] }

/** With documents in every state, what fills it, and a key and an endpoint that are narrowed to it. */
export async function addCollection(world: World, word: string, access: Access = {}): Promise<Ids> {
  const { app, ask, idOf } = world
  const body = { name: word, description: word, ...access }
  const collectionId = await idOf('/knowledge/collections', body)
  const trashed = await idOf('/knowledge/collections', { ...body, name: `trashed ${word}` })
  const documents = await addDocuments(world, word, collectionId)
  await ask('DELETE', `/knowledge/collections/${trashed}`)
  const begun = await createTus(app, collectionId).create(100, { filename: `${word}.txt` })
  const uploadId = String(begun.headers.location).split('/').at(-1) ?? ''
  const listed = await idOf('/knowledge/collections', { ...body, name: `listed ${word}` })
  const session = await ask('POST', `/knowledge/collections/${listed}/syncs`, {
    entries: [{ externalId: word, sha256: 'a'.repeat(64) }],
  })
  const connection = await world.addConnection(word, collectionId)
  const imported = await importInto(app, await exportOf(app, collectionId))
  if (access.access !== undefined)
    await ask('PATCH', `/knowledge/collections/${imported.collectionId}`, access)
  return merged(documents, connection, await addNarrowed(world, { collectionIds: [collectionId] }), {
    collections: [collectionId, trashed, listed, imported.collectionId ?? ''],
    uploads: [uploadId],
    syncs: [session.sync.id],
    imports: [imported.id],
  })
}

/** With revisions, runs and conversations of every kind, and a key and an endpoint that are narrowed to it. */
export async function addAgent(
  world: World,
  word: string,
  collectionId: string,
  access: Access = {},
): Promise<Ids> {
  const { ask, idOf } = world
  const body = { collectionIds: [collectionId], tools: ['search_knowledge'], ...access }
  const id = await idOf('/agents', { name: word, ...body })
  await ask('PATCH', `/agents/${id}`, { description: word })
  const yearly = { name: word, cron: '0 0 1 1 *', prompt: word }
  const schedule = await idOf(`/agents/${id}/schedules`, yearly)
  const trigger = await idOf(`/agents/${id}/triggers`, { name: word, promptTemplate: word })
  const page = { agentId: id, endUserId: word, origins: ['https://example.com'] }
  const browserToken = await idOf('/browser-tokens', page)
  await ask('PUT', `/agents/${id}/public-chat`, { origins: ['https://example.com'] })
  const gone = await idOf('/agents', { name: `gone ${word}`, ...body })
  await ask('POST', `/agents/${gone}/run`, { prompt: word })
  await ask('DELETE', `/agents/${gone}`)
  const answered = await ask('POST', `/agents/${id}/run`, { prompt: `When is the ${word} harbour open?` })
  await ask('POST', `/runs/${answered.id}/feedback`, { rating: 'positive', comment: word })
  const again = await ask('POST', `/runs/${answered.id}/rerun`, {})
  const { conversationId } = answered
  await ask('PATCH', `/conversations/${conversationId}`, { name: word })
  const branch = await idOf(`/conversations/${conversationId}/branch`, { runId: answered.id })
  await ask('PATCH', `/agents/${id}`, { approvalTools: ['search_knowledge'] })
  const waiting = await ask('POST', `/agents/${id}/run`, { prompt: `May I look at ${word}?` })
  assert.equal(waiting.status, 'waiting')
  return merged(await addNarrowed(world, { agentIds: [id] }), {
    agents: [id, gone],
    schedules: [schedule],
    triggers: [trigger],
    'browser-tokens': [browserToken],
    runs: [answered.id, again.id],
    waitingRuns: [waiting.id],
    conversations: [conversationId, branch],
  })
}

/** Runs of agents that anybody reaches, which call back: one is shown whatever its caller may read, one what the connections answer. */
export async function addRuns(
  { ask, receiverOrigin }: World,
  { searcher, asker }: { searcher: string; asker: string },
  word: string,
  key?: TestKey | string,
): Promise<Ids> {
  const body = { endUserId: word, callbackUrl: `${receiverOrigin}/callback` }
  const found = await ask('POST', `/agents/${searcher}/run`, { ...body, prompt: `${word} harbour` }, key)
  const told = await ask('POST', `/agents/${asker}/run`, { ...body, prompt: 'Remember?' }, key)
  return { runs: [found.id, told.id], conversations: [found.conversationId, told.conversationId] }
}

/** A key of the admin that is narrowed so, and an endpoint that it has made. */
async function addNarrowed(
  { app, adminId, idOf, receiverOrigin }: World,
  narrowing: { agentIds?: string[]; collectionIds?: string[] },
): Promise<Ids> {
  const key = await app.createKey({ userId: adminId, role: 'admin', ...narrowing })
  const webhook = await idOf(
    '/webhooks',
    { url: `${receiverOrigin}/${key.id}`, eventTypes: listenedTypes },
    key,
  )
  return { 'api-keys': [key.id], webhooks: [webhook] }
}

async function addDocuments({ app, ask }: World, word: string, collectionId: string): Promise<Ids> {
  const place = { collectionId, key: app.liveKey }
  const add = (name: string, content: string | Buffer, fields: Record<string, string> = {}) =>
    uploadAndWait(app, { ...place, name, content, fields })
  const [name, externalId] = [`${word}.txt`, `${word}-1`]
  const metadata = JSON.stringify({ topic: word, [`of_${word}`]: 7, 'openai.batch': batchId })
  const first = await add(name, `The ${word} harbour is open from nine. ${word} ${word}.`, {
    externalId,
    metadata,
  })
  const second = await add('same-name.txt', `Received ${word} kubernetes. The harbour is closed.`)
  const content = `The ${word} harbour is open from ten.`
  await putAndWait(app, { ...place, externalId, name, content, fields: { metadata } })
  const drawn = await add(`${word}-drawn.pdf`, pdfOf(`The ${word} harbour on a page.`))
  const failed = await add(`${word}.pdf`, `No PDF of ${word}`)
  const trashed = await add(`trashed-${word}.txt`, `Trash of ${word}`)
  await ask('DELETE', `/knowledge/documents/${trashed.id}`)
  const same = await upload(app, { ...place, content: 'The same in each.' })
  return {
    documents: [first.id, second.id, drawn.id, failed.id, trashed.id, same.body.data.id],
    externalIds: [externalId],
  }
}
