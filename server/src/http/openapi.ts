/** Builds the OpenAPI 3.1 document from the routes that serve the API, so the two cannot drift apart. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type IdKind, idPrefixes } from '../platform/ids.ts'
import { type TObject, type TSchema, Type } from '../platform/json-schema/type.ts'
import { bodyTag, etagOf } from '../platform/revision.ts'
import { exampleId, idOf } from '../platform/schemas.ts'
import { fullQuery } from './full-query.ts'
import { type Components, createComponents, type Json, type Replies } from './openapi/components.ts'
import { createErrorReplies } from './openapi/error-replies.ts'
import {
  answersParts,
  answersTagged,
  callbacksOf,
  messagesOf,
  receivedTag,
  successReplies,
} from './openapi/success-replies.ts'
import { defineRoute, isRead, mayBeEmpty, type Reply, type Route, rawJson } from './route.ts'

type Parameter = { name: string; in: string; required: boolean; description: string; schema: Json }

const description = `Agents, knowledge, integrations and the workspace around them, by one REST API.

Every request carries \`Authorization: Bearer sk_…\`. A key that begins with \`sk_test_\` works in the sandbox: data of its own, a
deterministic model, no cost and no call to the outside.

A success is \`{"data": …}\`, a list adds \`"meta": {"page", "pageSize", "total"}\`. Every error has one shape, from every layer; \`code\` is
a word of a closed list, \`errors\` names each faulty field. Any write may carry an \`Idempotency-Key\`: repeated within 24 hours, it is
answered with the stored reply and not carried out again.

This version only grows: replies, events and errors may get more fields, enums more words, and streams more types of events. Pass
over what you do not know. Requests are closed: a field that is not known is a 400.`

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
  receivedTag,
  { name: 'workspace', description: 'The workspace, its members, invitations, teams, keys and audit log.' },
  { name: 'meta', description: 'This document.' },
]

/** The document as an object; its server is relative, so the document is valid under every address. */
export function buildOpenApi(all: readonly Route[], replies: Replies = 'open'): Json {
  // Another protocol has its own reference.
  const routes = all.filter(({ protocol }) => protocol === undefined)
  const components = createComponents(replies)
  const errorReplies = createErrorReplies(components, headersOf)
  const responses = routes.map(route => ({
    ...successReplies(route, components, headersOf),
    ...errorReplies(route),
  }))
  const received = messagesOf(Object.assign({}, ...routes.map(({ sends }) => sends)), components)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [index, route] of routes.entries()) {
    const path = route.path.replaceAll(/:([A-Za-z]+)/g, '{$1}')
    const operation = { ...operationOf(route, components), responses: responses[index] }
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  components.nameDiscriminators()
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
    security: [{ bearerAuth: [] }],
    paths,
    // References, because openapi-generator writes Python that cannot be imported of operations written out here.
    webhooks: Object.fromEntries(
      Object.keys(received).map(name => [name, { $ref: `#/components/pathItems/${name}` }]),
    ),
    components: {
      schemas: components.all('schemas'),
      parameters: components.all('parameters'),
      responses: { NotModified: notModified, ...components.all('responses') },
      headers: componentHeaders,
      pathItems: received,
      examples: components.all('examples'),
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key: `sk_live_…` for production, `sk_test_…` for the sandbox. Some operations take a browser token, `bt_…`, too.',
        },
      },
    },
  }
}

const forWholeKeys =
  '\n\nIt changes what belongs to the whole workspace, so a narrowed key gets `permission_missing` (`needs: whole_workspace`).'
const forPages = '\n\nOpen to pages with a browser token too.'

function operationOf(route: Route, components: Components): Json {
  const { permission, viewersToo = false, opensToPages, wholeWorkspace } = route
  const forViewers = viewersToo
    ? ' Viewers need none in their own conversations, and to run agents with `viewersMayRun`.'
    : ''
  const needed =
    permission === 'public' || permission === 'any'
      ? ''
      : `\n\nNeeds the permission \`${permission}\`.${forViewers}`
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route, components),
    ...parametersOf('header', route.headers ?? noHeaders, components),
    ...headerParameters(route),
  ]
  return withoutUndefined<Json>({
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}${needed}${wholeWorkspace ? forWholeKeys : ''}${opensToPages ? forPages : ''}`,
    security: permission === 'public' ? [] : undefined,
    'x-permission': needed === '' ? undefined : permission,
    parameters: parameters.map(parameter => orReference(parameter, components)),
    requestBody: requestBody(route, components),
    callbacks: callbacksOf(route, components),
  })
}

/** Query parameters that are the same for many operations. */
const commonQuery: Readonly<Record<string, string>> = {
  page: 'Page',
  pageSize: 'PageSize',
  after: 'After',
  dryRun: 'DryRun',
}

/** A reference, if many operations have the same parameter. */
function orReference(parameter: Parameter, components: Components): Json {
  const name = componentNameOf(parameter)
  return name !== undefined && components.isFree('parameters', name, parameter)
    ? components.add('parameters', name, parameter)
    : parameter
}

function componentNameOf({ name, in: place, description: text }: Parameter): string | undefined {
  if (place === 'query') return commonQuery[name]
  if (place === 'header')
    return name.replaceAll(/(?:^|-)([A-Za-z])/g, (_, letter: string) => letter.toUpperCase()).concat('Header')
  const [, owner] = /^The id of the ([a-z ]+)\.$/.exec(text) ?? []
  return owner?.replaceAll(/(?:^| )([a-z])/g, (_, letter: string) => letter.toUpperCase()).concat('Id')
}

function pathParameters(route: Route): Parameter[] {
  const segments = route.path.split('/')
  return segments.flatMap((segment, index) => {
    if (!segment.startsWith(':')) return []
    const name = segment.slice(1)
    const text = route.pathTexts[name]
    if (text !== undefined) {
      const { description: words, example } = text
      const schema = { type: 'string', examples: [example] }
      return [{ name, in: 'path', required: true, description: words, schema }]
    }
    const said = name === 'id' ? singular(segments[index - 1] ?? '') : name.replace(/Id$/, '')
    const owner = ownersInFull[`${route.tag} ${said}`] ?? said
    const kind = kindNamed(owner)
    const schema: Json = kind === undefined ? { type: 'string' } : { ...idOf(kind) }
    return [{ name, in: 'path', required: true, description: `The id of the ${owner}.`, schema }]
  })
}

const singular = (segment: string): string =>
  specialOwners[segment] ?? segment.replace(/s$/, '').replaceAll('-', ' ')

const specialOwners: Readonly<Record<string, string>> = {
  'api-keys': 'key',
  deliveries: 'delivery',
  integrations: 'connection',
}

/** By tag and name: the full name for a parameter whose name says too little. */
const ownersInFull: Readonly<Record<string, string>> = {
  'integrations sync': 'connection sync',
  'webhooks delivery': 'webhook delivery',
}

function kindNamed(owner: string): IdKind | undefined {
  const name = owner.replaceAll(/ ([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return Object.keys(idPrefixes).find((known): known is IdKind => known === name)
}

/**
 * A parameter that has two names is documented under one, as needed: no generator reads that one of two is needed. An
 * id has no example, since a list filtered by one that nothing has is a 400.
 */
function queryParameters(route: Route, components: Components): Parameter[] {
  const { aliases = {} } = route
  return parametersOf('query', fullQuery(route), components)
    .filter(({ name }) => !Object.values(aliases).includes(name))
    .map(parameter => ({
      ...parameter,
      required: parameter.required || parameter.name in aliases,
      schema: withoutIds(parameter.schema),
    }))
}

function withoutIds({ examples, ...schema }: Json): Json {
  const isExample = examples !== undefined && !JSON.stringify(examples).includes(idOfExamples)
  return isExample ? { ...schema, examples } : schema
}

const idOfExamples = exampleId('agent').slice(-26)

const noHeaders = Type.Object({})

function parametersOf(place: 'query' | 'header', parameters: TObject, components: Components): Parameter[] {
  const { properties, required = [] } = parameters as {
    properties: Record<string, TSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, whole]) => {
    const { description: text = '', ...schema } = components.requestSchema(whole)
    return { name, in: place, required: required.includes(name), description: String(text), schema }
  })
}

const exampleTag = bodyTag(etagOf({ id: exampleId('agent'), revision: 3 }).etag, '')

function headerParameters(route: Route): Parameter[] {
  const header = (name: string, text: string, schema: Json): Parameter => ({
    name,
    in: 'header',
    required: false,
    description: text,
    schema: { type: 'string', ...schema },
  })
  const parameters: Parameter[] = []
  if (!isRead(route)) {
    parameters.push(
      header(
        'Idempotency-Key',
        'Makes retries safe: the same key and request get the stored reply for 24 hours.',
        { minLength: 1, maxLength: 255 },
      ),
    )
  }
  if (route.errors.includes('precondition_failed')) {
    parameters.push(header('If-Match', 'ETag that you read: 412 if the record has changed since.', {}))
  }
  if (answersTagged(route)) {
    parameters.push(
      header(
        'If-None-Match',
        'ETag of the reply that you have: 304 without a body if it is still the same.',
        {},
      ),
    )
  }
  if (answersParts(route)) {
    parameters.push(
      header('Range', 'The part of the file to send, in bytes from 0, both ends included.', {
        examples: ['bytes=1048576-'],
      }),
      header(
        'If-Range',
        'ETag of the file that you have a part of: if it has changed, the whole file comes.',
        {},
      ),
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

function requestBody(route: Route, components: Components): Json | undefined {
  if (route.upload !== undefined) {
    const { jsonFields, example } = route.upload
    const schema = components.add('schemas', formName(route), formOf(route.upload, components))
    const encoding = Object.fromEntries(jsonFields.map(name => [name, { contentType: 'application/json' }]))
    const { file, many } = route.upload
    const shown = { [file]: many === undefined ? fileExample : [fileExample], ...example }
    return { required: true, content: { 'multipart/form-data': { schema, encoding, example: shown } } }
  }
  if (route.streamedBody !== undefined) {
    const { mediaType, isOptional, description: text } = route.streamedBody
    const schema = { type: 'string', format: 'binary', description: text }
    return { required: !isOptional, content: { [mediaType]: { schema, example: fileExample } } }
  }
  if (route.body === undefined) return undefined
  const schema = components.requestSchema(route.body)
  const content = { 'application/json': withoutUndefined<Json>({ schema, example: route.bodyExample }) }
  return { required: !mayBeEmpty(route) || route.needsOneOf !== undefined, content }
}

const fileExample = 'Every full-time employee has 27 days of paid annual leave a year.'

/** Such as `UploadDocumentForm`. */
const formName = ({ operationId: id }: Route): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}Form`

/** A list of files has no `maxItems`: of a bound on one, openapi-generator writes Go that does not compile. */
function formOf({ file, fields, many }: NonNullable<Route['upload']>, components: Components): Json {
  const binary = { type: 'string', format: 'binary', description: 'The file.' }
  const properties = Object.entries(fields.properties).map(([name, schema]) => [
    name,
    components.requestSchema(schema),
  ])
  return {
    type: 'object',
    properties: {
      [file]:
        many === undefined
          ? binary
          : { type: 'array', items: binary, description: `The files, at most ${many.maxFiles}.` },
      ...Object.fromEntries(properties),
    },
    required: [file, ...(fields.required ?? [])],
    additionalProperties: false,
  }
}

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
  ETag: header(
    'Names what the reply shows: for `If-None-Match`, and if it is a record, for `If-Match`. Of a compressed reply it begins with `W/`.',
    { type: 'string', examples: [exampleTag] },
  ),
  'Accept-Ranges': header('`bytes` if `Range` can ask for a part of the file, otherwise `none`.', {
    type: 'string',
    examples: ['bytes'],
  }),
  'Content-Range': header('The part that is sent and the size of the file; after a 416 the size alone.', {
    type: 'string',
    examples: ['bytes 1048576-2097151/2097152'],
  }),
  Location: header('URL of the record.', { type: 'string' }),
}

/** References to the headers that a route's reply of this status can carry. */
function headersOf(route: Route, status: number): Json {
  const names = [...usualHeaders]
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503 || status === 409) names.push('Retry-After')
  if (status === 201 || status === 202) names.push('Location')
  const isRecord = status !== 204 && route.list === undefined && route.data !== undefined
  if (status < 300 && (isRecord || answersTagged(route))) names.push('ETag')
  if (status < 300 && route.answersFile) names.push('Accept-Ranges')
  if (status === 206 || status === 416) names.push('Content-Range')
  if (status < 300 && route.waits) names.push('Preference-Applied')
  if (status < 300 && !isRead(route)) names.push('Idempotency-Replayed')
  return headerReferences(names)
}

const headerReferences = (names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

const usualHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id']

const notModified = {
  description: 'The client has the reply as it is: it still has the ETag that `If-None-Match` names.',
  headers: headerReferences([...usualHeaders, 'ETag']),
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
    isFixed: true,
    data: Type.Object(
      {},
      { title: 'OpenApiDocument', additionalProperties: true, description: 'An OpenAPI 3.1 document.' },
    ),
    replyTexts: { 200: 'The OpenAPI document.' },
    success: [200],
    errors: [],
    handle: async () => document(),
  })
  let built: Reply<never> | null = null
  const document = (): Reply<never> => {
    if (built !== null) return built
    const json = JSON.stringify(buildOpenApi([...routes, route]))
    built = rawJson(json, { etag: bodyTag(undefined, json) })
    return built
  }
  return route
}
