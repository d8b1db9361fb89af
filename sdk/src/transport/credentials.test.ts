/** A client that is given tokens instead of a key, against a real HTTP server on loopback that knows which of them hold. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Atrium } from '../client.ts'
import type { TokenProvider } from './credentials.ts'
import { AuthenticationError } from './errors.ts'

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

test('one token serves many calls, also those that begin at once', async context => {
  const { atrium, asked, seen } = await start(context, async count => ({
    token: `ct_${count}`,
    expiresAt: inMinutes(10),
  }))
  await Promise.all([atrium.workspace.get(), atrium.workspace.get(), atrium.workspace.get()])
  await atrium.workspace.get()
  assert.equal(asked(), 1)
  assert.deepEqual(new Set(seen), new Set(['Bearer ct_1']))
})

test('a token is replaced before it ends', async context => {
  const { atrium, seen } = await start(context, async count => ({
    token: `ct_${count}`,
    expiresAt: count === 1 ? new Date(Date.now() + 20_000) : inMinutes(10),
  }))
  await atrium.workspace.get()
  await atrium.workspace.get()
  await atrium.workspace.get()
  assert.deepEqual(seen, ['Bearer ct_1', 'Bearer ct_2', 'Bearer ct_2'])
})

test('a refused token is asked for again, and the call made once more; what is refused then is an error', async context => {
  const { atrium, seen, refuse } = await start(context, async count => `ct_${count}`)
  await atrium.workspace.get()
  refuse('ct_1')
  await atrium.workspace.teams.create({ name: 'Once' })
  assert.deepEqual(seen, ['Bearer ct_1', 'Bearer ct_1', 'Bearer ct_2'])
  refuse('ct_2', 'ct_3')
  await assert.rejects(atrium.workspace.get(), AuthenticationError)
  assert.deepEqual(seen.slice(3), ['Bearer ct_2', 'Bearer ct_3'])
})

test('what the provider throws, the call throws; the next call asks again', async context => {
  const ended = new Error('The session has ended')
  const { atrium, seen } = await start(context, async count => {
    if (count === 1) throw ended
    return `ct_${count}`
  })
  await assert.rejects(atrium.workspace.get(), (error: unknown) => error === ended)
  await atrium.workspace.get()
  assert.deepEqual(seen, ['Bearer ct_2'])
})

async function start(
  context: TestContext,
  provide: (count: number) => ReturnType<TokenProvider>,
): Promise<{ atrium: Atrium; asked: () => number; seen: string[]; refuse(...tokens: string[]): void }> {
  const seen: string[] = []
  const refused = new Set<string>()
  const server = createServer((request, response) => {
    const { authorization = '' } = request.headers
    seen.push(authorization)
    request.resume()
    response.statusCode = refused.has(authorization) ? 401 : 200
    response.end('{"data":{}}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.close()
    server.closeAllConnections()
  })
  let count = 0
  const apiKey: TokenProvider = () => {
    count += 1
    return provide(count)
  }
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    atrium: new Atrium({ apiKey, baseUrl }),
    asked: () => count,
    seen,
    refuse: (...tokens) => {
      for (const token of tokens) refused.add(`Bearer ${token}`)
    },
  }
}
