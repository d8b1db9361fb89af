import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type IntegrationApp, startIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { askAbout, syncAndWait, syncedDocuments } from '../../../testing/apps/synced.ts'
import { search } from '../../../testing/knowledge/knowledge.ts'
import { interruptTimes, tooManyRequests } from '../../../testing/peers/loopback-peer.ts'
import { type SlackPeer, startSlackPeer } from '../../../testing/peers/slack.ts'

const hour = 3_600_000
const day = 24 * hour

type Setting = IntegrationApp & { peer: SlackPeer; now(): number }

/** App and workspace have one clock; the peer accepts what the authorization server gave out last. */
async function start(t: TestContext): Promise<Setting> {
  let skippedMs = 0
  const peer = await startSlackPeer(t)
  const setting = await startIntegrationApp(t, { routes: () => ({ 'https://slack.com': peer.origin }) })
  setting.oauth.mood.style = 'slack'
  const now = () => Date.now() + skippedMs
  peer.now = now
  peer.accepts = token => token === setting.oauth.issued.findLast(secret => secret.startsWith('access-'))
  return {
    ...setting,
    peer,
    now,
    pass(ms) {
      skippedMs += ms
      setting.pass(ms)
    },
  }
}

test('a workspace becomes knowledge: connected, synced, changed, synced again, found and cited', async t => {
  const { app, peer, connected, pass, now } = await start(t)
  peer.add('C012AB3CD', 'general')
  peer.add('G0PRIVATE', 'leads', { isPrivate: true })
  const say = (text: string, daysAgo: number, about = {}) =>
    peer.say('C012AB3CD', text, { atMs: now() - daysAgo * day, ...about })
  const question = say('What do geese pay at the gate?', 3)
  const reply = say('Geese pay two euros a day.', 3, { thread_ts: question, user: 'U061F7AUR' })
  const swans = say('Swans need a permission of the mayor.', 2)
  say('Ducks may enter freely.', 5)
  peer.say('G0PRIVATE', 'Herons will guard the pond.')
  const id = await connected('slack')
  const { body } = await app.request('GET', `/integrations/${id}`)
  assert.deepEqual(
    [body.data.status, body.data.account],
    ['active', { id: 'T12345678/W12345678', name: 'grace (Subarachnoid Workspace)' }],
  )

  const first = await syncAndWait(app, id)
  assert.deepEqual([first.status, first.error], ['succeeded', null])
  assert.deepEqual(first.counts, { added: 3, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  const documents = await syncedDocuments(app, first.collectionId)
  const thread = documents.get(`channel-C012AB3CD/thread-${question}`)
  assert.equal(thread.title, '#general: What do geese pay at the gate?')
  const { author, readers, source, url } = thread.metadata
  assert.deepEqual([author, readers, source], ['Egon Spengler', ['group:T12345678'], 'slack'])
  assert.equal(url, `https://subarachnoid.slack.com/archives/C012AB3CD/p${question.replace('.', '')}`)
  const answer = await askAbout(app, first.collectionId, 'How much do geese pay a day?')
  assert.deepEqual(answer.cited, [thread.id])
  assert.match(answer.output, /two euros/)
  assert.deepEqual(await search(app, 'herons guard pond'), [])

  pass(hour)
  peer.edit('C012AB3CD', reply, 'Geese pay five euros a day.')
  peer.remove('C012AB3CD', swans)
  say('Grebes dance in spring.', 1)
  const second = await syncAndWait(app, id)
  assert.deepEqual(second.counts, { added: 1, changed: 1, unchanged: 1, deleted: 1, failed: 0 })
  assert.deepEqual(await search(app, 'swans permission mayor'), [])
  assert.equal((await search(app, 'grebes dance')).length, 1)
  const later = await askAbout(app, first.collectionId, 'How much do geese pay a day?')
  assert.match(later.output, /five euros/)
})

test('a token that Slack refuses with status 200 is renewed in the middle of a sync, and a dead one says so', async t => {
  const { app, peer, oauth, connected, now } = await start(t)
  peer.add('C012AB3CD', 'general')
  for (let index = 1; index < 5; index++) {
    peer.say('C012AB3CD', `Message ${index}`, { atMs: now() - index * day })
  }
  const id = await connected('slack')
  let renewsFrom: number | null = null
  peer.interrupt = ({ path, query }) => {
    const isFetch = path.endsWith('.history') && query.get('latest')?.includes('.') === true
    if (isFetch && renewsFrom === null) {
      const old = oauth.issued.length
      renewsFrom = old
      peer.accepts = token => oauth.issued.indexOf(token) >= old
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
  assert.equal((await syncedDocuments(app, failed.collectionId)).size, 4)
})

test('a pause that Slack asks for is kept, and the sync goes on where it was', async t => {
  const { app, peer, connected, now } = await start(t)
  peer.maxPageRows = 2
  peer.add('C012AB3CD', 'general')
  for (let index = 1; index < 6; index++) {
    peer.say('C012AB3CD', `Message ${index}`, { atMs: now() - index * day })
  }
  const id = await connected('slack')
  peer.interrupt = interruptTimes(1, tooManyRequests(1, { ok: false, error: 'ratelimited' }), ({ query }) =>
    query.has('cursor'),
  )
  const sync = await syncAndWait(app, id)
  assert.deepEqual([sync.status, sync.counts.added], ['succeeded', 5])
})
