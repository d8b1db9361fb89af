/** Collections and documents made through the API, as a test needs them. */
import assert from 'node:assert/strict'
import type { TestApp, TestKey, TestReply } from './test-app.ts'

export type Upload = {
  collectionId?: string
  name?: string
  content?: string | Buffer
  /** Further text parts. */
  fields?: Record<string, string>
  headers?: Record<string, string>
  key?: TestKey | null
}

export async function createCollection(app: TestApp, key?: TestKey, name = 'Handbook'): Promise<string> {
  const reply = await app.request('POST', '/knowledge/collections', {
    body: { name },
    ...(key !== undefined && { key }),
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
    ...(key !== undefined && { key }),
  })
}

/** Uploads and waits until the document is `ready` or `failed`; answers the document. */
// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
export async function uploadAndWait(app: TestApp, options: Upload): Promise<any> {
  const reply = await upload(app, { ...options, headers: { ...options.headers, prefer: 'wait=30' } })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.data
}

/** The results of a search, best first. */
// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
export async function search(app: TestApp, query: string, key?: TestKey): Promise<any[]> {
  const reply = await app.request('GET', '/knowledge/search', {
    query: { query },
    ...(key !== undefined && { key }),
  })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}
