/** A small wiki to write a connector for: `node examples/connector/service.ts [PORT]`. docs/guides/connectors.md builds the connector. */
import { createServer, type IncomingMessage } from 'node:http'

type Page = { slug: string; title: string; markdown: string; editedAt: string; editedBy: string }

const key = 'let-me-in'
const pageSize = 2
const pages = new Map<string, Page>()
let edits = 0

function edit(slug: string, markdown: string): Page {
  edits += 1
  const [title = slug] = markdown.replace(/^#\s*/, '').split('\n')
  const editedAt = new Date(Date.UTC(2026, 0, 1) + edits * 3_600_000).toISOString()
  const page = { slug, title, markdown, editedAt, editedBy: 'ada' }
  pages.set(slug, page)
  return page
}

edit('leave', '# Leave\n\nEverybody has 28 days of paid leave a year.\n')
edit('travel', '# Travel\n\nTrains are paid for in second class.\n')
edit('pets', '# Pets\n\nDogs may come to the office on Fridays.\n')

type Answer = { status: number; body: unknown; headers?: Record<string, string> }

async function answer(request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
  const [, api, room, slug = '', comments] = url.pathname.split('/').map(decodeURIComponent)
  if (request.headers['x-wiki-key'] !== key) return { status: 401, body: { error: 'Which key?' } }
  if (api === 'api' && room === 'me') return { status: 200, body: { login: 'ada', fullName: 'Ada L.' } }
  if (api === 'api' && room === 'search')
    return { status: 200, body: search(url.searchParams.get('q') ?? '') }
  if (api !== 'api' || room !== 'pages') return { status: 404, body: { error: 'There is nothing here' } }
  if (slug === '') return list(url)
  const text = await textOf(request)
  const page = pages.get(slug)
  if (request.method === 'PUT') return { status: 200, body: edit(slug, text) }
  if (page === undefined) return { status: 404, body: { error: 'There is no such page' } }
  if (request.method === 'DELETE') return { status: 200, body: { deleted: pages.delete(slug) } }
  if (request.method === 'POST' && comments === 'comments') {
    const { comment } = JSON.parse(text) as { comment: string }
    return { status: 201, body: edit(slug, `${page.markdown}\n> ${comment}\n`) }
  }
  return { status: 200, body: page }
}

/** Two pages at a time, without their text; the next address stands in the `Link` header. */
function list(url: URL): Answer {
  const number = Number(url.searchParams.get('page') ?? 1)
  const all = [...pages.values()].map(({ markdown: _markdown, ...page }) => page)
  const body = all.slice((number - 1) * pageSize, number * pageSize)
  const isLast = number * pageSize >= all.length
  return {
    status: 200,
    body,
    headers: isLast ? {} : { link: `<${url.origin}/api/pages?page=${number + 1}>; rel="next"` },
  }
}

const search = (words: string) =>
  [...pages.values()]
    .filter(({ markdown }) => markdown.toLowerCase().includes(words.toLowerCase()))
    .map(({ slug, title }) => ({ slug, title }))

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const port = Number(process.argv[2] ?? 8799)
const server = createServer((request, response) => {
  answer(request)
    .then(({ status, body, headers }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    })
    .catch(error => response.destroy(error))
})
server.listen(port, '127.0.0.1', () => {
  const address = server.address()
  const where = typeof address === 'object' && address !== null ? address.port : port
  process.stdout.write(`The wiki is at http://127.0.0.1:${where}, behind the key ${key}\n`)
})
