/** What tells one request from another under the same Idempotency-Key. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { createTurns } from '../../platform/turns.ts'
import type { ReceivedUpload } from '../bodies/multipart.ts'
import { headerText, wantsEvents } from '../request-headers.ts'
import type { Route } from '../route.ts'

/** The same for the same request, whatever the order of its fields; files count by their hashes. */
export async function requestFingerprint(
  route: Route,
  request: FastifyRequest,
  headers: Record<string, unknown>,
  upload: ReceivedUpload | null,
): Promise<string> {
  // The name is a part of what was sent: it becomes the document's.
  const files = upload?.parts.map(({ sentAs, file }) => [sentAs, file?.sha256 ?? null]) ?? null
  const parts = {
    operation: route.operationId,
    url: request.url,
    ifMatch: headerText(request, 'if-match'),
    events: route.answersEvents === 'asked' && wantsEvents(request) ? true : undefined,
    body: upload?.fields ?? request.body ?? null,
    headers: route.headers === undefined ? undefined : headers,
    files,
  }
  const hash = createHash('sha256')
  const othersTurn = createTurns()
  for (const piece of canonicalPieces(parts)) {
    hash.update(piece)
    await othersTurn()
  }
  return hash.digest('hex')
}

/** A long list comes in slices: one of ten thousand items would be the work of many turns. */
const itemsOfPiece = 100
/** The parts hold the body, which holds its lists. */
const depthOfLists = 2

/** The pieces of `canonicalJson` of the value. */
function* canonicalPieces(value: unknown, depth = 0): Generator<string> {
  if (Array.isArray(value)) {
    for (let start = 0; start < value.length; start += itemsOfPiece) {
      const items = canonicalJson(value.slice(start, start + itemsOfPiece)).slice(1, -1)
      yield `${start === 0 ? '[' : ','}${items}`
    }
    yield value.length === 0 ? '[]' : ']'
  } else if (typeof value === 'object' && value !== null && depth < depthOfLists) {
    let before = '{'
    for (const [name, item] of sortedEntries(value)) {
      if (item === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* canonicalPieces(item, depth + 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  } else yield canonicalJson(value)
}

const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(sortedEntries(item))
      : item,
  )

const sortedEntries = (value: object): [string, unknown][] =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
