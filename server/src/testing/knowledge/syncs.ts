/** Sync sessions opened and looked at, as a test needs them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { TestApp, TestKey, TestReply } from '../test-app.ts'
import { createCollection, upload } from './knowledge.ts'

type Body = Record<string, unknown>

export type Syncs = {
  /** Makes a collection that holds a document for each external id. */
  collectionOf(texts: Record<string, string>): Promise<string>
  post(path: string, body?: Body, key?: TestKey): Promise<TestReply>
  open(collectionId: string, body: Body, query?: string): Promise<TestReply>
  /** Of the collection's documents, in their order. */
  externalIdsIn(collectionId: string): Promise<(string | null)[]>
}

export function createSyncs(app: TestApp): Syncs {
  const post = (path: string, body: Body = {}, key?: TestKey): Promise<TestReply> =>
    app.request('POST', path, { body, key })
  return {
    async collectionOf(texts) {
      const collectionId = await createCollection(app)
      for (const [externalId, content] of Object.entries(texts)) {
        const reply = await upload(app, { collectionId, content, fields: { externalId } })
        assert.equal(reply.status, 201)
      }
      return collectionId
    },
    post,
    open: (collectionId, body, query = '') =>
      post(`/knowledge/collections/${collectionId}/syncs${query}`, body),
    async externalIdsIn(collectionId) {
      const query = { collectionId, pageSize: 100 }
      const reply = await app.request('GET', '/knowledge/documents', { query })
      return reply.body.data.map(({ externalId }: { externalId: string | null }) => externalId).sort()
    },
  }
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Of a manifest. */
export const entry = (externalId: string, text: string): { externalId: string; sha256: string } => ({
  externalId,
  sha256: sha256(text),
})

/** So many texts, by their external ids. */
export const numbered = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`doc-${index}`, `Text ${index}.`]))
