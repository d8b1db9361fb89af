/** The OpenAPI 3.1 document, built from the route values that serve the API, so the two cannot drift apart. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { detailsSchema, type ErrorCode, errorCodes, ServiceError } from '../platform/errors.ts'
import { idPrefixes } from '../platform/ids.ts'
import { type TObject, type TSchema, Type } from '../platform/json-schema/type.ts'
import { exampleId } from '../platform/schemas.ts'
import { ErrorBody, errorBody } from './envelope.ts'
import { fullQuery } from './full-query.ts'
import { successSchemas } from './responses.ts'
import { defineRoute, isRead, type Message, type Route, rawJson } from './route.ts'

type Json = Record<string, unknown>

const description = `Agents, knowledge, integrations and the workspace around them, by one REST API.

Every request carries \`Authorization: Bearer sk_…\`. A key that begins with \`sk_test_\` works in the sandbox: data of its own, a
deterministic model, no cost and no call to the outside.

A success is \`{"data": …}\`, a list adds \`"meta": {"page", "pageSize", "total"}\`. Every error has one shape, from every layer; \`code\` is
a word of a closed list, \`errors\` names each faulty field. Any write may carry an \`Idempotency-Key\`: repeated within 24 hours, it is
answered with the stored reply and not carried out again.`

const tags: readonly { name: string; description: string }[] = [
  { name: 'agents', description: 'Agents and their runs.' },
  {
    name: 'models',
    description: "The models that agents run on, and the workspace's own providers of them.",
  },
  { name: 'knowledge', description: 'Collections, documents and search.' },
  { name: 'integrations', description: 'The catalog of outside services and the connections to them.' },
  { name: 'events', description: 'The outbox: what happened, kept for a while.' },
  {
    name: 'webhooks',
    description: 'Endpoints that receive events, and their deliveries.',
  },
  { name: 'workspace', description: 'The workspace, its members, invitations, teams, keys and audit log.' },
  { name: 'meta', description: 'This document.' },
]

/** The document as an object; its server is relative, so it holds under every address. */
export function buildOpenApi(routes: readonly Route[]): Json {
  const schemas: Record<string, unknown> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:([A-Za-z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) }
  }
  const responses = errorComponents(routes, schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atrium API',
      version: '1.0.0',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The Atrium authors' },
    },
    servers: [{ url: '/api/v1', description: 'This server.' }],
    tags,
    security: [{ apiKey: [] }],
    paths,
    webhooks: messagesOf(Object.assign({}, ...routes.map(({ sends }) => sends)), schemas),
    components: {
      schemas: sorted({
        ...schemas,
        Error: hoist(ErrorBody, schemas),
      }),
      responses,
      headers: componentHeaders,
      parameters: signatureHeaders,
      examples: errorExamples(routes),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `sk_live_…` for production, `sk_test_…` for the sandbox.',
        },
      },
    },
  }
}

function operationOf(route: Route, schemas: Json): Json {
  const { permission } = route
  const needed =
    permission === 'public' || permission === 'any' ? '' : `\n\nNeeds the permission \`${permission}\`.`
  return withoutUndefined<Json>({
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}${needed}`,
    security: permission === 'public' ? [] : undefined,
    'x-permission': needed === '' ? undefined : permission,
    parameters: [
      ...pathParameters(route),
      ...parametersOf('query', fullQuery(route), schemas),
      ...parametersOf('header', route.headers ?? noHeaders, schemas),
      ...headerParameters(route),
    ],
    ...requestBody(route, schemas),
    callbacks: callbacksOf(route, schemas),
    responses: { ...successResponses(route, schemas), ...errorResponses(route) },
  })
}

function pathParameters(route: Route): Json[] {
  const segments = route.path.split('/')
  return segments.flatMap((segment, index) => {
    if (!segment.startsWith(':')) return []
    const name = segment.slice(1)
    const text = route.pathTexts[name]
    if (text !== undefined) {
      const { description, example } = text
      return [
        { name, in: 'path', required: true, description, schema: { type: 'string', examples: [example] } },
      ]
    }
    const owner = name === 'id' ? singular(segments[index - 1] ?? '') : name.replace(/Id$/, '')
    const kind = Object.keys(idPrefixes).find(known => known === owner) as keyof typeof idPrefixes | undefined
    const schema = kind === undefined ? { type: 'string' } : { type: 'string', examples: [exampleId(kind)] }
    return [{ name, in: 'path', required: true, description: `The id of the ${owner}.`, schema }]
  })
}

const singular = (segment: string): string =>
  ({ 'api-keys': 'key', integrations: 'connection', deliveries: 'delivery' })[segment] ??
  segment.replace(/s$/, '').replaceAll('-', ' ')

const noHeaders = Type.Object({})

function parametersOf(place: 'query' | 'header', parameters: TObject, schemas: Json): Json[] {
  const { properties, required = [] } = parameters as {
    properties: Record<string, TSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => {
    const { description: text = '', ...rest } = hoist(schema, schemas) as Json
    return { name, in: place, required: required.includes(name), description: text, schema: rest }
  })
}

function headerParameters(route: Route): Json[] {
  const header = (name: string, text: string, schema: Json): Json => ({
    name,
    in: 'header',
    required: false,
    description: text,
    schema: { type: 'string', ...schema },
  })
  const parameters: Json[] = []
  if (!isRead(route)) {
    parameters.push(
      header(
        'Idempotency-Key',
        'Makes retries safe: the same key and request get the stored reply for 24 hours.',
        { minLength: 1, maxLength: 255, examples: ['import-2026-11-21-0001'] },
      ),
    )
  }
  if (route.errors.includes('precondition_failed')) {
    parameters.push(
      header('If-Match', 'ETag that you read: 412 if the record has changed since.', {
        examples: [`"${exampleId('agent')}.3"`],
      }),
    )
  }
  if (route.waits) {
    parameters.push(
      header(
        'Prefer',
        '`wait=N` waits up to N seconds (at most 60) for the end; `respond-async` never waits.',
        {
          examples: ['wait=30'],
        },
      ),
    )
  }
  return parameters
}

function requestBody(route: Route, schemas: Json): Json {
  if (route.upload !== undefined) {
    const { file, fields, jsonFields, many, example, asJson } = route.upload
    const binary = { type: 'string', format: 'binary', description: 'The file.' }
    const properties = Object.fromEntries(
      Object.entries(fields.properties).map(([name, schema]) => [name, hoist(schema, schemas)]),
    )
    const schema = {
      type: 'object',
      properties: {
        [file]: many === undefined ? binary : { type: 'array', items: binary, maxItems: many.maxFiles },
        ...properties,
      },
      required: [file, ...(fields.required ?? [])],
    }
    const encoding = Object.fromEntries(jsonFields.map(name => [name, { contentType: 'application/json' }]))
    const content = withoutUndefined<Json>({
      'multipart/form-data': withoutUndefined<Json>({ schema, encoding, example }),
      'application/json': asJson && { schema: hoist(asJson.body, schemas), example: asJson.example },
    })
    return { requestBody: { required: true, content } }
  }
  if (route.streamedBody !== undefined) {
    const { mediaType, isOptional, description: text } = route.streamedBody
    const schema = { type: 'string', format: 'binary', description: text }
    return { requestBody: { required: !isOptional, content: { [mediaType]: { schema } } } }
  }
  if (route.body === undefined) return {}
  const example = route.bodyExample === undefined ? {} : { example: route.bodyExample }
  const content = { 'application/json': { schema: hoist(route.body, schemas), ...example } }
  return { requestBody: { required: true, content } }
}

/** Requests that the server sends, each as the operation that receives it. */
const messagesOf = (messages: Readonly<Record<string, Message>>, schemas: Json): Json =>
  Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [name, { post: received(message, schemas) }]),
  )

const callbacksOf = ({ callsBack }: Route, schemas: Json): Json | undefined =>
  callsBack &&
  Object.fromEntries(
    Object.entries(callsBack.messages).map(([name, message]) => [
      name,
      { [`{$request.body#/${callsBack.field}}`]: { post: received(message, schemas) } },
    ]),
  )

const received = ({ summary, description: text, schema, example }: Message, schemas: Json): Json => ({
  tags: ['webhooks'],
  summary,
  description: text,
  security: [],
  parameters: Object.keys(signatureHeaders).map(name => ({ $ref: `#/components/parameters/${name}` })),
  requestBody: {
    required: true,
    content: { 'application/json': withoutUndefined<Json>({ schema: hoist(schema, schemas), example }) },
  },
  responses: {
    '2XX': { description: 'The delivery has arrived. Any status but this and 410 is tried again.' },
    '410': { description: 'The receiver is gone: an endpoint is disabled, and a callback is given up.' },
  },
})

/** Of Standard Webhooks. */
const signatureHeaders: Json = Object.fromEntries(
  [
    ['webhook-id', 'Id of the event, the same with every attempt.', exampleId('event')],
    ['webhook-timestamp', 'When the attempt was made, in Unix epoch seconds.', '1795253402'],
    [
      'webhook-signature',
      'One `v1,` signature for each secret that is valid, separated by spaces.',
      'v1,K5oZ…=',
    ],
  ].map(([name = '', description, example]) => [
    name,
    { name, in: 'header', required: true, description, schema: { type: 'string', examples: [example] } },
  ]),
)

const successTexts: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the work continues after the reply.',
  204: 'Deleted.',
}

function successResponses(route: Route, schemas: Json): Json {
  const responses: Json = {}
  for (const status of route.success) {
    responses[status] = { description: successTexts[status], headers: headersOf(route, status) }
  }
  if (route.answersFile) {
    responses[200] = {
      description: 'The file.',
      headers: headersOf(route, 200),
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    }
  }
  for (const [status, schema] of successSchemas(route)) {
    const raw = route.permission === 'public' && route.data !== undefined
    const isPreview = !route.success.some(known => known === status)
    const example = isPreview ? previewExample : route.example === undefined ? null : exampleReply(route)
    responses[status] = {
      description: isPreview ? 'With `dryRun=true`: what the call would do.' : successTexts[status],
      headers: headersOf(route, status),
      content: {
        'application/json': withoutUndefined<Json>({
          schema: hoist(raw ? (route.data as TSchema) : schema, schemas),
          example: example ?? undefined,
        }),
      },
    }
  }
  if (route.events !== undefined) addEvents(responses, route, route.events, schemas)
  return responses
}

/** A stream is described by what stands in the `data` of each of its events. */
function addEvents(responses: Json, route: Route, events: TSchema, schemas: Json): void {
  const streamed = withoutUndefined<Json>({ schema: hoist(events, schemas), example: route.eventsExample })
  const described = (responses[200] ?? {}) as Json
  const content = { ...(described.content as Json | undefined), 'text/event-stream': streamed }
  responses[200] = { headers: headersOf(route, 200), description: 'Done.', ...described, content }
}

const previewExample = {
  data: {
    dryRun: true,
    effects: [{ effect: 'deleted', resource: 'document', count: 1, ids: [exampleId('document')] }],
  },
}

const exampleReply = (route: Route): Json =>
  route.list === undefined
    ? { data: route.example }
    : { data: route.example, meta: { page: 1, pageSize: route.list.defaultPageSize, total: 1 } }

/** Moves every schema that has a title into the components and leaves a reference in its place. */
function hoist(schema: TSchema, schemas: Json): unknown {
  return walk(JSON.parse(JSON.stringify(schema)), schemas)
}

function walk(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map(item => walk(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const walked = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item, schemas)]))
  const { title, ...rest } = walked
  if (typeof title !== 'string' || (typeof walked.type !== 'string' && !('anyOf' in walked))) return walked
  schemas[title] = rest
  return { $ref: `#/components/schemas/${title}` }
}

const sorted = (object: Json): Json =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))

const header = (description: string, schema: Json, required = false): Json => ({
  description,
  required,
  schema,
})

const componentHeaders: Record<string, Json> = {
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
  'X-Request-Id': header('Id of this request in the log and the audit log.', { type: 'string' }, true),
  'Retry-After': header('Seconds to wait before the next try.', { type: 'integer', examples: [12] }),
  'WWW-Authenticate': header('How to authenticate.', { type: 'string', examples: ['Bearer'] }),
  'Idempotency-Replayed': header('`true` if this is the stored reply of an earlier request.', {
    type: 'string',
    examples: ['true'],
  }),
  'Preference-Applied': header('The preference of `Prefer` that was applied.', {
    type: 'string',
    examples: ['wait=30'],
  }),
  ETag: header('Version of the record, for `If-Match`.', { type: 'string' }),
  Location: header('URL of the record.', { type: 'string' }),
}

/** References to those headers that a route's reply of this status can carry. */
export function headersOf(route: Route, status: number): Json {
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id']
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503 || status === 409) names.push('Retry-After')
  if (status === 201 || status === 202) names.push('Location')
  if (status < 300 && status !== 204 && route.list === undefined && route.data !== undefined)
    names.push('ETag')
  if (status < 300 && route.waits) names.push('Preference-Applied')
  if (status < 300 && !isRead(route)) names.push('Idempotency-Replayed')
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The error replies of a route, each a reference to what `errorComponents` describes once for all routes. */
const errorResponses = (route: Route): Json =>
  Object.fromEntries(
    statusesOf(route).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${nameOf(status, codes)}` },
    ]),
  )

/** Every error reply that some route can give: a status with the codes that it stands for there. */
function errorComponents(routes: readonly Route[], schemas: Json): Json {
  const replies = routes.flatMap(route =>
    statusesOf(route).map(
      ([status, codes]) => [nameOf(status, codes), errorResponse(route, status, codes, schemas)] as const,
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
  if (route.upload?.asJson !== undefined) codes.push('malformed_json')
  if (route.streamedBody !== undefined) codes.push('payload_too_large', 'request_timeout')
  if (route.liveOnly) codes.push('sandbox_forbidden')
  return codes
}

/** The shape of every error, with what `details` holds for these codes. */
function errorSchema(codes: readonly ErrorCode[], schemas: Json): Json {
  const error = { $ref: '#/components/schemas/Error' }
  const detailed = codes.flatMap(code => {
    const schema = detailsSchema(code)
    return schema === null ? [] : [hoist({ ...schema, title: detailsName(code) } as TSchema, schemas)]
  })
  if (detailed.length === 0) return error
  const none = detailed.length < codes.length ? [{ type: 'object', maxProperties: 0 }] : []
  return { allOf: [error, { type: 'object', properties: { details: { anyOf: [...detailed, ...none] } } }] }
}

/** Such as `DeleteGuardDetails`. */
export const detailsName = (code: string): string =>
  `${code.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Details`

function errorResponse(route: Route, status: number, codes: readonly ErrorCode[], schemas: Json): Json {
  const examples = codes.map(code => [code, { $ref: `#/components/examples/${code}` }])
  return {
    description: codes.map(code => `\`${code}\`: ${errorCodes[code].message}.`).join(' '),
    headers: headersOf(route, status),
    content: {
      'application/json': {
        schema: errorSchema(codes, schemas),
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** One example of each error that a route can answer with; the operations refer to them. */
const errorExamples = (routes: readonly Route[]): Json =>
  Object.fromEntries(
    [...new Set(routes.flatMap(errorsOf))]
      .sort()
      .map(code => [code, { value: errorBody(exampleError(code), exampleId('request')) }]),
  )

function exampleError(code: ErrorCode): ServiceError {
  const properties = detailsSchema(code)?.properties ?? {}
  const details = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      (schema as { examples: unknown[] }).examples[0],
    ]),
  )
  return new ServiceError(code, undefined, { details })
}

export function openApiRoute(routes: readonly Route[]): Route {
  const route: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag: 'meta',
    summary: 'Get the OpenAPI document',
    description:
      'Returns this document, which is generated from the routes that serve the API. Needs no key.',
    permission: 'public',
    data: Type.Object({}, { additionalProperties: true }),
    success: [200],
    errors: [],
    handle: async () => rawJson(document()),
  })
  let built: string | null = null
  const document = (): string => {
    built ??= JSON.stringify(buildOpenApi([...routes, route]))
    return built
  }
  return route
}
