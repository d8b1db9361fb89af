/** Serves the built console: compressed files, one page for all its addresses, and a strict policy. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** No inline script or style, nothing from elsewhere, no frames; forms and calls go to this origin only. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // `blob:` allows images that the page itself has made, such as a picture that is about to be uploaded.
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** The server itself answers below these paths. An unknown path there is not a page of the console either. */
const notPages =
  /^\/(api|auth|console|docs|healthz|readyz|metrics|oauth|invitations|assets|mcp|v1|widget|embed)(\/|$)/

const indexFile = '/index.html'

/**
 * Registers the console that was built into `folder`, or one page that says that it is not built. The folder is read
 * when the first page is opened, because most servers of the tests open none.
 */
export function registerConsole(server: FastifyInstance, folder: string): void {
  const read = createReader(folder)
  let found: Map<string, Encoding[]> | undefined
  const builtOnce = (): Map<string, Encoding[]> => {
    found ??= builtFiles(folder)
    return found
  }
  const sendIndex = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { content, encoding } = await read(indexFile, builtOnce(), request)
    if (encoding !== null) reply.header('content-encoding', encoding)
    return sendPage(reply.header('vary', 'Accept-Encoding'), content)
  }
  const sendFile = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const { content, encoding } = await read(path, builtOnce(), request)
    if (encoding !== null) reply.header('content-encoding', encoding)
    return reply
      .headers({
        'content-type': types[extname(path)],
        'content-security-policy': policy,
        vary: 'Accept-Encoding',
        // The name of an asset contains the hash of its content.
        'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      })
      .send(content)
  }
  server.get('/', async (request, reply) =>
    builtOnce().has(indexFile)
      ? sendIndex(request, reply)
      : sendPage(reply.code(503).header('retry-after', '60'), Buffer.from(missingPage)),
  )
  server.get('/*', async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    if (!builtOnce().has(indexFile)) return reply.callNotFound()
    if (path !== indexFile && builtOnce().has(path)) return sendFile(request, reply, path)
    if (notPages.test(path) || extname(path) !== '' || !isNavigation(request)) return reply.callNotFound()
    return sendIndex(request, reply)
  })
}

/** The paths of all built files that a browser may ask for, each with its available encodings, best first. */
export function builtFiles(folder: string): Map<string, Encoding[]> {
  const names = new Set(listFiles(folder).map(name => `/${name.replaceAll('\\', '/')}`))
  return new Map(
    [...names]
      .filter(name => types[extname(name)] !== undefined)
      .map(name => [name, encodings.filter(({ suffix }) => names.has(name + suffix))]),
  )
}

type Encoding = { name: string; suffix: string }

const encodings: readonly Encoding[] = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch (error) {
    // `npm ci` makes the folder; without it the API still works.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

type Content = { content: Buffer; encoding: string | null }

/** Reads each file once, in the form that the browser takes. */
export function createReader(folder: string) {
  const kept = new Map<string, Buffer>()
  return async (
    path: string,
    files: ReadonlyMap<string, readonly Encoding[]>,
    { headers }: FastifyRequest,
  ): Promise<Content> => {
    const taken = String(headers['accept-encoding'] ?? '')
    const encoding = files.get(path)?.find(({ name }) => new RegExp(`\\b${name}\\b`).test(taken))
    const name = path + (encoding?.suffix ?? '')
    const content = kept.get(name) ?? (await readFile(join(folder, name)))
    kept.set(name, content)
    return { content, encoding: encoding?.name ?? null }
  }
}

/** True if a person opens an address; false if a program calls a wrong one. */
const isNavigation = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || /\btext\/html\b/.test(String(headers.accept ?? ''))

const sendPage = (reply: FastifyReply, page: Buffer): FastifyReply =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      // The page names the newest files, so the page itself must be the newest.
      'cache-control': 'no-store',
    })
    .send(page)

const missingPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Atrium</title></head>
<body>
<h1>The console is not built</h1>
<p>The server runs, and its API answers; the pages for people are missing. In Atrium's folder, run
<code>npm run prepare</code> and start the server again. <code>npm ci</code> builds them too, unless it was run with
<code>--ignore-scripts</code> or <code>--omit=dev</code>.</p>
<p><a href="/docs">Reference of the API</a></p>
</body>
</html>
`
