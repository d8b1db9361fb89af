/** A peer that answers as Slack's Web API does, of channels that the test fills, changes and empties. */
import type { TestContext } from 'node:test'
import { type LoopbackPeer, type PeerReply, type PeerRequest, startLoopbackPeer } from './loopback-peer.ts'
import {
  channelPayload,
  isDirect,
  matchPayload,
  messagePayload,
  type StoredChannel,
  type StoredMessage,
  team,
  userPayload,
} from './slack-payloads.ts'

export type SlackPeer = LoopbackPeer & {
  /** The only token that is accepted, unless a test says otherwise. */
  token: string
  accepts(token: string): boolean
  channels: StoredChannel[]
  /** Names by the ids of people. */
  people: Map<string, string>
  /** Milliseconds since 1970, at which messages are written unless they say otherwise. */
  now(): number
  /** Rows a page at most, whatever is asked for. */
  maxPageRows: number
  add(id: string, name: string, about?: Partial<StoredChannel>): StoredChannel
  /** Writes a message, and answers its `ts`. */
  say(channelId: string, text: string, about?: Partial<StoredMessage> & { atMs?: number }): string
  edit(channelId: string, ts: string, text: string): void
  /** The first message of a thread stays as a tombstone while it has replies. */
  remove(channelId: string, ts: string): void
  /** What was written over the API. */
  posted: { channel: string; text: string; thread_ts?: string }[]
}

/** Stops with the test. */
export async function startSlackPeer(t: TestContext): Promise<SlackPeer> {
  const loopback = await startLoopbackPeer(t, request => answer(peer, request))
  let written = 0
  const peer: SlackPeer = Object.assign(loopback, {
    token: 'xoxp-token',
    accepts: (token: string) => token === peer.token,
    channels: [],
    people: new Map([
      ['U012AB3CDE', 'Egon Spengler'],
      ['U061F7AUR', 'Glinda Southgood'],
    ]),
    now: Date.now,
    maxPageRows: 999,
    posted: [],
    add(id: string, name: string, about: Partial<StoredChannel> = {}) {
      const channel = {
        id,
        name,
        isPrivate: false,
        isMember: true,
        isArchived: false,
        messages: [],
        ...about,
      }
      peer.channels.push(channel)
      return channel
    },
    say(
      channelId: string,
      text: string,
      { atMs = peer.now(), ...about }: Partial<StoredMessage> & { atMs?: number } = {},
    ) {
      written += 1
      const ts = `${Math.floor(atMs / 1_000)}.${String(written).padStart(6, '0')}`
      const { messages } = channelOf(peer, channelId)
      messages.push({ ts, user: 'U012AB3CDE', text, ...about })
      messages.sort((a, b) => Number(a.ts) - Number(b.ts))
      return ts
    },
    edit(channelId: string, ts: string, text: string) {
      const message = channelOf(peer, channelId).messages.find(one => one.ts === ts)
      if (message === undefined) throw new Error(`There is no message ${ts}`)
      const editedAt = `${Math.floor(peer.now() / 1_000)}.000000`
      Object.assign(message, { text, edited: { user: message.user, ts: editedAt } })
    },
    remove(channelId: string, ts: string) {
      const channel = channelOf(peer, channelId)
      const hasReplies = channel.messages.some(one => one.thread_ts === ts && one.ts !== ts)
      channel.messages = channel.messages.flatMap(one => {
        if (one.ts !== ts) return [one]
        return hasReplies
          ? [
              {
                ts,
                user: 'USLACKBOT',
                text: 'This message was deleted.',
                subtype: 'tombstone',
                thread_ts: ts,
              },
            ]
          : []
      })
    },
  })
  return peer
}

function channelOf(peer: SlackPeer, id: string): StoredChannel {
  const channel = peer.channels.find(one => one.id === id)
  if (channel === undefined) throw new Error(`There is no channel ${id}`)
  return channel
}

/** https://docs.slack.dev/apis/web-api#evaluating-responses: refusals have status 200. */
const refused = (error: string): PeerReply => ({ json: { ok: false, error } })
const good = (fields: object): PeerReply => ({ json: { ok: true, ...fields } })

function answer(peer: SlackPeer, request: PeerRequest): PeerReply {
  const { headers, path, query } = request
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
  if (token === undefined) return refused('not_authed')
  if (!peer.accepts(token)) return refused('invalid_auth')
  const method = path.replace('/api/', '')
  const limit = Number(query.get('limit') ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > 999) return refused('invalid_limit')
  const channel = peer.channels.find(({ id }) => id === query.get('channel'))
  switch (method) {
    // https://docs.slack.dev/reference/methods/auth.test
    case 'auth.test':
      return good(team)
    case 'conversations.list':
      return channels(peer, query, () => true)
    // https://docs.slack.dev/reference/methods/users.conversations
    case 'users.conversations':
      return channels(peer, query, ({ isMember }) => isMember)
    // https://docs.slack.dev/reference/methods/conversations.info
    case 'conversations.info':
      return channel === undefined ? refused('channel_not_found') : good({ channel: channelPayload(channel) })
    case 'conversations.history':
      return channel === undefined ? refused('channel_not_found') : history(peer, channel, query)
    case 'conversations.replies':
      return channel === undefined ? refused('channel_not_found') : replies(peer, channel, query)
    case 'users.info': {
      const id = query.get('user') ?? ''
      const name = peer.people.get(id)
      return name === undefined ? refused('user_not_found') : good({ user: userPayload(id, name) })
    }
    case 'search.messages':
      return search(peer, query)
    case 'chat.postMessage':
      return post(peer, request)
    default:
      return refused('unknown_method')
  }
}

function channels(
  peer: SlackPeer,
  query: URLSearchParams,
  isListed: (channel: StoredChannel) => boolean,
): PeerReply {
  const types = (query.get('types') ?? 'public_channel').split(',')
  const all = peer.channels
    .filter(channel => isListed(channel) && !isDirect(channel.id))
    .filter(({ isPrivate }) => types.includes(isPrivate ? 'private_channel' : 'public_channel'))
    .filter(({ isArchived }) => !isArchived || query.get('exclude_archived') !== 'true')
  return paged(peer, query, all.map(channelPayload), 'channels')
}

/** The messages that are closest to `latest` first; where there is an `oldest` alone, those that are closest to it. */
function history(peer: SlackPeer, channel: StoredChannel, query: URLSearchParams): PeerReply {
  if (!channel.isMember && channel.isPrivate) return refused('not_in_channel')
  const oldest = Number(query.get('oldest') ?? 0)
  const latest = Number(query.get('latest') ?? Number.MAX_SAFE_INTEGER)
  const inclusive = query.get('inclusive') === 'true'
  const within = channel.messages
    .filter(({ ts }) =>
      inclusive ? Number(ts) >= oldest && Number(ts) <= latest : Number(ts) > oldest && Number(ts) < latest,
    )
    .filter(
      ({ thread_ts, ts, subtype }) =>
        thread_ts === undefined || thread_ts === ts || subtype === 'thread_broadcast',
    )
    .map(message => messagePayload(channel, message))
  const isForward = query.has('oldest') && !query.has('latest')
  return paged(peer, query, isForward ? within : within.reverse(), 'messages')
}

/** https://docs.slack.dev/reference/methods/conversations.replies: every page begins with the first message. */
function replies(peer: SlackPeer, channel: StoredChannel, query: URLSearchParams): PeerReply {
  const ts = query.get('ts')
  const first = channel.messages.find(message => message.ts === ts)
  if (first === undefined) return refused('thread_not_found')
  const rest = channel.messages.filter(message => message.thread_ts === ts && message.ts !== ts)
  const page = paged(
    peer,
    query,
    rest.map(message => messagePayload(channel, message)),
    'messages',
  )
  const body = page.json as { messages: object[] }
  return { json: { ...body, messages: [messagePayload(channel, first), ...body.messages] } }
}

function search(peer: SlackPeer, query: URLSearchParams): PeerReply {
  const words = (query.get('query') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return refused('No query passed')
  const matches = peer.channels
    .flatMap(channel => channel.messages.map(message => matchPayload(channel, message)))
    .filter(({ text }) => words.every(word => text.toLowerCase().includes(word)))
    .slice(0, Number(query.get('count') ?? 20))
  return good({ query: query.get('query'), messages: { total: matches.length, matches } })
}

/** https://docs.slack.dev/reference/methods/chat.postMessage */
function post(peer: SlackPeer, { headers, body, method }: PeerRequest): PeerReply {
  if (method !== 'POST' || !/^application\/json; *charset=utf-8$/i.test(headers['content-type'] ?? ''))
    return refused('invalid_form_data')
  const given = JSON.parse(body) as SlackPeer['posted'][number]
  if (!peer.channels.some(({ id }) => id === given.channel)) return refused('channel_not_found')
  peer.posted.push(given)
  const { text, thread_ts } = given
  const ts = peer.say(given.channel, text, {
    user: 'W12345678',
    thread_ts,
  })
  return good({ channel: given.channel, ts, message: { type: 'message', text, ts } })
}

/** https://docs.slack.dev/apis/web-api/pagination: an empty cursor on the last page; fewer rows than asked for may come. */
function paged(peer: SlackPeer, query: URLSearchParams, rows: object[], name: string): PeerReply {
  const size = Math.min(Number(query.get('limit') ?? 100), peer.maxPageRows)
  const cursor = query.get('cursor')
  const start = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('next:', ''))
  if (Number.isNaN(start)) return refused('invalid_cursor')
  const end = start + size
  const isLast = end >= rows.length
  return good({
    [name]: rows.slice(start, end),
    has_more: name === 'messages' ? !isLast : undefined,
    response_metadata: { next_cursor: isLast ? '' : Buffer.from(`next:${end}`).toString('base64') },
  })
}
