/** The service behind the kill loop's connection: items by their ids, with the number of the change that they came with. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Content } from './book.ts'

export type KeptService = {
  origin: string
  items: ReadonlyMap<string, Content>
  /** One change: these contents come, and these ids go. */
  change(coming: ReadonlyMap<string, Content>, going: readonly string[]): void
  close(): Promise<void>
}

const pageSize = 3

export async function startKeptService(): Promise<KeptService> {
  const items = new Map<string, Content>()
  const changedAt = new Map<string, number>()
  const goneAt = new Map<string, number>()
  let changes = 0

  const list = (query: URLSearchParams) => {
    const since = Number(query.get('since') ?? 0)
    const begin = Number(query.get('page') ?? 0)
    const changed = [...changedAt].filter(([, at]) => at > since)
    const isLast = begin + pageSize >= changed.length
    const gone = [...goneAt].filter(([, at]) => at > since).map(([id]) => id)
    return {
      items: changed.slice(begin, begin + pageSize).map(([id, at]) => ({ id, version: String(at) })),
      removed: isLast && since > 0 ? gone : [],
      nextPage: isLast ? null : String(begin + pageSize),
      since: isLast ? String(changes) : undefined,
    }
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/list') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(list(searchParams)))
      return
    }
    const content = items.get(pathname.replace('/items/', ''))
    response.writeHead(content === undefined ? 404 : 200).end(content?.bytes)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    items,
    change(coming, going) {
      changes += 1
      for (const id of going) {
        items.delete(id)
        changedAt.delete(id)
        goneAt.set(id, changes)
      }
      for (const [id, content] of coming) {
        items.set(id, content)
        changedAt.set(id, changes)
        goneAt.delete(id)
      }
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
