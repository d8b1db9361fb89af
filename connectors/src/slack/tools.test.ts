import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startSlackPeer } from '../../../server/src/testing/peers/slack.ts'
import { openContext } from '../testing/run-source.ts'
import { slack } from './connector.ts'
import type { Settings } from './settings.ts'

const atMs = Date.parse('2026-03-10T12:00:00Z')

/** What the answers have that is looked at. */
type Answer = { messages?: { text: string; author: string; ts: string }[]; channels?: unknown; url?: string }

async function start(t: TestContext, config: Settings = {}) {
  const peer = await startSlackPeer(t)
  const context = openContext(slack, {
    config,
    credentials: { kind: 'oauth2', accessToken: peer.token },
    peers: { 'https://slack.com': peer.origin },
  })
  peer.add('C012AB3CD', 'general')
  peer.add('C061EG9T2', 'random')
  peer.add('G0PRIVATE', 'leads', { isPrivate: true })
  peer.add('D0DIRECT', '')
  const call = async (name: string, input: Record<string, unknown>) => {
    const tool = slack.tools?.find(one => one.name === name)
    assert.ok(tool)
    return (await tool.run(context, input)) as Answer
  }
  return { peer, call }
}

test('messages are found, threads and channels read, and channels listed', async t => {
  const { peer, call } = await start(t)
  const ts = peer.say('C012AB3CD', 'The printer smokes, <@U061F7AUR>', { atMs })
  peer.say('C012AB3CD', 'Pull the plug', { atMs: atMs + 1_000, user: 'U061F7AUR', thread_ts: ts })
  const found = await call('search_messages', { query: 'printer' })
  assert.deepEqual(found.messages, [
    {
      channel: 'C012AB3CD',
      channelName: 'general',
      ts,
      author: 'Egon Spengler',
      text: 'The printer smokes, @Glinda Southgood',
      url: `https://subarachnoid.slack.com/archives/C012AB3CD/p${ts.replace('.', '')}`,
    },
  ])
  const thread = await call('read_thread', { channel: 'C012AB3CD', ts })
  assert.deepEqual(
    thread.messages?.map(({ author, text }) => [author, text]),
    [
      ['Egon Spengler', 'The printer smokes, @Glinda Southgood'],
      ['Glinda Southgood', 'Pull the plug'],
    ],
  )
  const latest = await call('read_channel', { channel: 'C012AB3CD', limit: 5 })
  assert.equal(latest.messages?.length, 1)
  assert.deepEqual(await call('list_channels', {}), {
    channels: [
      { id: 'C012AB3CD', name: 'general', isPrivate: false },
      { id: 'C061EG9T2', name: 'random', isPrivate: false },
    ],
  })
})

test('a message is posted into a channel or a thread, and this alone changes something', async t => {
  const { peer, call } = await start(t)
  const ts = peer.say('C012AB3CD', 'Anybody?', { atMs })
  const { url } = await call('post_message', { channel: 'C012AB3CD', text: 'Me', threadTs: ts })
  assert.match(url ?? '', /archives\/C012AB3CD\/p\d+$/)
  assert.deepEqual(peer.posted, [{ channel: 'C012AB3CD', text: 'Me', thread_ts: ts }])
  assert.deepEqual(
    slack.tools?.filter(({ changes }) => changes).map(({ name }) => name),
    ['post_message'],
  )
})

test('private channels, direct messages and channels that config leaves out are not reached, whatever is asked', async t => {
  const { peer, call } = await start(t, { channels: ['general'] })
  for (const { id } of [...peer.channels]) peer.say(id, 'The plan', { atMs })
  const { messages } = await call('search_messages', { query: 'plan' })
  assert.equal(messages?.length, 1)
  const ts = peer.channels[2]?.messages[0]?.ts ?? ''
  for (const channel of ['C061EG9T2', 'G0PRIVATE', 'D0DIRECT']) {
    for (const [name, input] of [
      ['read_thread', { channel, ts }],
      ['read_channel', { channel }],
      ['post_message', { channel, text: 'x' }],
    ] as const) {
      await assert.rejects(
        call(name, input),
        /does not belong to this connection|refused/,
        `${name} ${channel}`,
      )
    }
  }
  assert.deepEqual(peer.posted, [])
})

test('what a search finds in a direct message is not shown, also where the reply does not call it one', async t => {
  const { peer, call } = await start(t)
  const match = (id: string) => ({
    channel: { id, name: 'U061F7AUR' },
    ts: '1700000000.000100',
    text: 'The plan',
    user: 'U061F7AUR',
    permalink: `https://subarachnoid.slack.com/archives/${id}/p1`,
  })
  peer.interrupt = ({ path }) =>
    path.endsWith('search.messages')
      ? { json: { ok: true, messages: { matches: [match('D0DIRECT'), match('C012AB3CD')] } } }
      : null
  const { messages } = await call('search_messages', { query: 'plan' })
  assert.deepEqual(
    messages?.map(message => 'channel' in message && message.channel),
    ['C012AB3CD'],
  )
})
