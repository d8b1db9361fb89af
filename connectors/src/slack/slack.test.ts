import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlPage, interruptTimes, tooManyRequests } from '../../../server/src/testing/peers/loopback-peer.ts'
import { isFailure } from '../testing/is-failure.ts'
import { createMirror, listSource, openContext, titlesOf } from '../testing/run-source.ts'
import { contextFor, dayMs, noon, startSlack } from '../testing/start-slack.ts'
import { slack } from './connector.ts'

test('each thread is a document, and so are the other messages of each day, with people and links by name', async t => {
  const { peer, context, mirror } = await startSlack(t)
  peer.add('C012AB3CD', 'general')
  peer.add('C061EG9T2', 'random', { isMember: false })
  peer.add('G0PRIVATE', 'leads', { isPrivate: true })
  const atMs = noon - 3 * dayMs
  const first = peer.say('C012AB3CD', 'Who keeps the <https://example.com/key|key>, <@U061F7AUR>?', { atMs })
  peer.say('C012AB3CD', 'I do &amp; I keep it in <#C061EG9T2|random>', {
    atMs: atMs + 60_000,
    user: 'U061F7AUR',
    thread_ts: first,
    files: [{ id: 'F1', name: 'key.png', title: 'The key' }],
  })
  peer.say('C012AB3CD', '<@U0STRANGER> has joined the channel', { atMs, subtype: 'channel_join' })
  peer.say('C012AB3CD', 'Lunch?', { atMs })
  peer.say('C012AB3CD', 'Yes, <@U0STRANGER>', { atMs: atMs + 1_000 })
  peer.say('C012AB3CD', 'Good morning', { atMs: noon - dayMs })
  peer.say('G0PRIVATE', 'A secret', { atMs })

  assert.deepEqual(await slack.check(context), {
    id: 'T12345678/W12345678',
    name: 'grace (Subarachnoid Workspace)',
  })
  assert.deepEqual(await mirror.sync(), { added: 3, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  const thread = mirror.documents.get(`channel-C012AB3CD/thread-${first}`)
  assert.equal(
    thread?.text,
    `# #general: Who keeps the [key](https://example.com/key), @Glinda Southgood?

**Egon Spengler**, 2026-03-07 12:00 UTC

Who keeps the [key](https://example.com/key), @Glinda Southgood?

**Glinda Southgood**, 2026-03-07 12:01 UTC

I do & I keep it in #random

[File: The key]
`,
  )
  assert.deepEqual(thread.metadata, {
    url: `https://subarachnoid.slack.com/archives/C012AB3CD/p${first.replace('.', '')}`,
    author: 'Egon Spengler',
    createdAt: '2026-03-07T12:00:00.000Z',
    updatedAt: '2026-03-07T12:01:00.000Z',
    readers: ['group:T12345678'],
    channel: 'general',
    kind: 'thread',
  })
  const day = mirror.documents.get('channel-C012AB3CD/day-2026-03-07')
  assert.match(day?.text ?? '', /^# #general, 2026-03-07\n[\s\S]*Lunch\?[\s\S]*Yes, @U0STRANGER\n$/)
  assert.ok(mirror.documents.has('channel-C012AB3CD/day-2026-03-09'))
  assert.equal(peer.requests.filter(({ query }) => query.get('user') === 'U012AB3CDE').length, 1)
})

test('a later sync looks back on some days: what was changed, said and deleted there is found, and no more is read', async t => {
  const { peer, mirror, clock } = await startSlack(t)
  peer.add('C012AB3CD', 'general')
  const say = (text: string, daysAgo: number, about = {}) =>
    peer.say('C012AB3CD', text, { atMs: noon - daysAgo * dayMs, ...about })
  const old = say('Long ago', 30)
  const gone = say('To be deleted', 2)
  const edited = say('Typo', 4)
  const question = say('A question', 3)
  const thread = say('A thread', 5)
  const reply = say('A reply', 5, { thread_ts: thread })
  const vanishing = say('A thread that vanishes', 6)
  const last = say('Its reply', 6, { thread_ts: vanishing })
  await mirror.sync()
  assert.equal(mirror.documents.size, 6)
  assert.deepEqual((await mirror.sync()).unchanged, 5)

  clock.ms += 3_600_000
  peer.remove('C012AB3CD', gone)
  peer.edit('C012AB3CD', edited, 'No typo')
  peer.edit('C012AB3CD', reply, 'A better reply')
  say('An answer', 0, { thread_ts: question })
  peer.remove('C012AB3CD', last)
  peer.remove('C012AB3CD', vanishing)
  peer.edit('C012AB3CD', old, 'Changed long after')
  peer.requests.length = 0
  const counts = await mirror.sync()
  assert.deepEqual(counts, { added: 1, changed: 2, unchanged: 0, deleted: 3, failed: 0 })
  assert.deepEqual(titlesOf(mirror), [
    '#general, 2026-02-08',
    '#general, 2026-03-06',
    '#general: A question',
    '#general: A thread',
  ])
  assert.match(mirror.documents.get('channel-C012AB3CD/day-2026-03-06')?.text ?? '', /No typo/)
  assert.match(mirror.documents.get(`channel-C012AB3CD/thread-${thread}`)?.text ?? '', /A better reply/)
  const oldest = peer.requests.find(({ path }) => path.endsWith('.history'))?.query.get('oldest')
  assert.equal(oldest, String(Date.parse('2026-03-03T00:00:00Z') / 1_000))
  // What is older is found by a listing of everything.
  assert.equal((await mirror.sync({ full: true })).changed, 1)
  assert.match(mirror.documents.get('channel-C012AB3CD/day-2026-02-08')?.text ?? '', /Changed long after/)
})

test('a thread that loses its first message keeps the replies; one that loses all replies belongs to its day again', async t => {
  const { peer, mirror, clock } = await startSlack(t)
  peer.add('C012AB3CD', 'general')
  const [one, two] = ['One', 'Two'].map(text => peer.say('C012AB3CD', text, { atMs: noon - dayMs }))
  const reply = peer.say('C012AB3CD', 'Reply to one', { thread_ts: one ?? '' })
  const other = peer.say('C012AB3CD', 'Reply to two', { thread_ts: two ?? '' })
  clock.ms += 1_000
  assert.equal((await mirror.sync()).added, 2)
  peer.remove('C012AB3CD', one ?? '')
  peer.remove('C012AB3CD', other)
  assert.deepEqual(await mirror.sync(), { added: 1, changed: 1, unchanged: 0, deleted: 1, failed: 0 })
  assert.deepEqual(titlesOf(mirror), ['#general, 2026-03-09', '#general: Reply to one'])
  assert.match(mirror.documents.get(`channel-C012AB3CD/thread-${one}`)?.text ?? '', /\*\*Deleted\*\*/)
  assert.ok(reply)
})

test('pages of whatever size give the same documents with the same versions', async t => {
  const { peer, context } = await startSlack(t)
  peer.add('C012AB3CD', 'general')
  peer.add('C061EG9T2', 'random')
  for (let index = 0; index < 40; index++) {
    const channel = index % 2 === 0 ? 'C012AB3CD' : 'C061EG9T2'
    const ts = peer.say(channel, `Message ${index}`, { atMs: noon - index * dayMs * 0.3 })
    if (index % 7 === 0) peer.say(channel, 'Reply', { atMs: noon - dayMs, thread_ts: ts })
  }
  const whole = await listSource(slack, context)
  const versions = (items: typeof whole.items) => items.map(({ id, version }) => [id, version]).sort()
  for (const rows of [1, 3, 15]) {
    peer.maxPageRows = rows
    const listing = await listSource(slack, context)
    assert.ok(listing.pages >= 38 / rows, `${listing.pages} pages`)
    assert.deepEqual(versions(listing.items), versions(whole.items))
    assert.equal(listing.since, whole.since)
  }
})

test('a long thread is read to its end, page by page, and a day too', async t => {
  const { peer, mirror } = await startSlack(t)
  peer.maxPageRows = 15
  peer.add('C012AB3CD', 'general')
  const first = peer.say('C012AB3CD', 'Start', { atMs: noon - dayMs })
  for (let index = 0; index < 50; index++) {
    peer.say('C012AB3CD', `Reply ${index}.`, { atMs: noon - dayMs + index * 1_000, thread_ts: first })
    peer.say('C012AB3CD', `Loose ${index}.`, { atMs: noon - dayMs + index * 1_000 })
  }
  await mirror.sync()
  const thread = mirror.documents.get(`channel-C012AB3CD/thread-${first}`)?.text ?? ''
  assert.equal(thread.match(/Reply \d+\./g)?.length, 50)
  assert.equal(thread.match(/Start/g)?.length, 2)
  const day = mirror.documents.get('channel-C012AB3CD/day-2026-03-09')?.text ?? ''
  assert.deepEqual(
    day.match(/Loose \d+\./g),
    Array.from({ length: 50 }, (_, index) => `Loose ${index}.`),
  )
})

test('more threads than can be remembered are listed all the same, and what is gone is found by a listing of everything', async t => {
  const { peer, mirror, context, clock } = await startSlack(t)
  for (const id of ['C012AB3CD', 'C061EG9T2']) {
    peer.add(id, id.toLowerCase())
    for (let index = 0; index < 150; index++) {
      const ts = peer.say(id, `Thread ${index}`, { atMs: noon - dayMs + index * 1_000 })
      peer.say(id, 'Reply', { atMs: noon - dayMs + index * 1_000 + 500, thread_ts: ts })
    }
  }
  const { items, since } = await listSource(slack, context)
  assert.equal(items.length, 300)
  assert.ok((since?.length ?? 0) < 4_000)
  await mirror.sync()
  const channel = peer.channels[1]
  assert.ok(channel)
  channel.messages = channel.messages.slice(2)
  clock.ms += 1_000
  assert.equal((await mirror.sync()).deleted, 0)
  assert.equal((await mirror.sync({ full: true })).deleted, 1)
})

test('channels are chosen by name or id, and one that is not there is named together with the field', async t => {
  const { peer, mirror } = await startSlack(t, { channels: ['#general', 'G0PRIVATE'], privateChannels: true })
  peer.add('C012AB3CD', 'general')
  peer.add('C061EG9T2', 'random')
  peer.add('G0PRIVATE', 'leads', { isPrivate: true })
  for (const { id } of peer.channels) peer.say(id, 'Hello', { atMs: noon - dayMs })
  await mirror.sync()
  assert.deepEqual(titlesOf(mirror), ['#general, 2026-03-09', '#leads, 2026-03-09'])
  assert.deepEqual(mirror.documents.get('channel-G0PRIVATE/day-2026-03-09')?.metadata?.readers, [
    'group:G0PRIVATE',
  ])
  await assert.rejects(
    listSource(slack, contextFor(peer, { channels: ['general', 'leads'] })),
    isFailure('missing', /channel leads is not there.*`channels`/),
  )
  for (let index = 0; index < 81; index++) peer.add(`C${100 + index}`, `channel-${index}`)
  await assert.rejects(
    listSource(slack, contextFor(peer, {})),
    isFailure('forbidden', /more than 80 channels.*`channels`/),
  )
})

test('a channel that the account has left, or that has become private, is listed again', async t => {
  const { peer, mirror } = await startSlack(t, { privateChannels: true })
  const general = peer.add('C012AB3CD', 'general')
  const random = peer.add('C061EG9T2', 'random')
  for (const { id } of peer.channels) peer.say(id, 'Hello', { atMs: noon - 40 * dayMs })
  assert.equal((await mirror.sync()).added, 2)
  random.isMember = false
  assert.equal((await mirror.sync()).deleted, 1)
  general.isPrivate = true
  assert.equal((await mirror.sync()).changed, 1)
  assert.deepEqual([...mirror.documents.values()][0]?.metadata?.readers, ['group:C012AB3CD'])
})

test('the documents of a channel go when it is archived, unless archived ones are wanted', async t => {
  const { peer, mirror } = await startSlack(t)
  const keeping = createMirror(slack, contextFor(peer, { archivedChannels: true }))
  peer.add('C012AB3CD', 'general')
  const random = peer.add('C061EG9T2', 'random')
  for (const { id } of peer.channels) peer.say(id, 'Hello', { atMs: noon - dayMs })
  await mirror.sync()
  await keeping.sync()
  random.isArchived = true
  assert.equal((await mirror.sync()).deleted, 1)
  assert.equal((await keeping.sync()).deleted, 0)
})

test('what is older than the config keeps goes with time', async t => {
  const { peer, mirror, clock } = await startSlack(t, { historyDays: 10 })
  peer.add('C012AB3CD', 'general')
  peer.say('C012AB3CD', 'Old', { atMs: noon - 11 * dayMs })
  peer.say('C012AB3CD', 'Younger', { atMs: noon - 9 * dayMs })
  assert.equal((await mirror.sync()).added, 1)
  clock.ms += 3 * dayMs
  assert.equal((await mirror.sync({ full: true })).deleted, 1)
})

test('refusals with status 200 mean what they say: patience, another token, a scope, a channel', async t => {
  const { peer, context, mirror } = await startSlack(t)
  peer.add('C012AB3CD', 'general')
  peer.say('C012AB3CD', 'Hello', { atMs: noon - dayMs })
  const refused = (error: string, more = {}) => ({ json: { ok: false, error, ...more } })
  peer.interrupt = interruptTimes(1, tooManyRequests(30, { ok: false, error: 'ratelimited' }))
  assert.equal((await mirror.sync()).added, 1)
  assert.deepEqual(context.pauses, [30_000])
  peer.interrupt = interruptTimes(1, tooManyRequests(60))
  await assert.rejects(mirror.sync(), isFailure('rate_limited'))
  peer.interrupt = () => refused('token_revoked')
  await assert.rejects(mirror.sync(), isFailure('not_authorized'))
  peer.interrupt = () => refused('missing_scope', { needed: 'groups:read', provided: 'channels:read' })
  await assert.rejects(mirror.sync(), isFailure('forbidden', /scope groups:read is needed/))
  peer.interrupt = ({ path }) => (path.endsWith('.history') ? refused('not_in_channel') : null)
  await assert.rejects(mirror.sync(), isFailure('forbidden', /has to be invited/))
  peer.interrupt = interruptTimes(1, refused('internal_error'))
  assert.equal((await mirror.sync()).unchanged, 1)
  peer.interrupt = () => htmlPage
  await assert.rejects(mirror.sync(), isFailure('unexpected_reply'))
})

test('a token that expires on the way is renewed once, though the refusal has status 200', async t => {
  const { peer } = await startSlack(t)
  peer.add('C012AB3CD', 'general')
  let renewals = 0
  const context = openContext(slack, {
    config: {},
    credentials: { kind: 'oauth2', accessToken: 'xoxe-expired' },
    peers: { 'https://slack.com': peer.origin },
    renew: () => {
      renewals += 1
      return { kind: 'oauth2', accessToken: peer.token }
    },
  })
  await slack.check(context)
  assert.equal(renewals, 1)
})
