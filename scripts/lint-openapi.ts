/**
 * Says what openapi.json lacks: first by the rules that fit every OpenAPI document, then by those that only our API has.
 * `npm run lint:openapi`. Exits with 1 where a rule is broken.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'

type Schema = { $ref?: string; allOf?: { $ref?: string }[] }
type MediaType = { schema?: Schema; example?: unknown; examples?: unknown }
type Content = Record<string, MediaType>
type Response = { headers?: Record<string, unknown>; content?: Content }
type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: unknown[]
  requestBody?: { content: Content }
  responses: Record<string, Response | { $ref: string }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response> }
}
type Problem = { place: string; message: string }

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])
const commonRules = [
  'struct',
  'component-name-unique',
  'info-license',
  'no-empty-servers',
  'no-enum-type-mismatch',
  'no-example-value-and-externalValue',
  'no-identical-paths',
  'no-invalid-media-type-examples',
  'no-invalid-parameter-examples',
  'no-invalid-schema-examples',
  'no-path-trailing-slash',
  'no-required-schema-properties-undefined',
  'no-schema-type-mismatch',
  'no-server-trailing-slash',
  'no-server-variables-empty-enum',
  'no-undefined-server-variable',
  'no-unresolved-refs',
  'no-unused-components',
  'operation-2xx-response',
  'operation-4xx-response',
  'operation-operationId-unique',
  'operation-operationId-url-safe',
  'operation-parameters-unique',
  'operation-tag-defined',
  'parameter-description',
  'path-declaration-must-exist',
  'path-not-include-query',
  'path-parameters-defined',
  'security-defined',
  'spec-components-invalid-map-name',
  'spec-strict-refs',
  'tag-description',
]

const source = readFileSync(resolve(import.meta.dirname, '../openapi.json'), 'utf8')
const problems = [...(await commonProblems(source)), ...ourProblems(JSON.parse(source))]
for (const { place, message } of problems) console.error(`${place}: ${message}`)
process.exitCode = problems.length === 0 ? 0 : 1

async function commonProblems(text: string): Promise<Problem[]> {
  const config = await createConfig({ rules: Object.fromEntries(commonRules.map(rule => [rule, 'error'])) })
  const found = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  return found.map(({ message, ruleId, location: [at] }) => ({
    place: at?.pointer ?? '#',
    message: `${message} (${ruleId})`,
  }))
}

function ourProblems({ paths, components }: Document): Problem[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => methods.has(method))
      .flatMap(([method, operation]) =>
        [...problemsOf(path, operation, components.responses)].map(message => ({
          place: `${method.toUpperCase()} ${path}`,
          message,
        })),
      ),
  )
}

function* problemsOf(path: string, operation: Operation, named: Record<string, Response>): Generator<string> {
  const { operationId = '', summary = '', description = '', tags = [], responses } = operation
  if (!/^[a-z][A-Za-z]+$/.test(operationId)) yield 'operationId is a name in camel case'
  if (summary.length < 3 || summary.length > 80 || summary.endsWith('.'))
    yield 'summary has 3 to 80 characters and no full stop'
  if (description.length < 10) yield 'description has at least 10 characters'
  if (tags.length !== 1) yield 'an operation has exactly one tag'
  const needed = [
    ...['400', '429', '500', '503'],
    ...(operation.security === undefined ? ['401', '403'] : []),
    ...(path.includes('{') ? ['404'] : []),
  ]
  for (const status of needed) if (!(status in responses)) yield `a reply ${status} is missing`
  for (const [status, reply] of Object.entries(responses)) {
    const whole = '$ref' in reply ? named[reply.$ref.replace('#/components/responses/', '')] : reply
    yield* problemsOfReply(path, status, whole ?? {})
  }
  const body = operation.requestBody?.content['application/json']
  if (body !== undefined && body.example === undefined) yield 'the JSON body shows no example'
}

function* problemsOfReply(path: string, status: string, reply: Response): Generator<string> {
  for (const header of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'])
    if (!(header in (reply.headers ?? {}))) yield `the reply ${status} has no header ${header}`
  const json = reply.content?.['application/json']
  if (json === undefined) return
  const [base] = json.schema?.allOf ?? [json.schema]
  if (/^[45]/.test(status) && base?.$ref !== '#/components/schemas/Error')
    yield `the reply ${status} is not the schema Error, nor that with its details`
  if (/^[45]/.test(status) && json.examples === undefined)
    yield `the reply ${status} has no example for each of its codes`
  // The document can't be an example in itself.
  if (status.startsWith('2') && path !== '/openapi.json' && json.example === undefined)
    yield `the reply ${status} shows no example`
}
