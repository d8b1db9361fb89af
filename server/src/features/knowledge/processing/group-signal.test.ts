import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../testing/eventually.ts'
import { createInstallation, openInstallationDatabase } from '../../../testing/operator.ts'
import { startUploads } from '../../../testing/servers/outages.ts'

/** A megabyte, so that the reader is at work for a while. */
const words = (seed: number): string =>
  Array.from({ length: 150_000 }, (_, index) => `w${(index * seed) % 3_000}`).join(' ')

test('a signal to every process of a server, as systemd and Ctrl-C send it, fails no document', async t => {
  const installation = await createInstallation(t, { environment: { ATRIUM_DRAIN_SECONDS: '1' } })
  const server = await installation.startServer({}, { ownGroup: true })
  const { upload } = await startUploads(installation, server)
  const replies = await Promise.all([1, 7, 11].map(seed => upload(words(seed))))
  const ids: string[] = replies.map(reply => reply?.body.data.id)
  const database = await openInstallationDatabase(installation)
  t.after(() => database.close())
  const statuses = async (): Promise<string[]> => {
    const rows = await database.read.selectFrom('documents').select('status').where('id', 'in', ids).execute()
    return rows.map(({ status }) => status)
  }
  await eventually('a document is being read', async () => (await statuses()).includes('parsing'))
  process.kill(-server.pid, 'SIGTERM')
  await server.ended
  assert.ok(!(await statuses()).includes('failed'))

  await installation.startServer()
  await eventually('each document has ended', async () =>
    (await statuses()).every(status => status === 'ready' || status === 'failed'),
  )
  assert.deepEqual(await statuses(), ['ready', 'ready', 'ready'])
})
