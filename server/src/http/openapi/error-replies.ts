/** The error replies of the OpenAPI document: a schema for each code, and a named reply for each set of codes. */
import { detailsSchema, type ErrorCode, errorCodes, ServiceError } from '../../platform/errors.ts'
import type { TSchema } from '../../platform/json-schema/type.ts'
import { exampleId } from '../../platform/schemas.ts'
import { ErrorBody, errorBody } from '../envelope.ts'
import { isRead, type Route } from '../route.ts'
import type { Components, Json, Ref } from './components.ts'

/** The error replies of a route by their status. */
export function errorReplies(
  route: Route,
  components: Components,
  headersOf: (route: Route, status: number) => Json,
): Record<string, Ref> {
  return Object.fromEntries(
    statusesOf(route).map(([status, codes]) => {
      const name = replyName(route, status, codes)
      const reply = {
        description: codes.map(code => `\`${code}\`: ${errorCodes[code].message}.`).join(' '),
        headers: headersOf(route, status),
        content: {
          'application/json': {
            schema: errorSchema(name, codes, components),
            examples: Object.fromEntries(codes.map(code => [code, exampleOf(code, components)])),
          },
        },
      }
      return [status, components.add('responses', name, reply)]
    }),
  )
}

/** Such as `DeleteGuardDetails`. */
export const detailsName = (code: string): string => `${pascal(code)}Details`

/** Such as `DeleteGuardError`. */
const errorName = (code: string): string => `${pascal(code).replace(/Error$/, '')}Error`

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
  validation_failed: 'InvalidRequest',
  'malformed_json.validation_failed': 'InvalidJsonRequest',
  'malformed_multipart.validation_failed': 'InvalidForm',
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
  const codes: ErrorCode[] = ['validation_failed', 'rate_limited', 'internal_error', 'unavailable']
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

/** One schema for each code. In a reply with several codes, `code` tells the schemas apart. */
function errorSchema(replyName: string, codes: readonly ErrorCode[], components: Components): Json {
  const refs = codes.map(code => addError(code, components))
  const [only] = refs
  if (only !== undefined && refs.length === 1) return only
  const mapping = Object.fromEntries(codes.map(code => [code, `#/components/schemas/${errorName(code)}`]))
  const union = { oneOf: refs, discriminator: { propertyName: 'code', mapping } }
  return components.add('schemas', `${replyName}Errors`, union)
}

function addError(code: ErrorCode, components: Components): Ref {
  components.add('schemas', 'Error', components.replySchema(ErrorBody))
  const details = detailsSchema(code)
  const properties: Json = {
    code: { type: 'string', const: code, description: `${errorCodes[code].message}.` },
  }
  if (details !== null) {
    properties.details = components.replySchema(named(details, detailsName(code)))
  }
  return components.add('schemas', errorName(code), {
    description: `${errorCodes[code].message}.`,
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties, required: Object.keys(properties) },
    ],
  })
}

const named = (schema: TSchema, title: string): TSchema => ({ ...schema, title }) as TSchema

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
