/** One object of every kind that an operation can name, in one environment of a workspace; each is named after a word of its own. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { functionExample } from '../../features/agents/definitions/functions.ts'
import { eventually } from '../eventually.ts'
import { exportOf } from '../knowledge/archives.ts'
import { encodeMetadata } from '../knowledge/resumable.ts'
import { pdfOf } from '../knowledge/sample-files.ts'
import type { TestApp, TestKey } from '../test-app.ts'

/** What a request can name: objects by their ids, and an invitation by its secret. */
export const slots = [
  'agent',
  'run',
  'waitingRun',
  'rerun',
  'conversation',
  'openAiConversation',
  'openAiItem',
  'schedule',
  'trigger',
  'browserToken',
  'modelProvider',
  'collection',
  'spareCollection',
  'importedCollection',
  'trashedCollection',
  'document',
  'pdf',
  'failedDocument',
  'spareDocument',
  'otherDocument',
  'trashedDocument',
  'upload',
  'sync',
  'otherSync',
  'import',
  'event',
  'webhook',
  'delivery',
  'callback',
  'connection',
  'connectionSync',
  'oauthClient',
  'member',
  'serviceAccount',
  'team',
  'invitation',
  'invitationToken',
  'key',
] as const
export type Slot = (typeof slots)[number]
export type Ids = Readonly<Record<Slot, string>>

export type Area = {
  name: string
  /** Of the workspace. */
  slug: string
  ids: Ids
  /** An archive of the collection. */
  archive: Buffer
}

/** The batch of OpenAI's protocol that the documents of every area came with. */
export const batchId = 'vsfb_01kaj0000000000000000000b0'

/** A word that stands nowhere but in what the slot's object says. */
export const canaryOf = (area: string, slot: Slot): string => `jxq${area}${slot.toLowerCase()}q`

/** With well-formed ids of the same kinds that no object has. No two share an ending: objects of one moment share the rest. */
export const missing = (area: Area, replaced: ReadonlySet<Slot>): Area => ({
  ...area,
  ids: mapSlots(slot =>
    replaced.has(slot)
      ? `${area.ids[slot].slice(0, -8)}${String(slots.indexOf(slot)).padStart(8, '0')}`
      : area.ids[slot],
  ),
})

/** With one object of another area. */
export const mixed = (own: Area, other: Area, slot: Slot): Area => ({
  ...own,
  ids: { ...own.ids, [slot]: other.ids[slot] },
})

export const mapSlots = (idOf: (slot: Slot) => string): Ids =>
  Object.fromEntries(slots.map(slot => [slot, idOf(slot)])) as Ids

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

export type Furnishing = {
  app: TestApp
  name: string
  /** A key that may everything. */
  key: TestKey
  /** Where something listens that takes whatever it is sent. */
  outside: string
  modelBaseUrl: string
  /** A person who is a member of the workspace, and no more. */
  memberId: string
  memberKey: TestKey
  /** What it has none of its own of: the sandbox, and a second area of a workspace. */
  shared?: Partial<Pick<Ids, 'serviceAccount' | 'team' | 'modelProvider' | 'oauthClient'>>
  /** Keeps collection and agent to the area's team. */
  isKept: boolean
}

export async function furnish(furnishing: Furnishing): Promise<Area> {
  const { app, name, key } = furnishing
  const post = postOf(app, name, key)
  const canary = (slot: Slot) => canaryOf(name, slot)
  const made: Made = { ...furnishing, post, canary }
  const people = await furnishPeople(made)
  const access = furnishing.isKept ? { access: 'teams', teamIds: [people.team] } : {}
  const knowledge = await furnishKnowledge(made, access)
  const connections = await furnishConnections(made, knowledge.ids.collection)
  const agents = await furnishAgents(made, access, knowledge.ids.collection)
  const told = await furnishTold(made, agents)
  const workspace = await app.request('GET', '/workspace', { key })
  return {
    name,
    slug: workspace.body.data.slug,
    archive: knowledge.archive,
    ids: {
      ...knowledge.ids,
      ...connections,
      ...agents,
      ...told,
      member: furnishing.memberId,
      serviceAccount: people.serviceAccount,
      team: people.team,
      modelProvider: people.modelProvider,
      oauthClient: people.oauthClient,
      invitation: people.invitation,
      invitationToken: people.invitationToken,
      key: people.key,
    },
  }
}

type Post = (path: string, body: object, method?: string) => Promise<Json>

const postOf =
  (app: TestApp, name: string, key: TestKey | string): Post =>
  async (path, body, method = 'POST') => {
    const reply = await app.request(method, path, { key, body, headers: { prefer: 'wait=30' } })
    assert.ok(reply.status < 300, `${name}: ${method} ${path} ${JSON.stringify(reply.body)}`)
    return reply.body.data
  }

type Made = Furnishing & { post: Post; canary: (slot: Slot) => string }

async function furnishPeople({ post, canary, shared, modelBaseUrl, name, memberKey }: Made) {
  const team = shared?.team ?? (await post('/workspace/teams', { name: canary('team') })).id
  const robot = { name: canary('serviceAccount'), role: 'viewer' }
  const serviceAccount = shared?.serviceAccount ?? (await post('/workspace/members', robot)).id
  const provider = { name: canary('modelProvider'), kind: 'openai_compatible', baseUrl: modelBaseUrl }
  const modelProvider =
    shared?.modelProvider ?? (await post('/model-providers', { ...provider, apiKey: 'x' })).id
  const oauthClient = shared?.oauthClient ?? canary('oauthClient')
  if (shared?.oauthClient === undefined) {
    const client = { clientId: oauthClient, clientSecret: 'x' }
    await post('/oauth-clients/github', client, 'PUT')
  }
  const invite = (email: string) => post('/workspace/members/invite', { email, role: 'viewer' })
  const invitation = await invite(`${canary('invitation')}@example.com`)
  const accepted = await invite(`accepted.${name}@example.com`)
  await post(`/api-keys/${memberKey.id}`, { name: canary('key') }, 'PATCH')
  return {
    team,
    serviceAccount,
    modelProvider,
    oauthClient,
    invitation: invitation.id,
    invitationToken: new URL(accepted.acceptUrl).pathname.split('/').at(-1) ?? '',
    key: memberKey.id,
  }
}

async function furnishKnowledge({ app, key, post, canary }: Made, access: object) {
  const collection = (slot: Slot): Promise<Json> =>
    post('/knowledge/collections', { name: canary(slot), ...access })
  const { id: collectionId } = await collection('collection')
  const put = async (externalId: string, content: string | Buffer, fileName: string): Promise<string> => {
    const form = new FormData()
    form.append('metadata', JSON.stringify({ 'openai.batch': batchId }))
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), fileName)
    const path = `/knowledge/collections/${collectionId}/documents/${externalId}`
    const reply = await app.request('PUT', path, { key, form, headers: { prefer: 'wait=30' } })
    assert.ok(reply.status < 300, JSON.stringify(reply.body))
    return reply.body.data.id
  }
  await put('wiki', `An earlier text, ${canary('document')}.`, 'wiki.txt')
  const document = await put('wiki', `The text is ${canary('document')}.`, `${canary('document')}.txt`)
  const pdf = await put('pdf', pdfOf(`The page is ${canary('pdf')}.`), `${canary('pdf')}.pdf`)
  const failedDocument = await put('broken', '%PDF-1.7 broken', `${canary('failedDocument')}.pdf`)
  const [spareDocument = '', otherDocument = ''] = await Promise.all(
    (['spareDocument', 'otherDocument'] as const).map(slot =>
      put(slot, `It is ${canary(slot)}.`, `${canary(slot)}.txt`),
    ),
  )
  const trashedDocument = await put(
    'gone',
    `It was ${canary('trashedDocument')}.`,
    `${canary('trashedDocument')}.txt`,
  )
  await app.request('DELETE', `/knowledge/documents/${trashedDocument}`, { key })
  const spare = await collection('spareCollection')
  const other = await collection('sync')
  const trashed = await collection('trashedCollection')
  await app.request('DELETE', `/knowledge/collections/${trashed.id}`, { key })
  const sha256 = createHash('sha256').update('changed').digest('hex')
  const entries = ['wiki', 'pdf', 'broken', 'gone', 'spareDocument', 'otherDocument'].map(externalId => ({
    externalId,
    sha256,
  }))
  const open = async (id: string) => (await post(`/knowledge/collections/${id}/syncs`, { entries })).sync.id
  const uploading = await app.request('POST', '/knowledge/uploads', {
    key,
    headers: uploadHeaders(collectionId, canary('upload')),
  })
  assert.equal(uploading.status, 201, JSON.stringify(uploading.body))
  const archive = await exportOf(app, collectionId, key)
  const imported = await importOf(app, key, archive, canary('importedCollection'))
  if ('access' in access) await post(`/knowledge/collections/${imported.collectionId}`, access, 'PATCH')
  return {
    archive,
    ids: {
      collection: collectionId,
      spareCollection: spare.id,
      trashedCollection: trashed.id,
      importedCollection: imported.collectionId,
      import: imported.id,
      document,
      pdf,
      failedDocument,
      spareDocument,
      otherDocument,
      trashedDocument,
      upload: String(uploading.headers.location).split('/').at(-1) ?? '',
      sync: await open(collectionId),
      otherSync: await open(other.id),
    },
  }
}

/** For a file of ten bytes. */
export const uploadHeaders = (collectionId: string, fileName: string): Record<string, string> => ({
  'tus-resumable': '1.0.0',
  'content-length': '0',
  'upload-length': '10',
  'upload-metadata': encodeMetadata({ filename: `${fileName}.txt`, collectionId }),
})

async function importOf(app: TestApp, key: TestKey, archive: Buffer, name: string): Promise<Json> {
  const form = new FormData()
  form.append('name', name)
  form.append('file', new Blob([new Uint8Array(archive)]), 'archive.tar.gz')
  const reply = await app.request('POST', '/knowledge/imports', { form, key, headers: { prefer: 'wait=30' } })
  assert.equal(reply.body.data.status, 'succeeded', JSON.stringify(reply.body))
  return reply.body.data
}

async function furnishConnections({ post, canary }: Made, collectionId: string) {
  const body = { integrationId: 'scripted', name: canary('connection') }
  const { id: connection } = await post('/integrations/connect', body)
  await post(`/integrations/${connection}`, { sync: { collectionId } }, 'PATCH')
  const { id: connectionSync } = await post(`/integrations/${connection}/sync`, {})
  return { connection, connectionSync }
}

async function furnishAgents(made: Made, access: object, collectionId: string) {
  const { post, canary } = made
  const wanted = { name: canary('agent'), collectionIds: [collectionId], ...access }
  const tools = { tools: ['search_knowledge', 'calculator'], approvalTools: ['calculator'] }
  const { id: agent } = await post('/agents', { ...wanted, ...tools, model: 'openai/test-model' })
  // The first vectors make the agent of models.
  await made.app.request('POST', '/v1/embeddings', {
    key: made.key,
    body: { model: 'test-embedding', input: 'x' },
  })
  return {
    agent,
    ...(await furnishRuns(made, agent)),
    ...(await furnishOpenAi(made)),
    ...(await furnishStarters(made, agent)),
  }
}

/** An area whose runs and conversation are a person's own; everything else is that of `base`. */
export async function furnishPersonal(app: TestApp, base: Area, token: string): Promise<Area> {
  const name = 'personal'
  const canary = (slot: Slot) => canaryOf(name, slot)
  const runs = await furnishRuns({ post: postOf(app, name, token), canary }, base.ids.agent)
  const openAi = await furnishOpenAi({ app, key: token, canary })
  return { ...base, name, ids: { ...base.ids, ...runs, ...openAi } }
}

/** A conversation of a client of OpenAI's protocol, which is its author's alone. */
async function furnishOpenAi({
  app,
  key,
  canary,
}: Pick<Made, 'app' | 'canary'> & { key: TestKey | string }): Promise<
  Pick<Ids, 'openAiConversation' | 'openAiItem'>
> {
  const body = {
    metadata: { topic: canary('openAiConversation') },
    items: [{ role: 'user', content: canary('openAiItem') }],
  }
  const { id } = (await app.request('POST', '/v1/conversations', { key, body })).body
  const items = await app.request('GET', `/v1/conversations/${id}/items`, { key })
  return { openAiConversation: id, openAiItem: items.body.data[0].id }
}

async function furnishRuns({ post, canary }: Pick<Made, 'post' | 'canary'>, agent: string) {
  const run = await post(`/agents/${agent}/run`, { prompt: canary('run') })
  // It waits for an approval of its first call, and for a result of its second.
  const waiting = await post(`/agents/${agent}/run`, {
    prompt: `sim:approval sim:tool=${functionExample.name}`,
    functions: [functionExample],
  })
  assert.equal(waiting.status, 'waiting', JSON.stringify(waiting))
  const rerun = await post(`/runs/${run.id}/rerun`, {})
  await post(`/conversations/${run.conversationId}`, { name: canary('conversation') }, 'PATCH')
  return {
    run: run.id,
    waitingRun: waiting.id,
    rerun: rerun.id,
    conversation: run.conversationId,
  }
}

async function furnishStarters({ post, canary }: Made, agent: string) {
  const plain = { name: canary('schedule'), cron: '0 0 1 1 *', prompt: canary('schedule') }
  const { id: schedule } = await post(`/agents/${agent}/schedules`, plain)
  const named = { name: canary('trigger'), promptTemplate: canary('trigger') }
  const { id: trigger } = await post(`/agents/${agent}/triggers`, named)
  const page = { agentId: agent, endUserId: canary('browserToken'), origins: ['https://example.com'] }
  const { id: browserToken } = await post('/browser-tokens', page)
  await post(`/agents/${agent}/public-chat`, { origins: ['https://example.com'] }, 'PUT')
  return { schedule, trigger, browserToken }
}

/** What tells the outside of a run: its event, an endpoint, a delivery to it, and a callback. */
async function furnishTold(
  { app, name, key, post, canary, outside }: Made,
  { agent, run: runId }: { agent: string; run: string },
) {
  const url = `${outside}/hook/${name}`
  const { id: webhook } = await post('/webhooks', { url, description: canary('webhook') })
  await post(`/webhooks/${webhook}/test`, {})
  const list = async (path: string): Promise<Json[]> =>
    (await app.request('GET', path, { key, query: { pageSize: 100 } })).body.data
  await eventually('the endpoint is told of its test', async () =>
    (await list(`/webhooks/${webhook}/deliveries`)).some(({ status }) => status !== 'pending'),
  )
  const [delivery] = await list(`/webhooks/${webhook}/deliveries`)
  await post('/callbacks/secret/rotate', {})
  await post(`/agents/${agent}/run`, { prompt: canary('run'), callbackUrl: `${outside}/callback` })
  await eventually('the run has called back', async () =>
    (await list('/callbacks/deliveries')).some(({ status }) => status !== 'pending'),
  )
  const [callback] = await list('/callbacks/deliveries')
  const event = (await list('/events')).find(({ data }) => data.id === runId)
  assert.ok(event !== undefined, 'no event tells of the run')
  return { webhook, delivery: delivery.id, callback: callback.id, event: event.id }
}
