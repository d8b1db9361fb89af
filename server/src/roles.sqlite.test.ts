/** What processes of each role promise to those who start, ask and end them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from './testing/eventually.ts'
import { createInstallation } from './testing/operator.ts'
import { freePort } from './testing/servers/postgres.ts'

test('a process of each role answers probes on its internal port, and tells of its end there before it ends', async t => {
  const installation = await createInstallation(t)
  for (const role of ['all', 'api', 'worker']) {
    const port = await freePort()
    const server = await installation.startServer({
      ATRIUM_ROLE: role,
      ATRIUM_INTERNAL_PORT: String(port),
      // Longer than the test: it still waits when it is killed.
      ATRIUM_SHUTDOWN_DELAY_SECONDS: '300',
    })
    const probe = async (path: string): Promise<number> => {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`)
      await reply.text()
      return reply.status
    }
    assert.deepEqual([await probe('/healthz'), await probe('/readyz')], [200, 200], role)
    assert.equal(await probe('/api/v1/workspace'), 404, 'it answers nothing else')
    process.kill(server.pid, 'SIGTERM')
    await eventually(`${role} says that it ends`, async () => (await probe('/readyz')) === 503)
    assert.equal(await probe('/healthz'), 200, 'it still lives')
    await server.kill()
  }
})
