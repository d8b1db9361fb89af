/** Erasing a document takes its words out of the runs that were shown them, and leaves the rest of the runs alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { createCollection, untilNoJobs, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp } from '../../../testing/test-app.ts'
import { createRedaction } from './run-traces.ts'

test('an erased document is in no run any more: not in citations, steps, outputs, events or repeated replies', async t => {
  const app = await startTestApp()
  t.after(() => app.close())
  const key = app.testKey
  const collectionId = await createCollection(app, key)
  const { id: erasedId } = await uploadAndWait(app, {
    collectionId,
    key,
    name: 'secret.md',
    content: '# Secrets of the vault\n\nThe vault opens with the golden word xyzzy every single morning.',
  })
  const { id: keptId } = await uploadAndWait(app, {
    collectionId,
    key,
    name: 'kept.md',
    content: '# Hours\n\nThe museum opens at nine and closes at five on every weekday.',
  })
  const agent = await createAgentIn(app, { model: 'sandbox', collectionIds: [collectionId] }, key)
  const run = async (prompt: string, conversationId?: string) => {
    const reply = await app.request('POST', `/agents/${agent.id}/run`, {
      key,
      body: { prompt, conversationId },
      headers: { 'idempotency-key': prompt },
    })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data
  }
  const about = await run('How does the vault open, by which golden word?')
  assert.match(JSON.stringify(about), /xyzzy/)
  assert.ok(about.citations.some((citation: { documentId: string }) => citation.documentId === erasedId))
  const later = await run('And when does the museum open and close?', about.conversationId)
  const apart = await run('When does the museum open, and when does it close?')
  const comment = 'Wrong: the vault opens with the golden word xyzzy every single morning. Check it.'
  const feedback = { key, body: { rating: 'negative', comment } }
  assert.equal((await app.request('POST', `/runs/${about.id}/feedback`, feedback)).status, 200)
  const again = await app.request('POST', `/runs/${later.id}/rerun`, { key, body: {} })
  const { etag } = (await app.request('GET', `/runs/${about.id}`, { key })).headers
  const events = async () =>
    JSON.stringify((await app.request('GET', '/events', { key, query: { type: 'run.*' } })).body.data)
  assert.match(await events(), /xyzzy/)
  const path = `/knowledge/documents/${erasedId}?erase=true`
  assert.equal((await app.request('DELETE', path, { key })).status, 204)
  await untilNoJobs(app)

  for (const { id } of [about, later, apart, again.body.data]) {
    const { data } = (await app.request('GET', `/runs/${id}`, { key })).body
    assert.doesNotMatch(JSON.stringify(data), /xyzzy|Secrets of the vault/)
    assert.equal(data.status, 'succeeded')
  }
  assert.doesNotMatch(await events(), /xyzzy/)
  assert.match(await events(), /museum opens at nine/)
  const { body, headers } = await app.request('GET', `/runs/${about.id}`, { key })
  const { data } = body
  assert.equal(data.feedback.comment, 'Wrong: [erased]. Check it.')
  assert.notEqual(headers.etag, etag)
  const cited = data.citations.find((citation: { documentId: string }) => citation.documentId === erasedId)
  const before = about.citations.find((citation: { documentId: string }) => citation.documentId === erasedId)
  assert.deepEqual(cited, { ...before, quote: '[erased]' })
  assert.match(data.output, /\[erased\]/)
  const { data: kept } = (await app.request('GET', `/runs/${apart.id}`, { key })).body
  assert.match(kept.output, /museum opens at nine/)
  assert.ok(kept.citations.every((citation: { quote: string }) => citation.quote !== '[erased]'))
  assert.ok(kept.citations.some((citation: { documentId: string }) => citation.documentId === keptId))
  const { read } = app.dependencies.database
  const replies = await read.selectFrom('idempotency').select('body').execute()
  assert.ok(replies.every(({ body }) => !/xyzzy/.test(body ?? '')))
  const shown = await read.selectFrom('run_documents').select('document_id').distinct().execute()
  // That words of the collection were shown is still known.
  assert.deepEqual(new Set(shown.map(row => row.document_id)), new Set([keptId, collectionId]))
})

test('an erased document is in no result that a program has sent for a call, and in no error', async t => {
  const app = await startTestApp()
  t.after(() => app.close())
  const key = app.testKey
  const collectionId = await createCollection(app, key)
  const words = 'The vault opens with the golden word xyzzy every single morning.'
  const { id } = await uploadAndWait(app, { collectionId, key, name: 'secret.md', content: words })
  const functions = [{ name: 'report', inputSchema: { type: 'object' } }]
  const body = { model: 'sandbox', collectionIds: [collectionId], functions }
  const agent = await createAgentIn(app, body, key)
  const prompt = 'sim:tool=search_knowledge({"query": "vault"}) sim:tool=report({}) sim:tool=report({})'
  const { data } = (await app.request('POST', `/agents/${agent.id}/run`, { key, body: { prompt } })).body
  const [first, second] = data.pendingToolCalls.map((call: { toolCallId: string }) => call.toolCallId)
  const results = [
    { toolCallId: first, output: { said: words } },
    { toolCallId: second, error: words },
  ]
  const headers = { prefer: 'wait=20' }
  const sent = await app.request('POST', `/runs/${data.id}/tool-results`, { key, headers, body: { results } })
  assert.equal(sent.body.data.status, 'succeeded')
  assert.match(JSON.stringify(sent.body.data.steps), /"error":.*xyzzy/)
  const path = `/knowledge/documents/${id}?erase=true`
  assert.equal((await app.request('DELETE', path, { key })).status, 204)
  await untilNoJobs(app)
  const { read } = app.dependencies.database
  const rows = [
    ...(await read.selectFrom('run_tool_calls').selectAll().execute()),
    ...(await read.selectFrom('run_steps').selectAll().execute()),
  ]
  assert.ok(rows.length > 2)
  assert.doesNotMatch(JSON.stringify(rows), /xyzzy/)
})

test('an erased document is in none of the messages that a run was given, but for the words of the user', async t => {
  const app = await startTestApp()
  t.after(() => app.close())
  const key = app.testKey
  const collectionId = await createCollection(app, key)
  const words = 'The vault opens with the golden word xyzzy every single morning.'
  const { id } = await uploadAndWait(app, { collectionId, key, name: 'secret.md', content: words })
  const agent = await createAgentIn(app, { model: 'sandbox', collectionIds: [collectionId] }, key)
  const run = async (body: object) => {
    const reply = await app.request('POST', `/agents/${agent.id}/run`, { key, body })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data
  }
  const { conversationId } = await run({ prompt: 'How does the vault open, by which golden word?' })
  const call = (toolCallId: string) => ({ toolCallId, name: 'note', input: { text: words } })
  const { id: runId } = await run({
    conversationId,
    messages: [
      { role: 'user', content: `Is it so? ${words}` },
      { role: 'assistant', content: `Yes: ${words}`, toolCalls: [call('a'), call('b')] },
      { role: 'tool', toolCallId: 'a', output: { noted: words } },
      { role: 'tool', toolCallId: 'b', error: `Not noted: ${words}` },
      { role: 'user', content: 'When does the museum open?' },
    ],
  })
  await app.request('DELETE', `/knowledge/documents/${id}?erase=true`, { key })
  await untilNoJobs(app)
  const { data } = (await app.request('GET', `/runs/${runId}`, { key })).body
  const erased = (toolCallId: string) => ({ toolCallId, name: 'note', input: { text: '[erased].' } })
  assert.deepEqual(data.messages, [
    { role: 'user', content: `Is it so? ${words}` },
    { role: 'assistant', content: 'Yes: [erased].', toolCalls: [erased('a'), erased('b')] },
    { role: 'tool', toolCallId: 'a', output: { noted: '[erased].' } },
    { role: 'tool', toolCallId: 'b', error: 'Not noted: [erased].' },
    { role: 'user', content: 'When does the museum open?' },
  ])
})

test('words are taken out where five in a row are repeated, across lines and punctuation, and no others', () => {
  const { redact } = createRedaction([
    'Everybody has 28 days of paid leave a year. It must be asked for in time.',
    'Short quote',
    '有給休暇は年に二十八日あります',
  ])
  assert.equal(redact('He said: "everybody has 28\ndays, of paid leave" [1].'), 'He said: "[erased]" [1].')
  assert.equal(redact('Everybody has 28 friends.'), 'Everybody has 28 friends.')
  assert.equal(redact('A short quote, and more.'), 'A [erased], and more.')
  assert.equal(redact('答え：有給休暇は年に二十八日あります。'), '答え：[erased]。')
  assert.equal(createRedaction([]).redact('As it was.'), 'As it was.')
  assert.equal(redact(''), '')
})
