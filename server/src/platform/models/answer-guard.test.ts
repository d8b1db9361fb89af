/** A hostile model server: what it answers is cut off before the provider's package would parse it for long. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createModelFetch } from './model-fetch.ts'

/** Fetches an answer of these pieces, written one after another, as a whole. */
async function answered(t: TestContext, pieces: readonly string[]): Promise<string> {
  const server = createServer((request, reply) => {
    request.resume()
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) reply.write(piece)
    reply.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const modelFetch = createModelFetch()
  t.after(async () => {
    await modelFetch.close()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return (await modelFetch.fetch(`http://127.0.0.1:${port}/`)).text()
}

const isTooLarge = (error: Error): boolean =>
  [error, error.cause].some(
    part => part instanceof Error && 'code' in part && part.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  )

const mebibyte = 'a'.repeat(1024 * 1024)
const refused: Record<string, string[]> = {
  'nested without end': [`data: ${'['.repeat(1_000_000)}\n\n`],
  'nested without end, piece by piece': ['data: ', ...Array.from({ length: 120 }, () => '{"a":')],
  'an event without end': Array.from({ length: 5 }, () => `data: ${mebibyte}\n`),
  'a line without end': Array.from({ length: 5 }, () => mebibyte),
}
for (const [name, pieces] of Object.entries(refused))
  test(`an answer is cut off that is ${name}`, async t => {
    await assert.rejects(answered(t, pieces), isTooLarge)
  })

test('an answer of many events comes whole, whatever its texts look like', async t => {
  const event = `data: {"text":"${'[{\\"'.repeat(1_000)}"}\n\n`
  const pieces = Array.from({ length: 2_000 }, () => event)
  assert.equal(await answered(t, pieces), pieces.join(''))
})

test('carriage returns are left out, of which each would be a line', async t => {
  assert.equal(
    await answered(t, ['data: 1\r\n\r\n', '\r'.repeat(100_000), 'data: 2\r\n\r\n']),
    'data: 1\n\ndata: 2\n\n',
  )
})
