/** The client can do whatever the API can: each operation of openapi.json is called by one of its methods. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Atrium } from './client.ts'

type Operations = Record<string, { operationId: string }>

const openApi: { paths: Record<string, Operations> } = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
)

test('every operation has a method, and it sends what the operation is reached by', async () => {
  const called: string[] = []
  const atrium = new Atrium({
    apiKey: 'sk_test_x',
    baseUrl: 'http://atrium.invalid',
    // Notes what would be sent.
    fetch: async (address, init) => {
      const { pathname } = new URL(String(address))
      called.push(`${init?.method} ${pathname}`)
      // A stream that has nothing more to say.
      if (pathname.endsWith('/runs/x/events')) return new Response(null, { status: 204 })
      return Response.json({ data: [], meta: { page: 1, pageSize: 1, total: 0 } })
    },
  })
  await Promise.all([...callsOf(atrium), atrium.me()])
  const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      operationId,
      pattern: new RegExp(`^${method.toUpperCase()} /api/v1${path.replaceAll(/\{\w+\}/g, '(x|1)')}$`),
    })),
  )
  const isCalled = (pattern: RegExp) => called.some(line => pattern.test(line))
  const missing = operations.filter(({ pattern }) => !isCalled(pattern)).map(({ operationId }) => operationId)
  assert.deepEqual(missing, ['getOpenApi'])
  const unknown = called.filter(line => !operations.some(({ pattern }) => pattern.test(line)))
  assert.deepEqual(unknown, [])
})

function callsOf({
  agents,
  conversations,
  runs,
  models,
  knowledge,
  events,
  webhooks,
  callbacks,
  integrations,
  usage,
  workspace,
  apiKeys,
  browserTokens,
  auditLog,
}: Atrium) {
  const { collections, documents, imports, syncs, trash, uploads } = knowledge
  const { members, invitations, teams } = workspace
  const file = { name: 'a.txt', content: 'a' }
  const lists = [
    ...[
      agents.list(),
      agents.catalog(),
      agents.lastRuns(),
      agents.tools(),
      agents.runs('x'),
      runs.list(),
      agents.revisions.list('x'),
      agents.schedules.list('x'),
      agents.triggers.list('x'),
      models.list(),
    ],
    ...[collections.list(), documents.list(), knowledge.search('leave')],
    ...[syncs.list('x'), syncs.missing('x'), uploads.list()],
    ...[
      documents.versions.list('x'),
      documents.chunks('x'),
      documents.tables('x'),
      trash.list(),
      trash.collections(),
    ],
    ...[models.providers.list(), conversations.list(), conversations.runs('x')],
    conversations.openings('x'),
    events.list(),
    ...[webhooks.list(), webhooks.deliveries.list('x'), callbacks.deliveries.list()],
    ...[integrations.catalog(), integrations.list(), apiKeys.list(), auditLog.list(), browserTokens.list()],
    ...[integrations.syncs.list('x'), integrations.syncs.items('x', 'x'), integrations.tools.list('x')],
    ...[members.list(), invitations.list(), teams.list(), teams.members('x'), usage.history()],
  ]
  return [
    ...lists.map(list => list.page()),
    ...[agents.get('x'), agents.create({ name: 'a' }), agents.update('x', {}), agents.delete('x')],
    ...[
      agents.schedules.get('x', 'x'),
      agents.schedules.update('x', 'x', {}),
      agents.schedules.delete('x', 'x'),
    ],
    agents.schedules.create('x', { name: 'a', cron: '0 9 * * *', prompt: 'a' }),
    ...[
      agents.triggers.get('x', 'x'),
      agents.triggers.update('x', 'x', {}),
      agents.triggers.delete('x', 'x'),
    ],
    agents.triggers.create('x', { name: 'a', promptTemplate: 'a' }),
    ...[agents.triggers.rotate('x', 'x'), agents.triggers.send('x', {})],
    ...[agents.publicChat.get('x'), agents.publicChat.delete('x'), agents.publicChat.admit('x')],
    agents.publicChat.set('x', { origins: ['https://a.example'] }),
    ...[agents.install('x'), agents.run('x', { prompt: 'a' }), agents.start('x', { prompt: 'a' })],
    ...[conversations.get('x'), conversations.update('x', { name: 'a' }), conversations.delete('x')],
    conversations.branch('x', { runId: 'x' }),
    conversations.open('x', { reason: 'x' }),
    ...[runs.get('x'), runs.cancel('x'), runs.follow('x').next()],
    runs.decide('x', [{ toolCallId: 'call_1', decision: 'approve' }]),
    runs.sendToolResults('x', [{ toolCallId: 'call_1', output: 1 }]),
    ...[agents.revisions.get('x', 1), agents.publish('x', 1), runs.rerun('x'), runs.compare('x', 'x')],
    ...[runs.giveFeedback('x', { rating: 'positive' }), runs.deleteFeedback('x')],
    ...[collections.get('x'), collections.create({ name: 'a' }), collections.update('x', { name: 'b' })],
    ...[collections.delete('x'), documents.get('x'), documents.upload({ collectionId: 'x', file })],
    documents.upload({ collectionId: 'x', text: 'a' }),
    documents.put({ collectionId: 'x', externalId: 'x', text: 'a' }),
    ...[documents.uploadMany({ collectionId: 'x', files: [file] })],
    ...[documents.uploadFromUrl({ collectionId: 'x', url: 'https://example.com' })],
    ...[syncs.open('x'), syncs.get('x'), syncs.add('x', []), syncs.complete('x'), syncs.cancel('x')],
    ...[uploads.capabilities(), uploads.create({ collectionId: 'x', name: 'a' }, 1), uploads.get('x')],
    ...[uploads.append('x', 0, new Uint8Array(1)), uploads.delete('x')],
    ...[collections.export('x'), imports.create({ file }), imports.get('x')],
    ...[documents.put({ collectionId: 'x', externalId: 'x', file }), documents.update('x', { title: 'a' })],
    ...[documents.getByExternalId('x', 'x'), documents.deleteByExternalId('x', 'x')],
    documents.updateByExternalId('x', 'x', { title: 'a' }),
    ...[documents.versions.get('x', 1), documents.versions.restore('x', 1)],
    ...[trash.restore('x'), trash.restoreCollection('x'), trash.empty()],
    knowledge.verifyCitations([{ documentId: 'x', quote: 'a' }]),
    ...[documents.retry('x'), documents.reprocess('x'), documents.retryFailed()],
    ...[
      documents.content('x'),
      documents.original('x'),
      documents.page('x', 1),
      documents.boxes('x', 1, { from: 0, to: 1 }),
    ],
    documents.delete('x'),
    ...[models.providers.get('x'), models.providers.update('x', {}), models.providers.delete('x')],
    ...[models.providers.create({ name: 'a', kind: 'openai' }), models.providers.test('x')],
    ...[integrations.get('x'), integrations.connect({ integrationId: 'website' }), integrations.test('x')],
    ...[integrations.update('x', { name: 'a' }), integrations.sync('x')],
    ...[integrations.tools.refresh('x'), integrations.tools.change('x', [{ name: 'a', accept: null }])],
    ...[integrations.reconnect('x'), integrations.clients.get('x'), integrations.clients.delete('x')],
    integrations.clients.set('x', { clientId: 'x', clientSecret: 'x' }),
    ...[integrations.syncs.get('x', 'x'), integrations.syncs.cancel('x', 'x')],
    ...[
      integrations.disconnect('x'),
      workspace.get(),
      usage.get(),
      workspace.usage(),
      workspace.update({ monthlyCostLimitUsd: 5 }),
      workspace.delete('x'),
      workspace.leave(),
      workspace.transfer('x'),
      members.createServiceAccount({ name: 'a', role: 'member' }),
      events.get('x'),
      members.get('x'),
      members.delete('x'),
    ],
    ...[members.update('x', { role: 'viewer' }), members.invite({ email: 'a@example.com' })],
    ...[webhooks.get('x'), webhooks.create({ url: 'https://example.com' }), webhooks.update('x', {})],
    ...[webhooks.put({ url: 'https://example.com' }), callbacks.secret(), callbacks.rotateSecret()],
    ...[callbacks.deliveries.get('x'), callbacks.deliveries.redeliver('x')],
    ...[webhooks.delete('x'), webhooks.rotateSecret('x'), webhooks.test('x')],
    webhooks.replay('x', { createdAfter: '2026-11-21T00:00:00.000Z' }),
    ...[webhooks.deliveries.get('x', 'x'), webhooks.deliveries.redeliver('x', 'x')],
    ...[invitations.get('x'), invitations.resend('x'), invitations.revoke('x')],
    ...[invitations.accept({ token: 'a' }), teams.get('x'), teams.create({ name: 'a' })],
    ...[teams.update('x', { name: 'b' }), teams.delete('x'), teams.addMember('x', 'x')],
    ...[teams.removeMember('x', 'x'), apiKeys.get('x'), apiKeys.create({ name: 'a', permissions: [] })],
    ...[apiKeys.update('x', { name: 'b' }), apiKeys.rotate('x'), apiKeys.revoke('x')],
    ...[browserTokens.get('x'), browserTokens.revoke('x'), browserTokens.previewRevoke('x')],
    browserTokens.create({ agentId: 'x', endUserId: 'a', origins: ['https://a.example'] }),
  ]
}
