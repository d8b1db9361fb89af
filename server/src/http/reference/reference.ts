/**
 * Serves the reference and the guides below `/docs`, and `/llms.txt`: made from openapi.json and the folder `docs`, all
 * from this server, under a strict policy.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bodyTag, tagsIn } from '../../platform/revision.ts'
import { compressText } from '../replies/compression.ts'
import { type Coding, codingOf, headerText } from '../request-headers.ts'
import type { SiteFile } from './site.ts'

const assets: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'search.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

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

/** A file as it is kept after its first request: there are as many as the site has. */
type Kept = { type: string; text: string; tag: string; coded: Map<Coding, Promise<Buffer>> }

export function registerReference(
  server: FastifyInstance,
  { compression }: { compression: 'on' | 'off' },
): void {
  const kept = new Map<string, Kept>()
  let opened: Promise<ReadonlyMap<string, SiteFile>> | null = null
  const open = () => {
    // The pages are a large part of all code, and most server runs never show one.
    opened ??= import('./site.ts').then(({ openSite }) => openSite())
    // A file that could not be read may be there at the next request.
    opened.catch(() => {
      opened = null
    })
    return opened
  }
  const find = async (address: string): Promise<Kept | undefined> => {
    const known = kept.get(address)
    if (known !== undefined) return known
    const file = await readAsset(address).then(async asset => asset ?? (await open()).get(address))
    if (file === undefined) return undefined
    const text = file.make()
    const made = { type: file.type, text, tag: bodyTag(undefined, text), coded: new Map() }
    kept.set(address, made)
    return made
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const [address = ''] = request.url.split('?')
    const file = await find(address)
    if (file === undefined) return reply.callNotFound()
    return send(request, reply, file, compression === 'on')
  }
  server.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308))
  for (const url of ['/docs', '/docs/*', '/llms.txt']) server.get(url, answer)
}

async function readAsset(address: string): Promise<SiteFile | undefined> {
  const name = address.replace('/docs/', '')
  const type = Object.hasOwn(assets, name) ? assets[name] : undefined
  if (type === undefined) return undefined
  const text = await readFile(join(import.meta.dirname, 'assets', name), 'utf8')
  return { type, make: () => text }
}

async function send(request: FastifyRequest, reply: FastifyReply, file: Kept, mayCompress: boolean) {
  reply.headers({
    'content-type': file.type,
    'content-security-policy': policy,
    'cache-control': 'no-cache',
    etag: file.tag,
    vary: 'Accept-Encoding',
  })
  const tags = tagsIn(headerText(request, 'if-none-match') ?? '')
  if (tags === 'any' || tags.includes(file.tag)) return reply.code(304).send()
  const coding = mayCompress ? codingOf(headerText(request, 'accept-encoding')) : null
  if (coding === null) return reply.send(file.text)
  const coded = file.coded.get(coding) ?? compressText(coding, file.text)
  file.coded.set(coding, coded)
  coded.catch(() => file.coded.delete(coding))
  return reply.header('content-encoding', coding).send(await coded)
}
