/** The reference and the guides as they are served: complete, linked, small, cached, and safe with every text. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'
import type { Guide } from './guides.ts'
import type { OpenApi } from './model/open-api.ts'
import { siteOf } from './site.ts'

const guideNames = globSync('docs/guides/*.md', { cwd: resolve(import.meta.dirname, '../../../..') }).map(
  path => basename(path, '.md'),
)
const mostPageBytes = 300_000
const mostIndexBytes = 800_000

// Nothing here changes what the server holds.
let app: TestApp
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_VISITOR_RATE: '100000' } })
})
after(() => app.close())

const get = async (address: string, headers: Record<string, string> = {}) =>
  app.app.server.inject({ url: address, headers })

async function read(address: string): Promise<string> {
  const reply = await get(address)
  assert.equal(reply.statusCode, 200, address)
  return reply.payload
}

/** The addresses of all pages, as llms.txt lists them. */
async function pages(): Promise<string[]> {
  const list = await read('/llms.txt')
  const addresses = [...list.matchAll(/^- \[[^\]]+\]\((\/docs\/[\w/-]+)\.md\)/gm)].map(
    ([, address = '']) => address,
  )
  assert.ok(addresses.length > 50, `only ${addresses.length} pages`)
  return addresses.map(address => (address === '/docs/index' ? '/docs' : address))
}

test('every operation is on exactly one page, with a sample in each language', async () => {
  const articles: string[] = []
  for (const address of await pages()) {
    const page = await read(address)
    for (const [article = '', id = ''] of page.matchAll(/<article id="(\w+)"[\s\S]*?<\/article>/g)) {
      if (address === '/docs/received-events') continue
      articles.push(id)
      for (const language of ['curl', 'typescript', 'python']) {
        assert.match(
          article,
          new RegExp(`<pre tabindex="0" data-language="${language}"><code>.{20}`, 's'),
          id,
        )
      }
    }
  }
  const published = app.app.routes.filter(({ protocol }) => protocol === undefined)
  assert.deepEqual(articles.toSorted(), published.map(({ operationId }) => operationId).toSorted())
})

test('an operation that was linked to while the reference was one page is still at that id of the start page', async () => {
  const page = await read('/docs')
  for (const { operationId, protocol } of app.app.routes) {
    if (protocol !== undefined) continue
    assert.match(page, new RegExp(`<a id="${operationId}" href="/docs/[\\w-]+#${operationId}">`))
  }
  for (const id of [
    'introduction',
    'errors',
    'tag-agents',
    'tag-knowledge',
    'tag-webhooks',
    'tag-workspace',
  ]) {
    assert.match(page, new RegExp(`id="${id}"`))
  }
})

test('every guide is a page, and every page is Markdown too', async () => {
  const listed = await pages()
  for (const name of guideNames) {
    const address = name === 'README' ? '/docs/guides' : `/docs/guides/${name}`
    assert.ok(listed.includes(address), `${address} is not listed`)
  }
  for (const address of listed) {
    assert.match(String((await get(address)).headers['content-type']), /^text\/html/, address)
    const text = await get(address === '/docs' ? '/docs/index.md' : `${address}.md`)
    assert.equal(text.statusCode, 200, address)
    assert.equal(text.headers['content-type'], 'text/markdown; charset=utf-8', address)
    assert.match(text.payload, /^# \S/, address)
  }
  assert.equal(await read('/docs/llms.txt'), await read('/llms.txt'))
})

test('every link within the pages and within their Markdown leads to a place that is there', async () => {
  const known = new Map<string, Set<string> | null>()
  /** The ids of a file; null if it is not there. */
  const idsOf = async (address: string): Promise<Set<string> | null> => {
    const found = known.get(address)
    if (found !== undefined) return found
    const { statusCode, payload } = await get(address)
    const ids =
      statusCode === 200 ? new Set([...payload.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)) : null
    known.set(address, ids)
    return ids
  }
  const broken: string[] = []
  for (const address of await pages()) {
    const markdown = address === '/docs' ? '/docs/index.md' : `${address}.md`
    const links = [
      ...[...(await read(address)).matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => [
        address,
        link,
      ]),
      ...[...(await read(markdown)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => [markdown, link]),
    ] as [string, string][]
    for (const [from, link] of links) {
      if (/^https?:/.test(link)) continue
      const { pathname, hash } = new URL(link, `http://server${from}`)
      const ids = await idsOf(pathname)
      const id = decodeURIComponent(hash.slice(1))
      const isThere = ids !== null && (id === '' || pathname.endsWith('.md') || ids.has(id))
      if (!isThere) broken.push(`${from}: ${link}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('no page is larger than 300 KB, and the index of the search has a limit', async () => {
  for (const address of await pages()) {
    const bytes = Buffer.byteLength(await read(address))
    assert.ok(bytes <= mostPageBytes, `${address} has ${bytes} bytes`)
  }
  const bytes = Buffer.byteLength(await read('/docs/search.json'))
  assert.ok(bytes <= mostIndexBytes, `the index has ${bytes} bytes`)
})

test('the fields of every schema that a page unfolds can be loaded', async () => {
  const names = new Set<string>()
  for (const address of await pages()) {
    for (const [, name = ''] of (await read(address)).matchAll(/data-schema="(\w+)"/g)) names.add(name)
  }
  assert.ok(names.size > 100, `only ${names.size} schemas`)
  for (const name of names) {
    const fragment = await read(`/docs/schemas/${name}`)
    assert.match(fragment, /<code class="name">|data-schema=/, name)
    for (const [, inner = ''] of fragment.matchAll(/data-schema="(\w+)"/g)) names.add(inner)
  }
})

test('the policy of every file allows no inline script or style and no other origin', async () => {
  const files = ['/docs/page.js', '/docs/search.js', '/docs/page.css', '/docs/icon.svg', '/docs/search.json']
  for (const address of [...files, '/docs/schemas/Error', '/docs/agents.md', ...(await pages())]) {
    const { headers, payload } = await get(address)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'/, address)
    assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/, address)
    assert.equal(headers['x-content-type-options'], 'nosniff', address)
    if (!String(headers['content-type']).startsWith('text/html')) continue
    assert.doesNotMatch(payload, /<style|<[^>]+\s(style|on\w+)=|<script(?![^>]*src=)/, address)
    const loaded = [
      ...payload.matchAll(/<(?:link rel="(?:icon|stylesheet)"|script|img)[^>]*(?:href|src)="([^"]+)"/g),
    ]
    for (const [, source = ''] of loaded) assert.match(source, /^\/docs\//)
  }
})

test('a page that has not changed is a 304, and a client gets the coding that it takes', async () => {
  const plain = await get('/docs/runs')
  assert.equal(plain.headers['content-encoding'], undefined)
  const zipped = await get('/docs/runs', { 'accept-encoding': 'gzip' })
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(zipped.rawPayload).toString(), plain.payload)
  assert.equal(zipped.headers.vary, 'Accept-Encoding')
  const again = await get('/docs/runs', { 'if-none-match': String(plain.headers.etag) })
  assert.equal(again.statusCode, 304)
  assert.equal(again.payload, '')
})

test('an address below /docs that is not there is a 404', async () => {
  for (const address of [
    '/docs/nowhere',
    '/docs/guides/nowhere',
    '/docs/schemas/__proto__',
    '/docs/../README.md',
    '/docs/constructor',
    '/docs/guides/..%2f..%2fREADME',
  ]) {
    assert.equal((await get(address)).statusCode, 404, address)
  }
  assert.equal((await get('/docs/')).headers.location, '/docs')
})

const evil = '<img src=x onerror=alert(1)>"\'[a](javascript:alert(1))'

test('markup in names, descriptions, examples and guides is shown, not carried out', () => {
  const openApi: OpenApi = {
    info: { title: evil, version: evil, description: evil },
    servers: [{ url: '/api/v1' }],
    tags: [{ name: 'agents', description: evil }],
    components: {
      schemas: { Evil: { properties: { [evil]: { description: evil, enum: [evil] } } } },
      responses: {},
    },
    paths: {
      '/x': {
        post: {
          operationId: 'x',
          tags: ['agents'],
          summary: evil,
          description: evil,
          parameters: [
            { name: evil, in: 'query', required: true, description: evil, schema: { type: 'string' } },
          ],
          requestBody: { content: { 'application/json': { schema: {}, example: { [evil]: evil } } } },
          responses: { 200: { description: evil } },
        },
      },
    },
  }
  const guide: Guide = {
    address: '/docs/guides/evil',
    title: evil,
    chapter: evil,
    text: `# ${evil}\n\n${evil}\n\n${evil.replace('<', '\n\n<')}\n\n- \`x\`: ${evil}\n\n\`\`\`sh\n${evil}\n\`\`\`\n`,
  }
  const site = siteOf(openApi, [guide])
  for (const address of ['/docs', '/docs/agents', '/docs/guides/evil', '/docs/schemas/Evil']) {
    const page = site.get(address)?.make() ?? ''
    assert.doesNotMatch(page, /<img|href="javascript:/, address)
    assert.match(page, /&(lt|#60);img src=x/, address)
  }
})
