/** What a caller is answered to every question, as text that is the same wherever nothing is told. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { InjectOptions } from 'fastify'
import { unpack } from '../knowledge/archives.ts'
import type { TestKey } from '../test-app.ts'
import { type Ask, asksOf, isRead, type Known } from './asks.ts'
import type { World } from './world.ts'

/** By the label of the question, each different answer. */
export type Seen = ReadonlyMap<string, ReadonlySet<string>>

/** Asks everything that changes nothing. */
export async function look(world: World, key: TestKey, known: Known): Promise<Seen> {
  const seen = new Map<string, Set<string>>()
  for (const route of world.app.app.routes.filter(isRead)) {
    for (const ask of asksOf(route, known)) {
      const answers = seen.get(ask.label) ?? new Set()
      seen.set(ask.label, answers.add(await answerTo(world, key, ask)))
    }
  }
  return seen
}

/** To export is to read, and yet the log tells of it: what is asked next would be told of this one. */
const forgetExports = ({ app }: World, { id }: TestKey) =>
  app.dependencies.database.write(tx =>
    tx.deleteFrom('audit_log').where('key_id', '=', id).where('action', '=', 'collection.export').execute(),
  )

async function answerTo(world: World, key: TestKey, { method, path, body, foreign }: Ask): Promise<string> {
  const form = body instanceof FormData ? new Request('http://form', { method: 'POST', body }) : null
  const reply = await world.app.app.server.inject(
    withoutUndefined<InjectOptions>({
      method: method as 'GET',
      url: path,
      headers: withoutUndefined<Record<string, string>>({
        authorization: `Bearer ${key.key}`,
        'tus-resumable': '1.0.0',
        'content-type': form !== null ? (form.headers.get('content-type') ?? '') : undefined,
      }),
      payload: form === null ? (body as object | undefined) : Buffer.from(await form.arrayBuffer()),
    }),
  )
  asked.set(key, (asked.get(key) ?? askedAtFirst) + 1)
  const headers = Object.entries({ ...reply.headers, etag: steadyTag(reply.headers.etag) }).filter(
    ([name]) => !passing.has(name),
  )
  const isArchive = reply.headers['content-type'] === 'application/gzip'
  if (isArchive) await forgetExports(world, key)
  const text = isArchive ? await archiveText(reply.rawPayload) : reply.payload
  let answer = `${reply.statusCode} ${settled(text, method, asked.get(key) ?? 0)} ${JSON.stringify(headers)}`
  for (const id of foreign) answer = answer.replaceAll(id, '<foreign>')
  return answer
}

/** How much a key has asked: its own requests are counted, and no others may be told. */
const asked = new WeakMap<TestKey, number>()
const askedAtFirst = 5

const archiveText = async (archive: Buffer): Promise<string> => {
  const entries = [...(await unpack(archive))].map(([name, content]) => `${name}: ${content}`)
  return entries.join('\n').replace(/"createdAt":"[^"]*"/, '"createdAt":"-"')
}

/** Without the hash of the body, which is compared itself, and of which some goes on. */
const steadyTag = (etag: string | undefined): string | undefined => etag?.replace(/[\w-]{22}"$/, '-"')

/** A request's own number, and the window of requests, which is the whole workspace's. */
const passing = new Set([
  ...['x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'date', 'content-length'],
])

/** Without what goes on while questions are asked: requests are counted, keys are used, a dry run has an id of its own. */
function settled(text: string, method: string, mostRequests: number): string {
  const steady = text
    .replace(/"requestId":"[^"]*"/g, '"requestId":"-"')
    .replace(/"requests":(\d+)/g, (all, count) => (count <= mostRequests ? '"requests":"-"' : all))
    .replace(/"(lastUsedAt|lastActiveAt)":("[^"]*"|null)/g, '"$1":"-"')
    .replace(/"requestsPerMinute":\{"limit":(\d+)[^}]*\}/g, '"requestsPerMinute":$1')
  if (method === 'GET') return steady
  return steady
    .replace(/"(createdAt|updatedAt|expiresAt)":"[^"]*"/g, '"$1":"-"')
    .replace(/"syn_[^"]*"/g, '"syn_-"')
}

/** The operations that read and that none of these was answered by anything but a refusal. */
export function unanswered(world: World, known: Known, seen: readonly Seen[]): string[] {
  const isAnswered = ({ label }: Ask) =>
    seen.some(one => [...(one.get(label) ?? [])].some(answer => answer.startsWith('2')))
  return world.app.app.routes
    .filter(isRead)
    .filter(route => !asksOf(route, known).some(isAnswered))
    .map(({ operationId }) => operationId)
}

/** Where what is seen is not what was seen before, in words for who reads a failed test. */
export function differences(before: Seen, after: Seen): string[] {
  const found: string[] = []
  for (const [label, answers] of after) {
    const [known = 'not asked'] = before.get(label) ?? []
    for (const answer of answers) if (answer !== known) found.push(`${label}\n${parting(known, answer)}`)
  }
  return found
}

/** Where two texts part. */
function parting(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 120)
  return `  before ${one.slice(from, at + 120)}\n  after  ${other.slice(from, at + 120)}`
}
