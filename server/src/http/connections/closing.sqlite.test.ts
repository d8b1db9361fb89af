/** How the server ends. */
import { test } from 'node:test'
import { startTestApp } from '../../testing/test-app.ts'

test('a server that closes waits for no connection that is only kept for a next request', async context => {
  const app = await startTestApp()
  context.after(app.close)
  const address = await app.listen()
  const collection = await app.request('POST', '/knowledge/collections', { body: { name: 'Files' } })
  const form = new FormData()
  form.append('collectionId', collection.body.data.id)
  form.append('file', new Blob(['A line of a file that is long.\n'.repeat(6_000)]), 'long.txt')
  const { body } = await app.request('POST', '/knowledge/documents', { form })
  // A streamed reply's end is known to the client before the server has counted it as sent.
  const reply = await fetch(`${address}/api/v1/knowledge/documents/${body.data.id}/original`, {
    headers: { authorization: `Bearer ${app.liveKey.key}` },
  })
  await reply.arrayBuffer()
  await app.app.server.close()
})
