/** The channels of a connection: the channels that its config names, or all that the account is a member of. */
import type { Context } from '../connector.ts'
import { HttpFailure, nullIfMissing } from '../http.ts'
import { ask, askAll, type Conversation } from './api.ts'
import { maxChannels, type Settings } from './settings.ts'

/** A channel as the pages of one listing need it. */
export type Channel = { id: string; name: string; isPrivate: boolean }

const pageSize = 500
const maxListed = 5_000

/** The channels that belong to the connection, ordered by id. */
export async function channelsOf(context: Context<Settings>): Promise<Channel[]> {
  const { channels: wanted, privateChannels = false, archivedChannels = false } = context.config
  const types = privateChannels ? 'public_channel,private_channel' : 'public_channel'
  const { pages, isWhole } = await askAll<{ channels: Conversation[] }>(
    context,
    // `users.conversations` lists only the channels that the account is a member of.
    wanted === undefined ? 'users.conversations' : 'conversations.list',
    { types, exclude_archived: !archivedChannels, limit: pageSize },
    { rowsOf: ({ channels }) => channels, maxRows: maxListed },
  )
  const listed = pages.flatMap(({ channels }) => channels)
  const chosen = wanted === undefined ? listed : named(listed, wanted, isWhole)
  if (chosen.length > maxChannels) {
    const what = `The account is a member of more than ${maxChannels} channels`
    const remedy = "name those that are wanted in the connection's config, in `channels`"
    throw new HttpFailure('forbidden', `${what}: ${remedy}`)
  }
  return chosen.map(channelOf).sort((a, b) => (a.id < b.id ? -1 : 1))
}

function named(listed: Conversation[], wanted: string[], isWhole: boolean): Conversation[] {
  return [...new Set(wanted.map(bare))].map(name => {
    const found = listed.find(one => one.id === name || one.name === name)
    if (found !== undefined) return found
    const why = isWhole
      ? 'is not there, is archived or private, or the account does not see it'
      : `is not among the first ${maxListed} channels`
    throw new HttpFailure(
      'missing',
      `The channel ${name} ${why}: correct \`channels\` in the connection's config`,
    )
  })
}

const bare = (name: string): string => name.replace(/^#/, '')

const channelOf = ({ id, name = id, is_private = false }: Conversation): Channel => ({
  id,
  name,
  isPrivate: is_private,
})

/** Null if the channel is gone. */
export async function readChannel(context: Context<Settings>, id: string): Promise<Channel | null> {
  const channel = await readConversation(context, id).catch(nullIfMissing)
  return channel === null ? null : channelOf(channel)
}

async function readConversation(context: Context<Settings>, id: string): Promise<Conversation> {
  const { channel } = await ask<{ channel: Conversation }>(context, 'conversations.info', { channel: id })
  return channel
}

/** For tools: the channel. Throws if the channel does not belong to the connection. */
export async function reachedChannel(context: Context<Settings>, id: string): Promise<Channel> {
  const conversation = await readConversation(context, id)
  if (!isReached(context, conversation)) {
    throw new Error(`The channel ${id} does not belong to this connection`)
  }
  return channelOf(conversation)
}

/** Whether tools may use the conversation. Public channels may be read without being a member. */
export function isReached({ config }: Context<Settings>, conversation: Conversation): boolean {
  const { id, name = id, is_private = false, is_im = false, is_mpim = false } = conversation
  // A search result does not say that it is a direct message, but its id shows it.
  if (!/^[CG]/.test(id) || is_im || is_mpim || (is_private && config.privateChannels !== true)) return false
  return config.channels?.some(wanted => [id, name].includes(bare(wanted))) ?? true
}
