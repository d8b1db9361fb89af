/** Notion's and Google Drive's tools as an agent uses them: reading at once, writing after an approval. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { startIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { calls, says, toldBy } from '../../../testing/apps/tool-app.ts'
import { startDrivePeer } from '../../../testing/peers/google-drive.ts'
import { startNotionPeer } from '../../../testing/peers/notion.ts'
import { block } from '../../../testing/peers/notion-store.ts'
import { startModelServer } from '../../../testing/servers/model-server.ts'

async function start(t: TestContext) {
  const modelServer = await startModelServer()
  t.after(modelServer.close)
  const [notion, drive] = [await startNotionPeer(t), await startDrivePeer(t)]
  const setting = await startIntegrationApp(t, {
    settings: { OPENAI_BASE_URL: modelServer.baseUrl },
    routes: oauth => {
      drive.accepts = token => oauth.issued.includes(token)
      return { 'https://api.notion.com': notion.origin, 'https://www.googleapis.com': drive.origin }
    },
  })
  return { ...setting, modelServer, notion, drive }
}

test('an agent reads a page of Notion, and writes at its end once that was approved', async t => {
  const { app, modelServer, notion } = await start(t)
  const pageId = notion.notion.put({ title: 'Log', blocks: [block('paragraph', 'Day one')] })
  const connected = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'notion', credentials: { apiKey: notion.token } },
  })
  const { id } = await createAgentIn(app, {
    model: 'openai/test-model',
    connectionIds: [connected.body.data.id],
    tools: ['notion_read_page', 'notion_append_to_page'],
  })
  modelServer.setScript((_, index) => {
    if (index === 0) return calls(['notion_read_page', { pageId }])
    return index === 1 ? calls(['notion_append_to_page', { pageId, text: 'Day two' }]) : says('Done.')
  })
  const { body } = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Write the log' } })
  assert.equal(body.data.status, 'waiting')
  const [second] = modelServer.requests.slice(1)
  assert.ok(second)
  assert.match([...toldBy(second.body).values()].join(), /Day one/)
  assert.equal(notion.notion.pages.get(pageId)?.blocks.length, 1)
  const [{ toolCallId }] = body.data.pendingApprovals
  const decided = await app.request('POST', `/runs/${body.data.id}/approvals`, {
    body: { decisions: [{ toolCallId, decision: 'approve' }] },
    headers: { prefer: 'wait=20' },
  })
  assert.equal(decided.body.data.status, 'succeeded')
  assert.equal(notion.requests.filter(({ method }) => method === 'PATCH').length, 1)
  assert.equal(notion.notion.pages.get(pageId)?.blocks.length, 2)
})

test('an agent finds and reads a file in Google Drive, within the folders of the connection alone', async t => {
  const { app, modelServer, drive, connected } = await start(t)
  const store = drive.drive
  const chosen = store.putFolder('Chosen')
  const inside = store.put({ name: 'in.txt', content: 'Geese pay two euros.', parent: chosen })
  const outside = store.put({ name: 'out.txt', content: 'Geese are secret.' })
  const connection = await connected('google-drive', app.liveKey, { config: { folderIds: [chosen] } })
  const { id } = await createAgentIn(app, {
    model: 'openai/test-model',
    connectionIds: [connection],
    tools: ['google_drive_search_files', 'google_drive_read_file'],
  })
  modelServer.setScript((_, index) => {
    if (index > 0) return says('Done.')
    return calls(
      ['google_drive_search_files', { query: 'geese' }],
      ['google_drive_read_file', { fileId: inside }],
      ['google_drive_read_file', { fileId: outside }],
    )
  })
  const { body } = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'What of geese?' } })
  assert.equal(body.data.status, 'succeeded', JSON.stringify(body.data.error))
  const [found, read, refused] = [
    ...toldBy(modelServer.requests[1]?.body ?? { model: '', messages: [] }).values(),
  ]
  assert.match(found ?? '', /in\.txt/)
  assert.doesNotMatch(found ?? '', /out\.txt/)
  assert.match(read ?? '', /Geese pay two euros/)
  assert.match(refused ?? '', /does not reach it/)
})
