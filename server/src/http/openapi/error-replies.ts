/** The error replies of the OpenAPI document: one schema, and a named reply for each set of codes. */
import { detailsSchema, type ErrorCode, errorCodes, ServiceError } from '../../platform/errors.ts'
import { exampleId } from '../../platform/schemas.ts'
import { ErrorBody, errorBody } from '../envelope.ts'
import { isRead, type Route } from '../route.ts'
import type { Components, Json, Ref } from './components.ts'

/** Answers the error replies of a route by their status. */
export function createErrorReplies(
  components: Components,
  headersOf: (route: Route, status: number) => Json,
): (route: Route) => Record<string, Ref> {
  // Made once: all routes together name them some 2,500 times, which was nearly the whole time of the document.
  let schema: Ref | undefined
  const examples = new Map<ErrorCode, Ref>()
  const addExample = (code: ErrorCode): Ref => {
    const example = examples.get(code) ?? exampleOf(code, components)
    examples.set(code, example)
    return example
  }
  return route =>
    Object.fromEntries(
      statusesOf(route).map(([status, codes]) => {
        schema ??= errorSchema(components)
        const name = replyName(route, status, codes)
        const reply = {
          description: codes.map(code => `\`${code}\`: ${errorCodes[code].message}.`).join(' '),
          'x-codes': codes,
          headers: headersOf(route, status),
          content: {
            'application/json': {
              schema,
              examples: Object.fromEntries(codes.map(code => [code, addExample(code)])),
            },
          },
        }
        return [status, components.add('responses', name, reply)]
      }),
    )
}

const pascal = (code: string): string =>
  code.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

/** The name of each status, for a reply that only one operation gives. */
const statusNames: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  409: 'Conflict',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  503: 'Unavailable',
}

/** The names of replies for sets of codes that come with the nature of a route. */
const usualNames: Readonly<Record<string, string>> = {
  'malformed_request.malformed_url.validation_failed': 'InvalidRequest',
  'malformed_json.malformed_request.malformed_url.validation_failed': 'InvalidJsonRequest',
  'malformed_multipart.malformed_request.malformed_url.validation_failed': 'InvalidForm',
  'malformed_json.malformed_multipart.malformed_request.malformed_url.validation_failed': 'InvalidFormOrJson',
  'address_not_allowed.permission_missing.plan_required.workspace_deleted': 'Forbidden',
  'address_not_allowed.plan_required.workspace_deleted': 'NoAccess',
  'idempotency_in_progress.idempotency_interrupted': 'IdempotencyConflict',
}

/** Made from the route alone, so that a change of another route never renames the reply. */
function replyName(route: Route, status: number, codes: readonly ErrorCode[]): string {
  const usual = usualNames[codes.join('.')]
  if (usual !== undefined) return usual
  const nature = natureOf(route)
  const own = codes.filter(code => !nature.includes(code))
  const [code] = own.length === 0 ? codes : own
  // A read with one own code lacks the usual codes of writes, so its reply needs another name than a write's.
  const isWhole = !isRead(route) || own.length === 0 || !(status in statusNames)
  if (code !== undefined && own.length <= 1 && isWhole) return pascal(code)
  return `${pascal(route.operationId)}${statusNames[status] ?? status}`
}

/** The codes that a route can answer with, by their status. */
function statusesOf(route: Route): [status: number, codes: ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of [...new Set([...natureOf(route), ...ownErrors(route)])].sort()) {
    const { status } = errorCodes[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([a], [b]) => a - b)
}

const ownErrors = ({ errors, liveOnly, opensToPages }: Route): readonly ErrorCode[] => [
  ...errors,
  ...(liveOnly ? (['sandbox_forbidden'] as const) : []),
  ...(opensToPages ? (['origin_forbidden'] as const) : []),
]

/** The codes that come with the nature of the route. */
function natureOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = [
    'validation_failed',
    'malformed_request',
    'malformed_url',
    'uri_too_long',
    'headers_too_large',
    'rate_limited',
    'internal_error',
    'unavailable',
  ]
  if (route.permission !== 'public') {
    codes.push(
      'unauthenticated',
      'plan_required',
      'workspace_deleted',
      'address_not_allowed',
      'not_acceptable',
    )
  }
  if (route.permission !== 'public' && !(route.permission === 'any' && route.opensToPages)) {
    codes.push('permission_missing')
  }
  if (route.path.includes(':')) codes.push('not_found')
  if (!isRead(route)) {
    codes.push('idempotency_in_progress', 'idempotency_interrupted', 'idempotency_mismatch')
  }
  if (!isRead(route) || route.body !== undefined) codes.push('unsupported_media_type')
  if (route.body !== undefined) codes.push('malformed_json', 'payload_too_large', 'request_timeout')
  if (route.upload !== undefined) codes.push('malformed_multipart', 'payload_too_large', 'request_timeout')
  if (route.upload?.asJson !== undefined) codes.push('malformed_json')
  if (route.streamedBody !== undefined) codes.push('payload_too_large', 'request_timeout')
  return codes
}

/**
 * The one schema of all errors. Clients that generators make read `code` of it. A schema for each code would give them
 * a wrapper for each set of codes, or none: no generator reads a schema that narrows a field of another one.
 */
const errorSchema = (components: Components): Ref =>
  components.add('schemas', 'Error', components.replySchema(ErrorBody))

function exampleOf(code: ErrorCode, components: Components): Ref {
  const properties = detailsSchema(code)?.properties ?? {}
  const details = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      (schema as { examples: unknown[] }).examples[0],
    ]),
  )
  const error = new ServiceError(code, undefined, { details })
  return components.add('examples', code, { value: errorBody(error, exampleId('request')) })
}
