/** What a test of a connector does from end to end: sync, wait for the documents, search them, and ask an agent about them. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApp } from '../test-app.ts'
import { createAgentIn } from './agent-app.ts'

export type Counts = { added: number; changed: number; unchanged: number; deleted: number; failed: number }

export type Synced = {
  id: string
  status: string
  collectionId: string
  counts: Counts
  error: { code: string; message: string } | null
}

/** Syncs, and waits until the sync has ended and its documents are readable. */
export async function syncAndWait(app: TestApp, connectionId: string, body: object = {}): Promise<Synced> {
  const begun = await app.request('POST', `/integrations/${connectionId}/sync`, {
    body,
    headers: { prefer: 'wait=60' },
  })
  assert.ok([200, 201, 202].includes(begun.status), JSON.stringify(begun.body))
  const path = `/integrations/${connectionId}/syncs/${begun.body.data.id}`
  let sync = begun.body.data
  for (let tries = 0; ['queued', 'running'].includes(sync.status); tries++) {
    assert.ok(tries < 600, `the sync does not end: ${JSON.stringify(sync)}`)
    await sleep(100)
    sync = (await app.request('GET', path)).body.data
  }
  await untilReady(app, sync.collectionId)
  const { id, status, collectionId, error, added, changed, unchanged, deleted, failed } = sync
  return { id, status, collectionId, error, counts: { added, changed, unchanged, deleted, failed } }
}

/** The documents of a collection, by external id. */
// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
export async function syncedDocuments(app: TestApp, collectionId: string): Promise<Map<string, any>> {
  const query = { collectionId, pageSize: 100 }
  const { body } = await app.request('GET', '/knowledge/documents', { query })
  return new Map(body.data.map((document: { externalId: string }) => [document.externalId, document]))
}

async function untilReady(app: TestApp, collectionId: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const documents = [...(await syncedDocuments(app, collectionId)).values()]
    if (documents.every(({ status }) => status === 'ready' || status === 'failed')) return
    await sleep(100)
  }
  assert.fail('the documents do not become ready')
}

/** What an agent without a model provider answers from the collection, and the documents that it cites. */
export async function askAbout(
  app: TestApp,
  collectionId: string,
  prompt: string,
): Promise<{ output: string; cited: string[]; quotes: string[] }> {
  const { id } = await createAgentIn(app, {
    name: `Reader ${Date.now()}`,
    model: 'extractive',
    collectionIds: [collectionId],
  })
  const run = await app.request('POST', `/agents/${id}/run`, {
    body: { prompt },
    headers: { prefer: 'wait=30' },
  })
  assert.equal(run.body.data?.status, 'succeeded', JSON.stringify(run.body))
  const { output, citations } = run.body.data
  return {
    output,
    cited: citations.map(({ documentId }: { documentId: string }) => documentId),
    quotes: citations.map(({ quote }: { quote: string }) => quote),
  }
}
