import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { collectGarbage } from '../../testing/costs/collect-garbage.ts'
import { eventually } from '../../testing/eventually.ts'
import { startTestApp } from '../../testing/test-app.ts'

const partBytes = 255 * 1024
const parts = 100
const mostBytes = 10_000_000

test('text parts that an upload does not take are not held in memory while the rest of the body comes', async () => {
  const app = await startTestApp()
  const { hostname, port } = new URL(await app.listen())
  const socket = connect(Number(port), hostname)
  const heldBytes = () => {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const send = async (text: string): Promise<void> => {
    const piece = `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
    if (!socket.write(piece)) await once(socket, 'drain')
  }
  const part = (name: string, value: string) =>
    send(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
  socket.write(
    [
      'POST /api/v1/knowledge/documents/batch HTTP/1.1',
      'Host: atrium',
      'Connection: close',
      `Authorization: Bearer ${app.liveKey.key}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Transfer-Encoding: chunked\r\n\r\n',
    ].join('\r\n'),
  )
  const value = 'a'.repeat(partBytes)
  await part('warm', value)
  const before = heldBytes()
  for (let i = 0; i < parts; i++) await part(`part ${i}`, value)
  // V8 gives buffers back on a thread of its own, which a busy machine keeps waiting.
  await eventually(`less than ${mostBytes} bytes are held`, () => heldBytes() - before < mostBytes)
  await send('--b--\r\n')
  socket.end('0\r\n\r\n')
  let reply = ''
  for await (const piece of socket) reply += String(piece)
  assert.match(reply, /400 Bad Request.*part 0.*is not a known part/s)
  await app.close()
})
