/** A wire that can be cut: connections to a real server go through it, until a test makes that server unreachable. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  port: number
  /** Breaks every connection and refuses new ones, as a server does that is stopped. */
  cut(): Promise<void>
  /** Requests go through and replies do not, until `restore`: what is asked is done, and the caller is not told. */
  holdReplies(): void
  /** Holds back what the server replies to the first request that contains the text: `release` lets it through. */
  holdReplyTo(text: string): { isHeld(): boolean; release(): void }
  /** Lets connections through again. */
  restore(): Promise<void>
  close(): Promise<void>
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isHolding = false
  let awaited: ((upstream: Socket, request: Buffer) => void) | null = null
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    // Either end may go at any time: the other one is told by its own end.
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer(client => {
    const upstream = connect(target)
    keep(client)
    keep(upstream)
    client.on('data', bytes => awaited?.(upstream, bytes))
    client.pipe(upstream)
    upstream.on('data', bytes => {
      if (!isHolding) client.write(bytes)
    })
    upstream.on('end', () => client.end())
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
    return address.port
  }
  const cut = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const port = await listen(0)
  return {
    port,
    cut,
    holdReplies() {
      isHolding = true
    },
    holdReplyTo(text) {
      let held: Socket | null = null
      awaited = (upstream, request) => {
        if (!request.includes(text)) return
        awaited = null
        held = upstream.pause()
      }
      return { isHeld: () => held !== null, release: () => held?.resume() }
    },
    restore: async () => {
      isHolding = false
      if (!server.listening) await listen(port)
    },
    close: cut,
  }
}
