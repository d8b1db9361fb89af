/** Words of documents that /v1 carries from one run to the next: they stay withheld, and are erased with the document. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { type OpenAiApp, startOpenAiApp } from '../../../testing/apps/openai-app.ts'
import { keepKnowledge, type WithheldKnowledge } from '../../../testing/apps/team-access.ts'
import { untilNoJobs } from '../../../testing/knowledge/knowledge.ts'
import type { TestKey } from '../../../testing/test-app.ts'

let openAi: OpenAiApp
let known: WithheldKnowledge
/** Searches whatever its caller reaches. */
let agentId: string

before(async () => {
  openAi = await startOpenAiApp()
  known = await keepKnowledge(openAi.app)
  agentId = (await createAgentIn(openAi.app, { name: 'Doorman', tools: ['search_knowledge'] })).id
})
after(() => openAi.close())

const aboutVault = 'Who unlocks the vault around midnight, saying what?'

/** Two ids: of the response that was asked about the vault, and of one that has its words from there. */
type Pair = [string, string]

async function respond(key: TestKey, body: object): Promise<{ id: string; output: { id: string }[] }> {
  const reply = await openAi.ask('POST', '/responses', { key, body: { model: agentId, ...body } })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body
}

/** The ways in which one run gets the words of another. */
async function pairs(key: TestKey): Promise<Record<string, Pair>> {
  const first = await respond(key, { input: aboutVault })
  assert.match(JSON.stringify(first), /xyzzy/)
  const chained = await respond(key, { input: 'Thanks.', previous_response_id: first.id })
  const further = await respond(key, { input: 'Bye.', previous_response_id: chained.id })
  const named = await respond(key, {
    input: [
      { type: 'item_reference', id: first.output.at(-1)?.id },
      { role: 'user', content: 'Thanks.' },
    ],
  })
  const conversation = (await openAi.ask('POST', '/conversations', { key, body: {} })).body.id
  const begun = await respond(key, { input: aboutVault, conversation })
  const next = await respond(key, { input: 'Thanks.', conversation })
  const rerun = await openAi.app.request('POST', `/runs/${runOf(chained.id)}/rerun`, { key, body: {} })
  return {
    chained: [first.id, chained.id],
    further: [first.id, further.id],
    named: [first.id, named.id],
    conversation: [begun.id, next.id],
    rerun: [first.id, rerun.body.data.id.replace('run_', 'resp_')],
  }
}

const runOf = (id: string): string => id.replace('resp_', 'run_')

const messagesOf = async (id: string): Promise<string> => {
  const { body } = await openAi.app.request('GET', `/runs/${runOf(id)}`)
  return JSON.stringify(body.data)
}

test('a response that has withheld words from an earlier one is withheld like it', async () => {
  const { insider, outsider } = known
  for (const [way, ids] of Object.entries(await pairs(insider.key))) {
    for (const id of ids) {
      const path = `/runs/${runOf(id)}`
      assert.match(await messagesOf(id), /xyzzy/, way)
      assert.equal((await openAi.app.request('GET', path, { key: insider.key })).status, 200, way)
      assert.equal((await openAi.app.request('GET', path, { key: outsider.key })).status, 404, way)
      assert.equal((await openAi.ask('GET', `/responses/${id}`, { key: outsider.key })).status, 404, way)
    }
  }
})

test('an erased document is in no response that had its words from an earlier one, and in no conversation', async () => {
  const { key } = known.insider
  const made = await pairs(key)
  const { id } = (await openAi.ask('POST', '/conversations', { key, body: {} })).body
  const first = await respond(key, { input: aboutVault })
  const named = { type: 'item_reference', id: first.output.at(-1)?.id }
  await respond(key, { input: [named, { role: 'user', content: 'Thanks.' }], conversation: id })
  const items = async () =>
    (await openAi.ask('GET', `/conversations/${id}/items?order=asc`, { key })).body.data
  const [before] = await items()
  assert.equal(before.id, named.id)
  assert.match(JSON.stringify(before), /xyzzy/)
  const path = `/knowledge/documents/${known.kept.documentId}?erase=true`
  assert.equal((await openAi.app.request('DELETE', path)).status, 204)
  await untilNoJobs(openAi.app)
  for (const [way, ids] of Object.entries(made)) {
    for (const one of ids) assert.doesNotMatch(await messagesOf(one), /xyzzy/, way)
  }
  assert.doesNotMatch(JSON.stringify(await items()), /xyzzy/)
  assert.equal((await openAi.ask('DELETE', `/conversations/${id}/items/${named.id}`, { key })).status, 200)
  assert.equal((await items()).length, 2)
})
