/** The error replies in the OpenAPI document: every code that a route can answer with, by status. */
import { type ErrorCode, errorCodes, ServiceError } from '../platform/errors.ts'
import { exampleId } from '../platform/schemas.ts'
import { errorBody } from './envelope.ts'
import { headersOf } from './openapi-headers.ts'
import { isRead, type Route } from './route.ts'

type Json = Record<string, unknown>

/** The error replies of a route, each a reference to what `errorComponents` describes once for all routes. */
export const errorResponses = (route: Route): Json =>
  Object.fromEntries(
    statusesOf(route).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${nameOf(status, codes)}` },
    ]),
  )

/** Every error reply that some route can give: a status with the codes that it stands for there. */
export function errorComponents(routes: readonly Route[]): Json {
  const replies = routes.flatMap(route =>
    statusesOf(route).map(
      ([status, codes]) => [nameOf(status, codes), errorResponse(route, status, codes)] as const,
    ),
  )
  return Object.fromEntries(replies.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const nameOf = (status: number, codes: readonly ErrorCode[]): string => [status, ...codes].join('.')

/** The codes that a route can answer with, by their status. */
function statusesOf(route: Route): [status: number, codes: ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of [...new Set(errorsOf(route))].sort()) {
    const { status } = errorCodes[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([a], [b]) => a - b)
}

/** Every code that the route can answer with: those that come with its nature, and its own. */
function errorsOf(route: Route): ErrorCode[] {
  const always: ErrorCode[] = ['validation_failed', 'rate_limited', 'internal_error', 'unavailable']
  const codes = [...always, ...route.errors]
  if (route.permission !== 'public') {
    codes.push(
      'unauthenticated',
      'plan_required',
      'workspace_deleted',
      'address_not_allowed',
      'not_acceptable',
    )
  }
  if (route.permission !== 'public' && route.permission !== 'any') codes.push('permission_missing')
  if (route.path.includes(':')) codes.push('not_found')
  if (!isRead(route)) {
    codes.push('idempotency_in_progress', 'idempotency_interrupted', 'idempotency_mismatch')
  }
  if (!isRead(route) || route.body !== undefined) codes.push('unsupported_media_type')
  if (route.body !== undefined) codes.push('malformed_json', 'payload_too_large', 'request_timeout')
  if (route.upload !== undefined) codes.push('malformed_multipart', 'payload_too_large', 'request_timeout')
  if (route.streamedBody !== undefined) codes.push('payload_too_large', 'request_timeout')
  if (route.liveOnly) codes.push('sandbox_forbidden')
  return codes
}

function errorResponse(route: Route, status: number, codes: readonly ErrorCode[]): Json {
  const examples = codes.map(code => [code, { $ref: `#/components/examples/${code}` }])
  return {
    description: codes.map(code => `\`${code}\`: ${errorCodes[code].message}.`).join(' '),
    headers: headersOf(route, status),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** One example of each error that a route can answer with; the operations refer to them. */
export const errorExamples = (routes: readonly Route[]): Json =>
  Object.fromEntries(
    [...new Set(routes.flatMap(errorsOf))]
      .sort()
      .map(code => [code, { value: errorBody(new ServiceError(code), exampleId('request')) }]),
  )
