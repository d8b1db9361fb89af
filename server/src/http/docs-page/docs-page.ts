/**
 * Serves the reference page at `/docs`: made from the OpenAPI document, all from this server, under a strict policy.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { buildOpenApi } from '../openapi.ts'
import type { Route } from '../route.ts'
import type { OpenApi } from './open-api.ts'

const assets = [
  { path: '/docs/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
  { path: '/docs/page.js', file: 'page.js', type: 'text/javascript; charset=utf-8' },
  { path: '/docs/icon.svg', file: 'icon.svg', type: 'image/svg+xml' },
] as const

/** No inline script or style, nothing from elsewhere, no frames; calls go to this origin only. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Registers the page and its assets; each is made at its first request and then kept. */
export function registerDocsPage(server: FastifyInstance, routes: readonly Route[]): void {
  // `OpenApi` reads what `buildOpenApi` writes; the page's test goes through every endpoint.
  const makePage = async () => {
    // The page and its Markdown are a large part of all code, and most server runs never show the page.
    const { renderPage } = await import('./page.ts')
    return renderPage(buildOpenApi(routes) as OpenApi)
  }
  serve(server, '/docs', 'text/html; charset=utf-8', makePage)
  server.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308))
  for (const { path, file, type } of assets) {
    serve(server, path, type, () => readFile(join(import.meta.dirname, 'assets', file), 'utf8'))
  }
}

function serve(server: FastifyInstance, path: string, type: string, make: () => Promise<string>): void {
  let kept: { plain: Buffer; zipped: Buffer } | null = null
  server.get(path, async (request, reply) => {
    if (kept === null) {
      const plain = Buffer.from(await make())
      kept = { plain, zipped: gzipSync(plain) }
    }
    const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    reply.headers({
      'content-type': type,
      'content-security-policy': policy,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    })
    if (takesGzip) reply.header('content-encoding', 'gzip')
    return reply.send(takesGzip ? kept.zipped : kept.plain)
  })
}
