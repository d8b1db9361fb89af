/** A real webhook receiver on loopback: it keeps what it is sent, and answers as a test wants, also badly. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Received = { path: string; headers: Record<string, string>; body: string; at: number }

export type WebhookReceiver = {
  origin: string
  received: Received[]
  /** What is answered on a path; 204 unless it is set. */
  answer(path: string, handler: (request: IncomingMessage, response: ServerResponse) => void): void
  /** What has come to a path, once it is so many; throws after a while. */
  until(path: string, count: number, withinMs?: number): Promise<Received[]>
  close(): Promise<void>
}

const usualWaitMs = 120_000

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = []
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? '/'
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      received.push({ path, headers, body: Buffer.concat(chunks).toString(), at: performance.now() })
      const answer = answers.get(path)
      if (answer === undefined) response.writeHead(204).end()
      else answer(request, response)
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const to = (path: string) => received.filter(one => one.path === path)
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (path, handler) => void answers.set(path, handler),
    async until(path, count, withinMs = usualWaitMs) {
      const endsMs = performance.now() + withinMs
      while (to(path).length < count) {
        if (performance.now() > endsMs) {
          throw new Error(`${to(path).length} of ${count} deliveries came to ${path}`)
        }
        await sleep(10)
      }
      return to(path)
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
