/** Variables of instructions and limits of runs, through HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn, startAgentApp } from '../../../testing/apps/agent-app.ts'
import type { ModelServer } from '../../../testing/servers/model-server.ts'
import type { TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let modelServer: ModelServer
let close: () => Promise<void>

before(async () => {
  ;({ app, modelServer, close } = await startAgentApp())
})
after(() => close())

const instructions =
  'Help {{ customer_name }} in {{language}}. {{language}}! Leave {{other}} and {{{x}}} alone.'
const variables = { customer_name: null, language: 'English' }

const create = (body: Record<string, unknown> = {}) =>
  createAgentIn(app, { model: 'openai/test-model', tools: [], instructions, variables, ...body })

const run = (id: string, body: Record<string, unknown>) =>
  app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello', ...body } })

const systemMessage = () => modelServer.requests.at(-1)?.body.messages[0]?.content

test("placeholders are filled from the run's variables, else from the agent's", async () => {
  const { id } = await create()
  const { body } = await run(id, { variables: { customer_name: 'Ada' } })
  assert.equal(body.data.status, 'succeeded')
  assert.deepEqual(body.data.variables, { customer_name: 'Ada' })
  assert.equal(systemMessage(), 'Help Ada in English. English! Leave {{other}} and {{{x}}} alone.')
  await run(id, { variables: { customer_name: 'Ada', language: 'Dutch' } })
  assert.match(String(systemMessage()), /in Dutch\. Dutch!/)
  const again = await app.request('POST', `/runs/${body.data.id}/rerun`, { body: {} })
  assert.deepEqual(again.body.data.variables, { customer_name: 'Ada' })
})

test('a value is data: what looks like a placeholder or a pattern in it stays as it is', async () => {
  const { id } = await create()
  await run(id, { variables: { customer_name: '{{language}} $& $1', language: '' } })
  assert.match(String(systemMessage()), /^Help \{\{language\}\} \$& \$1 in \. !/)
})

test('each variable that lacks a value, or that there is not, is named', async () => {
  const { id } = await create()
  const missing = await run(id, {})
  assert.equal(missing.status, 400)
  assert.deepEqual(missing.body.errors, [
    { field: 'variables.customer_name', message: 'is required: the agent gives it no value' },
  ])
  const unknown = await run(id, { variables: { customerName: 'Ada', customer_name: 'Ada' } })
  assert.deepEqual(unknown.body.errors, [
    {
      field: 'variables.customerName',
      message: 'The agent has no variable of this name; did you mean `customer_name`?',
    },
  ])
  const plain = await create({ variables: {} })
  const none = await run(plain.id, { variables: { toString: 'x' } })
  assert.deepEqual(none.body.errors, [{ field: 'variables.toString', message: 'The agent has no variables' }])
  const wrong = await run(id, { variables: { customer_name: 7 } })
  assert.equal(wrong.body.errors[0].field, 'variables.customer_name')
})

test("an agent's limits are its runs' defaults, and a run may ask for less but never for more", async () => {
  const { id } = await create({
    variables: {},
    limits: { maxSteps: 2, timeoutSeconds: 30, maxOutputTokens: 50 },
  })
  assert.equal((await run(id, {})).body.data.status, 'succeeded')
  assert.equal(modelServer.requests.at(-1)?.body.max_tokens, 50)
  await run(id, { limits: { maxOutputTokens: 7 } })
  assert.equal(modelServer.requests.at(-1)?.body.max_tokens, 7)
  const more = await run(id, { limits: { maxSteps: 3, timeoutSeconds: 31, maxOutputTokens: 51 } })
  assert.equal(more.status, 400)
  assert.deepEqual(more.body.errors, [
    { field: 'limits.maxSteps', message: "must be at most 2, which is the agent's limit" },
    { field: 'limits.timeoutSeconds', message: "must be at most 30, which is the agent's limit" },
    { field: 'limits.maxOutputTokens', message: "must be at most 50, which is the agent's limit" },
  ])
  modelServer.setScript(() => ({ kind: 'tool_calls', calls: [{ name: 'none', arguments: {} }] }))
  const ended = await run(id, {})
  assert.equal(ended.body.data.error.code, 'max_steps')
  assert.match(ended.body.data.error.message, /2 steps/)
})

test('values that make too much text of the instructions are refused, and nothing of it is written', async () => {
  const { id } = await create({ instructions: '{{a}}'.repeat(1_000), variables: { a: null } })
  assert.equal((await run(id, { variables: { a: 'x'.repeat(900) } })).status, 200)
  const refused = await run(id, { variables: { a: 'x'.repeat(1_001) } })
  assert.equal(refused.status, 400)
  assert.deepEqual(
    refused.body.errors.map(({ field }: { field: string }) => field),
    ['variables'],
  )
  assert.match(refused.body.errors[0].message, /1001000 characters/)
})
