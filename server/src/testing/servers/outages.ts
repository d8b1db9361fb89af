/** Uploads to a server of its own, while something that it stands on is gone. */
import assert from 'node:assert/strict'
import { type Call, createClient, type Reply } from '../kill-loop/call.ts'
import type { Installation, RunningServer } from '../operator.ts'

export type Uploads = {
  call: Call
  collectionId: string
  upload(content: string): Promise<Reply>
  isReady(documentId: string): Promise<boolean>
}

/** With a key and a collection of its own. */
export async function startUploads(installation: Installation, { origin }: RunningServer): Promise<Uploads> {
  const [workspace] = await installation.atriumJson('workspace list')
  const command = ['key', 'create', '--workspace', workspace.slug, '--env', 'live', '--name', 'outage']
  const { key } = await installation.atriumJson([...command, '--permissions', 'all'])
  const call = createClient(origin, key, { hides503: false })
  const made = await call('POST', '/knowledge/collections', { json: { name: 'Outage' } })
  assert.equal(made?.status, 201)
  const collectionId = made.body.data.id
  return {
    call,
    collectionId,
    upload(content) {
      const form = new FormData()
      form.append('collectionId', collectionId)
      form.append('file', new Blob([content]), 'a.txt')
      return call('POST', '/knowledge/documents', { form })
    },
    isReady: async id => (await call('GET', `/knowledge/documents/${id}`))?.body?.data?.status === 'ready',
  }
}

/** About 40 KB of words that are in no other text, so that the database grows. */
export const wordsOf = (seed: number): string =>
  Array.from({ length: 4_000 }, (_, index) => `w${seed * 4_000 + index}`).join(' ')
