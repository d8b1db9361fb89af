/** Collections and documents made through the API, as a test needs them. */
import assert from 'node:assert/strict'
import { eventually } from '../eventually.ts'
import type { TestApp, TestKey, TestReply } from '../test-app.ts'

export type Upload = {
  collectionId?: string
  name?: string
  content?: string | Buffer
  /** Further text parts. */
  fields?: Record<string, string>
  headers?: Record<string, string>
  key?: TestKey | null | undefined
}

export async function createCollection(app: TestApp, key?: TestKey, name = 'Handbook'): Promise<string> {
  const reply = await app.request('POST', '/knowledge/collections', {
    body: { name },
    key,
  })
  assert.equal(reply.status, 201)
  return reply.body.data.id
}

/** Sends one file as multipart/form-data. */
export function upload(
  app: TestApp,
  { collectionId, name = 'note.txt', ...rest }: Upload,
): Promise<TestReply> {
  const { content = 'A note.', fields = {}, headers = {}, key } = rest
  const form = new FormData()
  if (collectionId !== undefined) form.append('collectionId', collectionId)
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  return app.request('POST', '/knowledge/documents', {
    form,
    headers,
    key,
  })
}

/** Uploads and waits until the document is `ready` or `failed`; returns the document. */
// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
export async function uploadAndWait(app: TestApp, options: Upload): Promise<any> {
  const reply = await upload(app, { ...options, headers: { ...options.headers, prefer: 'wait=30' } })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return onceSettled(app, reply.body.data, options.key)
}

/** Sends one file by PUT, under an external id. */
export function put(
  app: TestApp,
  {
    collectionId,
    externalId,
    name = 'note.txt',
    ...rest
  }: Upload & { collectionId: string; externalId: string },
): Promise<TestReply> {
  const { content = 'A note.', fields = {}, headers = {}, key } = rest
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  const path = `/knowledge/collections/${collectionId}/documents/${encodeURIComponent(externalId)}`
  return app.request('PUT', path, { form, headers, key })
}

/** The same, and waits until its latest version is `ready` or `failed`; returns the document. */
// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
export async function putAndWait(app: TestApp, options: Parameters<typeof put>[1]): Promise<any> {
  const reply = await put(app, { ...options, headers: { ...options.headers, prefer: 'wait=30' } })
  assert.ok(reply.status === 200 || reply.status === 201, JSON.stringify(reply.body))
  return onceSettled(app, reply.body.data, options.key)
}

/** The document once it is `ready` or `failed`: a busy machine may take longer than its upload waits. */
// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
export async function onceSettled(app: TestApp, document: any, key?: TestKey | null): Promise<any> {
  let found = document
  await eventually('the document is settled', async () => {
    if (found.status === 'ready' || found.status === 'failed') return true
    found = (await app.request('GET', `/knowledge/documents/${document.id}`, { key })).body.data
    return false
  })
  return found
}

/** The document as it stands. */
// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
export const documentOf = async (app: TestApp, id: string): Promise<any> =>
  (await app.request('GET', `/knowledge/documents/${id}`)).body.data

/** The collection as it stands. */
// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
export const collectionOf = async (app: TestApp, id: string): Promise<any> =>
  (await app.request('GET', `/knowledge/collections/${id}`)).body.data

/** Which version of which document a search finds, best first. */
export const versionsFound = async (app: TestApp, query: string): Promise<[string, number][]> =>
  (await search(app, query)).map(hit => [hit.documentId, hit.documentVersion])

/** Paragraphs of a chunk each, about. */
export const longText = (word: string, paragraphs: number): string =>
  Array.from({ length: paragraphs }, (_, i) => `Part ${i} of ${word}. ${'It goes on. '.repeat(90)}`).join(
    '\n\n',
  )

/** Resolves when every job is done that is due by now. */
export async function untilNoJobs({ dependencies: { database } }: TestApp): Promise<void> {
  await eventually('no job is left', async () => {
    const open = await database.read
      .selectFrom('jobs')
      .select('id')
      .where('state', 'in', ['queued', 'running'])
      // By the database's clock, whatever the test's own says.
      .where('run_at', '<=', Date.now() + 60_000)
      .execute()
    return open.length === 0
  })
}

/** The results of a search, best first. */
// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
export async function search(app: TestApp, query: string, key?: TestKey): Promise<any[]> {
  const reply = await app.request('GET', '/knowledge/search', {
    query: { query },
    key,
  })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}
