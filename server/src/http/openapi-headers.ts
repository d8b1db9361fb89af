/** The headers of replies, described once in the OpenAPI document and referred to from each operation. */
import { isRead, type Route } from './route.ts'

type Json = Record<string, unknown>

const header = (description: string, schema: Json, required = false): Json => ({
  description,
  required,
  schema,
})

export const componentHeaders: Record<string, Json> = {
  'X-RateLimit-Limit': header(
    'Requests allowed in the window of one minute.',
    { type: 'integer', examples: [100] },
    true,
  ),
  'X-RateLimit-Remaining': header('Requests left in the window.', { type: 'integer', examples: [99] }, true),
  'X-RateLimit-Reset': header(
    'When the window ends, in Unix epoch seconds.',
    { type: 'integer', examples: [1_795_253_460] },
    true,
  ),
  'X-Request-Id': header('Names this request in the log and in the audit log.', { type: 'string' }, true),
  'Retry-After': header('Seconds to wait before the next try.', { type: 'integer', examples: [12] }),
  'WWW-Authenticate': header('How to authenticate.', { type: 'string', examples: ['Bearer'] }),
  'Idempotency-Replayed': header('`true` where the reply is the stored one of an earlier request.', {
    type: 'string',
    examples: ['true'],
  }),
  ETag: header('The state of the record, for If-Match.', { type: 'string' }),
  Location: header('Where the record is.', { type: 'string' }),
}

/** References to those headers that a route's reply of this status can carry. */
export function headersOf(route: Route, status: number): Json {
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id']
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503 || status === 409) names.push('Retry-After')
  if (status === 201 || status === 202) names.push('Location')
  if (status < 300 && status !== 204 && route.list === undefined && route.data !== undefined)
    names.push('ETag')
  if (status < 300 && !isRead(route)) names.push('Idempotency-Replayed')
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
