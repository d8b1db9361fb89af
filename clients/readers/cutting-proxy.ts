/** Stands between a reader and a server, and cuts each stream after a few events, in the middle of the connection. */
import { connect, createServer, type Socket } from 'node:net'
import { after, before } from 'node:test'

export type Proxy = {
  origin: string
  /** How many streams were cut. */
  cuts: number
}

/** Started before the tests of a file, and ended behind them. */
export function cutStreamsOf(server: () => string, events: number): Proxy {
  const proxy: Proxy = { origin: '', cuts: 0 }
  const open = new Set<Socket>()
  const listener = createServer(client => {
    const { hostname, port } = new URL(server())
    const upstream = connect(Number(port), hostname)
    let passed = ''
    for (const socket of [client, upstream]) {
      open.add(socket)
      // A reader that gives up resets its connection.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        if (socket === client) upstream.destroy()
      })
    }
    client.pipe(upstream)
    upstream.on('data', (piece: Buffer) => {
      const before = passed.length
      passed += piece.toString('latin1')
      const end = endOfEvent(passed, events)
      if (end === null) return client.write(piece)
      proxy.cuts += 1
      client.end(piece.subarray(0, end - before))
      upstream.destroy()
    })
    upstream.on('end', () => client.end())
  })
  before(async () => {
    await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
    const address = listener.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
    proxy.origin = `http://127.0.0.1:${address.port}`
  })
  after(() => {
    for (const socket of open) socket.destroy()
    listener.close()
  })
  return proxy
}

/** Where the event of this number ends in a reply; null if the reply is no stream, or not that far. */
function endOfEvent(reply: string, number: number): number | null {
  if (!/content-type: text\/event-stream/i.test(reply)) return null
  let end = 0
  for (let count = 0; count < number; count++) {
    const data = reply.indexOf('data: ', end)
    const blank = data < 0 ? -1 : reply.indexOf('\n\n', data)
    if (blank < 0) return null
    end = blank + 2
  }
  return end
}
