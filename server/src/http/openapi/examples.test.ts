/** The request bodies that the OpenAPI document shows: sent to a sandbox in the document's order, each works. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exampleId } from '../../platform/schemas.ts'
import { type RequestOptions, startTestApp, type TestApp } from '../../testing/test-app.ts'

type Parameter = { name: string; in: string; required: boolean; schema: { examples?: unknown[] } }
type Content = Record<string, { example: unknown }>
type Operation = {
  operationId: string
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Content }
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

let app: TestApp
let document: Document

before(async () => {
  app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000' } })
  document = (await app.request('GET', '/openapi.json')).body
})
after(() => app.close())

/** Operations whose example cannot work in this walk, with the code of the refusal and its reason. */
const refused: Readonly<Record<string, { code: string; because: string }>> = {
  decideRun: { code: 'run_ended', because: 'no run of the walk waits for an approval' },
  sendToolResults: { code: 'run_ended', because: 'no run of the walk waits for a result' },
  openConversation: { code: 'permission_missing', because: 'a person opens it, in the console' },
  acceptInvitation: { code: 'validation_failed', because: 'the token is in the mail alone' },
  updateIntegrationTools: { code: 'not_found', because: 'only a server of MCP brings tools of its own' },
  uploadDocumentFromUrl: { code: 'integration_unreachable', because: 'tests reach no server outside' },
}

test('each request body that the document shows works in the sandbox, with the ids of the records made before', async () => {
  const ids = new Map<string, string>()
  const found: string[] = []
  let sent = 0
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.requestBody === undefined || !isOfSandbox(operation)) continue
      const options = { key: app.testKey, ...bodyOf(operation, ids) }
      const { status, body } = await app.request(method.toUpperCase(), pathOf(path, operation, ids), options)
      sent++
      learn(ids, body)
      const { code } = refused[operation.operationId] ?? {}
      if (code === undefined ? status >= 400 : body?.code !== code)
        found.push(`${operation.operationId}: ${status} ${JSON.stringify(body)}`)
    }
  }
  assert.deepEqual(found, [])
  assert.ok(sent > 50, String(sent))
})

/** What needs no key is asked by those who hold a secret of its own. */
const isOfSandbox = ({ operationId }: Operation): boolean =>
  app.app.routes.some(
    route => route.operationId === operationId && !route.liveOnly && route.permission !== 'public',
  )

/** The first record of each kind, by the prefix of its id. */
function learn(ids: Map<string, string>, body: unknown): void {
  for (const [, id = '', prefix = ''] of JSON.stringify(body).matchAll(
    /"(?:id|\w+Id)":"(([a-z]+)_[0-9a-z]{26})"/g,
  ))
    if (!ids.has(prefix)) ids.set(prefix, id)
}

const idOfExamples = exampleId('agent').slice(-26)

/** With ids of records in place of those of the examples. */
function withIds<Value>(value: Value, ids: ReadonlyMap<string, string>): Value {
  const text = JSON.stringify(value).replaceAll(
    new RegExp(`\\b([a-z]+)_${idOfExamples}`, 'g'),
    (example, prefix: string) => ids.get(prefix) ?? example,
  )
  return JSON.parse(text)
}

function parametersOf({ parameters }: Operation): Parameter[] {
  return parameters.map(one => {
    const whole = '$ref' in one ? document.components.parameters[one.$ref.split('/').at(-1) ?? ''] : one
    assert.ok(whole, JSON.stringify(one))
    return whole
  })
}

function pathOf(path: string, operation: Operation, ids: ReadonlyMap<string, string>): string {
  const parameters = parametersOf(operation)
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find(one => one.in === 'path' && one.name === name)?.schema.examples?.[0]
    assert.equal(typeof example, 'string', `${operation.operationId} shows no example of ${name}`)
    return encodeURIComponent(withIds(String(example), ids))
  })
}

function bodyOf(operation: Operation, ids: ReadonlyMap<string, string>): RequestOptions {
  const { required = false, content = {} } = operation.requestBody ?? {}
  const [[type, { example }] = ['', { example: undefined }]] = Object.entries(content)
  const body = withIds(example, ids)
  if (type === 'application/json') return { body }
  if (type === 'multipart/form-data') return { form: formOf(body as Record<string, unknown>) }
  const headers = { 'tus-resumable': '1.0.0', ...headersOf(operation, ids) }
  // An upload may begin without bytes; those of the next operation then start at 0, as its example says.
  return required ? { headers: { ...headers, 'content-type': type }, body } : { headers }
}

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    const files = name === 'file' ? [value].flat() : []
    for (const text of files) form.append(name, new File([String(text)], 'leave.md'))
    if (name !== 'file') form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}

/** The required headers; in `Upload-Metadata` an id is in Base64. */
function headersOf(operation: Operation, ids: ReadonlyMap<string, string>): Record<string, string> {
  const needed = parametersOf(operation).filter(one => one.in === 'header' && one.required)
  return Object.fromEntries(
    needed.map(({ name, schema }) => [
      name,
      String(schema.examples?.[0]).replaceAll(/[A-Za-z0-9+/=]{30,}/g, encoded => {
        const text = Buffer.from(encoded, 'base64').toString()
        return Buffer.from(withIds(text, ids)).toString('base64')
      }),
    ]),
  )
}
