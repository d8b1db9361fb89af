/**
 * Holds every reply that a test receives against the OpenAPI document, and every write against the audit log. The published
 * document leaves replies open for fields to come; here they are closed, so that none leaves unnamed.
 */
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { buildOpenApi } from '../http/openapi.ts'
import type { Effect, Route } from '../http/route.ts'
import type { Database } from '../platform/database/database.ts'
import { previewedIds } from '../platform/database/page.ts'

type Reply = {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: unknown
}

type Response = { $ref?: string; 'x-codes'?: string[]; content?: Record<string, unknown> }
type Operation = { responses: Record<string, Response> }

export type CheckReply = (method: string, url: string, reply: Reply) => Promise<void>

type Matcher = { route: Route; pattern: RegExp }

type OpenApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components: {
    responses: Record<string, Response>
    schemas: { Error: { properties: { details: { 'x-details': Record<string, unknown> } } } }
  }
}

/** The routes are the same in every app of a process, so the document, its validators and the patterns are made once. */
let openApi: OpenApiDocument | undefined
let known: Map<string, Matcher[]> | undefined
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
// The package's CommonJS default export has no call signature under NodeNext.
;(ajvFormats as unknown as (ajv: Ajv2020) => void)(ajv)

const validators = new Map<string, ValidateFunction>()

/** The validator of the schema at this place of the document. */
function validatorOf(place: readonly string[]): ValidateFunction {
  const name = place.join(' > ')
  const known = validators.get(name)
  if (known !== undefined) return known
  const pointer = place.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  const found = ajv.getSchema(`openapi#/${pointer.join('/')}`)
  assert.ok(found, `there is no schema at ${name}`)
  validators.set(name, found)
  return found
}

const detailsByCode = ['components', 'schemas', 'Error', 'properties', 'details', 'x-details']

function checkDetails({ components }: OpenApiDocument, code: string, details: object): void {
  if (!(code in components.schemas.Error.properties.details['x-details'])) {
    assert.deepEqual(details, {}, `${code} has details that the document does not name`)
    return
  }
  const validate = validatorOf([...detailsByCode, code])
  assert.ok(validate(details), `The details of ${code} do not fit: ${ajv.errorsText(validate.errors)}`)
}

export function createReplyCheck(routes: readonly Route[], database: Database): CheckReply {
  if (openApi === undefined) {
    openApi = buildOpenApi(routes, 'closed') as OpenApiDocument
    ajv.addSchema(openApi, 'openapi')
  }
  const document = openApi
  known ??= Map.groupBy(matchersOf(routes), ({ route }) => kindOf(route.method, route.path))
  const matchers = known

  return async (method, url, reply) => {
    const { pathname, searchParams } = new URL(url, 'http://test')
    checkSaysSomething(method, pathname, reply)
    if (!pathname.startsWith('/api/v1/')) return
    checkHeaders(method, pathname, reply)
    const path = pathname.slice('/api/v1'.length)
    const route = matchers.get(kindOf(method, path))?.find(({ pattern }) => pattern.test(path))?.route
    // A path without the method has no operation, although a pattern with parameters may fit it.
    if (route === undefined || reply.status === 405) return
    const template = route.path.replaceAll(/:([A-Za-z]+)/g, '{$1}')
    const verb = method.toLowerCase()
    const described = document.paths[template]?.[verb]?.responses[String(reply.status)]
    const named = described?.$ref?.split('/').at(-1)
    const response = named === undefined ? described : document.components.responses[named]
    assert.ok(
      response,
      `${route.operationId} answered ${reply.status}, which its OpenAPI operation does not name`,
    )
    if (response.content?.['application/json'] !== undefined && reply.body !== null) {
      const place =
        named === undefined
          ? ['paths', template, verb, 'responses', String(reply.status)]
          : ['components', 'responses', named]
      const validate = validatorOf([...place, 'content', 'application/json', 'schema'])
      assert.ok(
        validate(reply.body),
        `${route.operationId} ${reply.status} does not fit its schema: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(reply.body)}`,
      )
    }
    if (reply.status === 200) checkPreview(route, reply.body)
    if (reply.status >= 400 && method !== 'HEAD') {
      const { code, details } = reply.body as { code: string; details: object }
      const declared = response['x-codes'] ?? []
      assert.ok(
        declared.includes(code),
        `${route.operationId} answered ${reply.status} ${code}, which it does not declare: ${declared.join(', ')}`,
      )
      checkDetails(document, code, details)
    }
    if (typeof route.audit === 'string' && reply.status < 300 && searchParams.get('dryRun') !== 'true') {
      await checkAudit(database, route.audit, reply)
    }
  }
}

/** What a dry run counts it names, up to the number that is named. */
function checkPreview({ operationId }: Route, body: unknown): void {
  const { data } = (body ?? {}) as { data?: { effects?: Effect[] } | null }
  for (const { resource, count, ids } of data?.effects ?? []) {
    assert.equal(ids.length, Math.min(count, previewedIds), `${operationId} previews ${count} ${resource}`)
  }
}

/** A refusal names what it is about, for programs too, in the shape of every protocol. */
function checkSaysSomething(method: string, pathname: string, { status, body }: Reply): void {
  if (status < 400 || status >= 500 || typeof body !== 'object' || body === null) return
  const { error } = body as { error?: { data?: unknown } }
  const { errors, details } = (error?.data ?? body) as { errors?: unknown[]; details?: object }
  if (errors === undefined && details === undefined) return
  assert.ok(
    (errors ?? []).length > 0 || Object.keys(details ?? {}).length > 0,
    `${method} ${pathname} answered ${status} with neither errors nor details: ${JSON.stringify(body)}`,
  )
}

function checkHeaders(method: string, pathname: string, { headers }: Reply): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    assert.match(
      String(headers[name]),
      /^\d+$/,
      `${method} ${pathname} answered without an integer in ${name}`,
    )
  }
  assert.match(
    String(headers['x-request-id']),
    /^req_/,
    `${method} ${pathname} answered without X-Request-Id`,
  )
}

/** A change leaves a row that names its request; a repeated reply or a call that changed nothing need not. */
async function checkAudit(database: Database, action: string, { headers, status }: Reply): Promise<void> {
  if (headers['idempotency-replayed'] === 'true') return
  const rows = await database.read
    .selectFrom('audit_log')
    .select('action')
    .where('request_id', '=', String(headers['x-request-id']))
    .execute()
  const isNoChange = status === 200 && rows.length === 0
  assert.ok(
    isNoChange || rows.some(row => row.action === action),
    `the write left no audit row "${action}", but ${JSON.stringify(rows)}`,
  )
}

/** As in the server, a word of the path goes before a parameter. */
const matchersOf = (routes: readonly Route[]): Matcher[] =>
  routes
    .toSorted((one, other) => parametersIn(one) - parametersIn(other))
    .map(route => ({ route, pattern: patternOf(route.path) }))

/** Of few routes: a request looks through them alone. */
const kindOf = (method: string, path: string): string => `${method} ${path.split('/').length}`

const parametersIn = ({ path }: Route): number => path.split(':').length - 1

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`)
