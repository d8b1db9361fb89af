/** What Slack's Web API answers, field by field as its documentation shows it. */

export type StoredMessage = {
  ts: string
  user: string
  text: string
  subtype?: string
  edited?: { user: string; ts: string }
  thread_ts?: string | undefined
  files?: { id: string; name: string; title: string }[]
}

export type StoredChannel = {
  id: string
  name: string
  isPrivate: boolean
  isMember: boolean
  isArchived: boolean
  /** The oldest first. */
  messages: StoredMessage[]
}

/** Messages between two people are a conversation, too. */
export const isDirect = (id: string): boolean => id.startsWith('D')

export const team = {
  url: 'https://subarachnoid.slack.com/',
  team: 'Subarachnoid Workspace',
  user: 'grace',
  team_id: 'T12345678',
  user_id: 'W12345678',
}

/** https://docs.slack.dev/reference/methods/conversations.list */
export const channelPayload = ({ id, name, isPrivate, isMember, isArchived, messages }: StoredChannel) => ({
  id,
  name,
  name_normalized: name,
  is_channel: !isPrivate && !isDirect(id),
  is_group: isPrivate,
  is_im: isDirect(id),
  is_mpim: false,
  is_private: isPrivate,
  is_member: isMember,
  is_archived: isArchived,
  is_general: name === 'general',
  is_shared: false,
  is_ext_shared: false,
  is_org_shared: false,
  is_pending_ext_shared: false,
  pending_shared: [],
  created: 1449252889,
  creator: 'U012A3CDE',
  unlinked: 0,
  num_members: messages.length,
  previous_names: [],
  topic: { value: 'Company-wide announcements and work-based matters', creator: '', last_set: 0 },
  purpose: { value: 'This channel is for team-wide communication.', creator: '', last_set: 0 },
})

/** https://docs.slack.dev/reference/methods/conversations.history; the first of a thread knows of its replies. */
export function messagePayload(channel: StoredChannel, message: StoredMessage) {
  const replies = channel.messages.filter(one => one.thread_ts === message.ts && one.ts !== message.ts)
  const last = replies.at(-1)
  const payload = {
    type: 'message',
    ...message,
    parent_user_id: message.thread_ts !== undefined ? 'U061F7AUR' : undefined,
  }
  if (last === undefined) return payload
  const users = [...new Set(replies.map(({ user }) => user))]
  return {
    ...payload,
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    latest_reply: last.ts,
    reply_users: users,
    is_locked: false,
    subscribed: false,
  }
}

/** https://docs.slack.dev/reference/methods/users.info */
export const userPayload = (id: string, realName: string) => ({
  id,
  team_id: team.team_id,
  name: realName.toLowerCase().replaceAll(' ', '.'),
  deleted: false,
  color: '9f69e7',
  real_name: realName,
  tz: 'America/Los_Angeles',
  tz_label: 'Pacific Daylight Time',
  tz_offset: -25200,
  profile: {
    avatar_hash: 'ge3b51ca72de',
    status_text: 'Print is dead',
    real_name: realName,
    display_name: realName.split(' ')[0],
    real_name_normalized: realName,
    team: team.team_id,
  },
  is_admin: true,
  is_bot: false,
  updated: 1502138686,
})

/** https://docs.slack.dev/reference/methods/search.messages */
export const matchPayload = (
  channel: Pick<StoredChannel, 'id' | 'name' | 'isPrivate'>,
  message: StoredMessage,
) => ({
  iid: 'cb64bdaa-c1e8-4631-8a91-0f78080113e9',
  team: team.team_id,
  channel: {
    id: channel.id,
    name: channel.name,
    is_private: channel.isPrivate,
    is_mpim: false,
    is_im: isDirect(channel.id),
    is_shared: false,
    is_ext_shared: false,
    is_org_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
  },
  type: 'message',
  user: message.user,
  username: '',
  ts: message.ts,
  text: message.text,
  permalink: `${team.url}archives/${channel.id}/p${message.ts.replace('.', '')}`,
})
