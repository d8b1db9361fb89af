/** What agents can do in Slack, within the channels that belong to the connection. */
import type { ConnectorTool, Context } from '../connector.ts'
import { objectSchema } from '../schemas.ts'
import { ask, type Conversation, type Message, tell } from './api.ts'
import { channelsOf, isReached, reachedChannel } from './channels.ts'
import { permalink, readThread, teamOf } from './documents.ts'
import { authorOf, isSaid, namesOf, plainText } from './messages.ts'
import type { Settings } from './settings.ts'

type Tool = ConnectorTool<Settings>

const channel = {
  type: 'string',
  maxLength: 100,
  pattern: '^[CG][A-Z0-9]{2,30}$',
  description: "The channel's id, as list_channels and search_messages answer it.",
}
const timestamp = {
  type: 'string',
  maxLength: 100,
  pattern: '^\\d{1,12}\\.\\d{6}$',
  description: "A message's `ts`.",
}
const found = 20

const listChannels: Tool = {
  name: 'list_channels',
  description: 'Lists the channels that can be read, with their ids.',
  input: objectSchema({}, []),
  changes: false,
  run: async context => ({ channels: await channelsOf(context) }),
}

type Match = Message & { channel: Conversation; permalink: string }

const searchMessages: Tool = {
  name: 'search_messages',
  description:
    'Finds messages by words, the best first. Modifiers of Slack work: `from:@ada`, `in:#general`, `after:2026-01-31`.',
  input: objectSchema({ query: { type: 'string', minLength: 1, maxLength: 500 } }, ['query']),
  changes: false,
  async run(context, input) {
    const { query } = input as { query: string }
    const { messages } = await ask<{ messages: { matches: Match[] } }>(context, 'search.messages', {
      query,
      count: found,
      sort: 'score',
    })
    const names = namesOf(context)
    // Slack searches everything that the person sees, including direct messages.
    const reached = messages.matches.filter(match => isReached(context, match.channel))
    return {
      messages: await Promise.all(
        reached.map(async match => ({
          channel: match.channel.id,
          channelName: match.channel.name,
          ts: match.ts,
          author: match.username || (await authorOf(match, names)),
          text: await plainText(match.text ?? '', names),
          url: match.permalink,
        })),
      ),
    }
  },
}

const readThreadTool: Tool = {
  name: 'read_thread',
  description: 'Reads a message with all replies to it.',
  input: objectSchema({ channel, ts: timestamp }, ['channel', 'ts']),
  changes: false,
  async run(context, input) {
    const { channel: id, ts } = input as { channel: string; ts: string }
    const { name } = await reachedChannel(context, id)
    const { messages, isWhole } = await readThread(context, id, ts)
    const url = permalink(await teamOf(context), id, ts)
    return { channelName: name, url, isWhole, messages: await shown(context, messages) }
  },
}

const readChannelTool: Tool = {
  name: 'read_channel',
  description: 'Reads the latest messages of a channel, without the replies in their threads.',
  input: objectSchema({ channel, limit: { type: 'integer', minimum: 1, maximum: 100 } }, ['channel']),
  changes: false,
  async run(context, input) {
    const { channel: id, limit = found } = input as { channel: string; limit?: number }
    const { name } = await reachedChannel(context, id)
    const { messages } = await ask<{ messages: Message[] }>(context, 'conversations.history', {
      channel: id,
      limit,
    })
    return { channelName: name, messages: await shown(context, messages.filter(isSaid).reverse()) }
  },
}

const postMessage: Tool = {
  name: 'post_message',
  description: 'Writes a message into a channel, or into a thread of it.',
  input: objectSchema(
    {
      channel,
      text: { type: 'string', minLength: 1, maxLength: 10_000 },
      threadTs: { ...timestamp, description: 'The `ts` of the message that is answered.' },
    },
    ['channel', 'text'],
  ),
  changes: true,
  async run(context, input) {
    const { channel: id, text, threadTs } = input as { channel: string; text: string; threadTs?: string }
    await reachedChannel(context, id)
    const { ts } = await tell<{ ts: string }>(context, 'chat.postMessage', {
      channel: id,
      text,
      thread_ts: threadTs,
    })
    return { ts, url: permalink(await teamOf(context), id, ts) }
  },
}

export const tools: readonly Tool[] = [
  listChannels,
  searchMessages,
  readThreadTool,
  readChannelTool,
  postMessage,
]

async function shown(context: Context<Settings>, messages: Message[]) {
  const names = namesOf(context)
  return await Promise.all(
    messages.map(async message => ({
      ts: message.ts,
      author: await authorOf(message, names),
      at: new Date(Number(message.ts) * 1_000).toISOString(),
      text: await plainText(message.text ?? '', names),
      replies: message.reply_count ? message.reply_count : undefined,
    })),
  )
}
