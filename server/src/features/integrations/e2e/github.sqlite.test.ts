import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type IntegrationApp, startIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { askAbout, syncAndWait, syncedDocuments } from '../../../testing/apps/synced.ts'
import { search } from '../../../testing/knowledge/knowledge.ts'
import { type GitHubPeer, startGitHubPeer } from '../../../testing/peers/github.ts'
import { secondaryLimit } from '../../../testing/peers/github-payloads.ts'
import { interruptTimes } from '../../../testing/peers/loopback-peer.ts'

type Setting = IntegrationApp & {
  peer: GitHubPeer
  /** With a personal access token; returns the connection's id. */
  connect(config?: object): Promise<string>
}

async function start(t: TestContext): Promise<Setting> {
  const peer = await startGitHubPeer(t)
  const setting = await startIntegrationApp(t, { routes: () => ({ 'https://api.github.com': peer.origin }) })
  return {
    ...setting,
    peer,
    async connect(config = {}) {
      const body = { integrationId: 'github', credentials: { apiKey: peer.token }, config }
      const reply = await setting.app.request('POST', '/integrations/connect', { body })
      assert.deepEqual([reply.status, reply.body.data?.status], [201, 'active'], JSON.stringify(reply.body))
      assert.deepEqual(reply.body.data.account, { id: '1', name: 'octocat' })
      return reply.body.data.id
    },
  }
}

test('repositories become knowledge: connected, synced, changed, synced again, found and cited', async t => {
  const { app, peer, connect, pass } = await start(t)
  const repository = peer.add('octocat/Hello-World')
  const geese = repository.open({
    title: 'Geese at the gate',
    body: 'Geese pay two euros a day at the gate.',
  })
  const swans = repository.open({ title: 'Swans', body: 'Swans need a permission of the mayor.' })
  repository.commit({
    'docs/ducks.md': '# Ducks\n\nDucks may enter freely.',
    'docs/coots.md': '# Coots\n\nCoots build nests of reed.',
  })
  peer.add('octo-org/secret', 'private').commit({ 'plan.md': '# Plan\n\nHerons will guard the pond.' })
  const id = await connect()

  const first = await syncAndWait(app, id)
  assert.deepEqual([first.status, first.error], ['succeeded', null])
  assert.deepEqual(first.counts, { added: 5, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  const documents = await syncedDocuments(app, first.collectionId)
  const issue = documents.get(`repository-1296269/issue-${geese.number}`)
  assert.equal(issue.title, 'Geese at the gate (octocat/Hello-World#1347)')
  assert.deepEqual(issue.metadata, {
    source: 'github',
    connectionId: id,
    kind: 'issue',
    state: 'open',
    labels: [],
    repository: 'octocat/Hello-World',
    author: 'octocat',
    readers: ['everyone'],
    createdAt: geese.createdAt,
    updatedAt: geese.updatedAt,
    url: 'https://github.com/octocat/Hello-World/issues/1347',
  })
  const answer = await askAbout(app, first.collectionId, 'How much do geese pay?')
  assert.deepEqual(answer.cited, [issue.id])
  assert.match(answer.output, /two euros/)
  const everyone = {
    query: 'herons pond',
    filter: JSON.stringify({ field: 'readers', op: 'contains', value: 'everyone' }),
  }
  assert.deepEqual((await app.request('GET', '/knowledge/search', { query: everyone })).body.data, [])
  assert.equal((await search(app, 'herons pond')).length, 1)

  repository.change(geese.number, issue => Object.assign(issue, { body: 'Geese pay five euros a day.' }))
  repository.comment(swans.number, 'hubot', 'The mayor said no.')
  repository.commit({ 'docs/coots.md': null, 'docs/grebes.md': '# Grebes\n\nGrebes dance in spring.' })
  const second = await syncAndWait(app, id)
  assert.deepEqual(second.counts, { added: 1, changed: 2, unchanged: 0, deleted: 1, failed: 0 })
  assert.deepEqual(await search(app, 'coots nests'), [])
  assert.equal((await search(app, 'grebes dance')).length, 1)
  assert.match((await askAbout(app, first.collectionId, 'How much do geese pay?')).output, /five euros/)

  // GitHub does not tell what was deleted of issues: a listing of everything shows it, once a day.
  repository.issues.delete(swans.number)
  pass(25 * 3_600_000)
  const third = await syncAndWait(app, id)
  assert.deepEqual(third.counts, { added: 0, changed: 0, unchanged: 4, deleted: 1, failed: 0 })
  assert.deepEqual(await search(app, 'swans permission mayor'), [])
})

test('a token that expires in the middle of a sync is renewed, and a grant that was taken back says so', async t => {
  const { app, peer, oauth, connected } = await start(t)
  const repository = peer.add('octocat/Hello-World')
  for (const title of ['One', 'Two', 'Three', 'Four']) repository.open({ title })
  let current: string | undefined
  peer.accepts = token => token === (current ?? oauth.issued.findLast(secret => secret.startsWith('access-')))
  const id = await connected('github')
  let fetched = 0
  peer.interrupt = ({ path }) => {
    fetched += /\/issues\/\d+$/.test(path) ? 1 : 0
    // From now on only new tokens count.
    if (fetched === 2 && current === undefined) {
      const old = oauth.issued.length
      peer.accepts = token => oauth.issued.indexOf(token) >= old
      current = ''
    }
    return null
  }
  const sync = await syncAndWait(app, id)
  assert.deepEqual([sync.status, sync.counts.added, sync.counts.failed], ['succeeded', 4, 0])
  assert.equal(oauth.tokenRequests.filter(kind => kind === 'refresh_token').length, 1)

  oauth.revokeAllGrants()
  peer.accepts = () => false
  const failed = await syncAndWait(app, id)
  assert.deepEqual([failed.status, failed.error?.code], ['failed', 'needs_reauth'])
  const { body } = await app.request('GET', `/integrations/${id}`)
  assert.equal(body.data.status, 'needs_reauth')
  assert.equal((await syncedDocuments(app, failed.collectionId)).size, 4)
})

test('while GitHub slows down, the sync waits and loses nothing', async t => {
  const { app, peer, connect } = await start(t)
  peer.add('octocat/Hello-World').open({ title: 'One' })
  const id = await connect()
  peer.interrupt = interruptTimes(1, { ...secondaryLimit, headers: { 'retry-after': '1' } }, ({ path }) =>
    path.endsWith('/issues'),
  )
  const sync = await syncAndWait(app, id)
  assert.deepEqual([sync.status, sync.counts.added], ['succeeded', 1])
})

test('a config that leads elsewhere is refused by its field, and a repository that is not there fails the sync', async t => {
  const { app, peer, connect } = await start(t)
  peer.add('octocat/Hello-World')
  for (const [config, field] of [
    [{ repositories: ['octocat/..'] }, 'config.repositories.0'],
    [{ paths: ['docs', '../secret'] }, 'config.paths.1'],
    [{ content: ['wiki'] }, 'config.content.0'],
  ] as const) {
    const body = { integrationId: 'github', credentials: { apiKey: peer.token }, config }
    const reply = await app.request('POST', '/integrations/connect', { body })
    assert.equal(reply.status, 400)
    assert.deepEqual(
      reply.body.errors.map((error: { field: string }) => error.field),
      [field],
    )
  }
  const id = await connect({ repositories: ['octocat/Hello-World', 'octocat/Gone'] })
  const sync = await syncAndWait(app, id)
  assert.deepEqual([sync.status, sync.error?.code], ['failed', 'missing'])
  assert.match(sync.error?.message ?? '', /octocat\/Gone does not exist.*config/)
})

test('a file that is far too large, and one that cannot be read, fail alone and are named', async t => {
  const { app, peer, connect } = await start(t)
  peer.add('octocat/Hello-World').commit({
    'a.md': 'Ducks may enter freely.',
    'huge.txt': 'x'.repeat(26 * 1024 * 1024),
    'broken.pdf': '\0\x01\x02 no PDF',
  })
  const id = await connect()
  const sync = await syncAndWait(app, id)
  assert.deepEqual([sync.status, sync.counts.added, sync.counts.failed], ['succeeded', 1, 2])
  const { body } = await app.request('GET', `/integrations/${id}/syncs/${sync.id}/items`, {
    query: { status: 'failed' },
  })
  const failed = body.data.map((item: { title: string; error: { code: string } }) => [
    item.title,
    item.error.code,
  ])
  assert.deepEqual(failed.sort(), [
    ['broken.pdf', 'unsupported_media_type'],
    ['huge.txt', 'unexpected_reply'],
  ])
})
