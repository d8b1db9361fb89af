/** Slack's messages as Markdown, with people and channels by their names. */
import type { Context } from '../connector.ts'
import { HttpFailure } from '../http.ts'
import { ask, type Message } from './api.ts'
import type { Settings } from './settings.ts'

/** Messages of people and programs. The other subtypes report joins, leaves, topics and the like. */
const saidSubtypes: readonly (string | undefined)[] = [
  ...[undefined, 'bot_message', 'me_message', 'file_share', 'thread_broadcast', 'document_mention'],
  // Stands for the first message of a thread that was deleted while its replies stay.
  'tombstone',
]

export const isSaid = ({ subtype }: Message): boolean => saidSubtypes.includes(subtype)

export const isThread = (message: Message): boolean =>
  isSaid(message) && (message.reply_count ?? 0) > 0 && (message.thread_ts ?? message.ts) === message.ts

/** Whether a message is in no thread. A reply that is also shown in the channel belongs to its thread. */
export const isLoose = (message: Message): boolean =>
  isSaid(message) &&
  !isThread(message) &&
  message.subtype !== 'thread_broadcast' &&
  message.subtype !== 'tombstone' &&
  (message.thread_ts === undefined || message.thread_ts === message.ts)

/** Looks up a person's name by the user id. */
export type Names = (userId: string) => Promise<string>

/** Kept as long as the context, since one person is in many messages. */
const knownNames = new WeakMap<object, Map<string, Promise<string>>>()

export function namesOf(context: Context<Settings>): Names {
  const names = knownNames.get(context.http) ?? new Map<string, Promise<string>>()
  knownNames.set(context.http, names)
  return id => {
    const name = names.get(id) ?? readName(context, id)
    names.set(id, name)
    // A failed call is not cached: the next caller asks again.
    name.catch(() => names.delete(id))
    return name
  }
}

type User = { name?: string; real_name?: string; profile?: { display_name?: string; real_name?: string } }

async function readName(context: Context<Settings>, id: string): Promise<string> {
  try {
    const { user } = await ask<{ user: User }>(context, 'users.info', { user: id })
    return user.profile?.real_name || user.real_name || user.profile?.display_name || user.name || id
  } catch (error) {
    // People of other organisations may be unknown, or the grant does not reach them.
    if (error instanceof HttpFailure && (error.kind === 'missing' || error.kind === 'forbidden')) return id
    throw error
  }
}

export async function authorOf(message: Message, names: Names): Promise<string> {
  if (message.subtype === 'tombstone') return 'Deleted'
  if (message.user !== undefined) return await names(message.user)
  return message.username ?? message.bot_id ?? 'Unknown'
}

export async function messageMarkdown(message: Message, names: Names): Promise<string> {
  const time = new Date(Number(message.ts) * 1_000).toISOString()
  const files = message.files?.map(file => `[File: ${file.title || file.name || 'unnamed'}]`) ?? []
  const quoted = message.attachments?.flatMap(({ title, text, fallback }) => {
    const said = [title, text || fallback].filter(part => part).join(': ')
    return said === '' ? [] : [`> ${said.replaceAll('\n', '\n> ')}`]
  })
  const parts = [message.text ?? '', ...(quoted ?? []), ...files].filter(part => part !== '')
  const text = await plainText(parts.join('\n\n'), names)
  return `**${await authorOf(message, names)}**, ${time.slice(0, 10)} ${time.slice(11, 16)} UTC\n\n${text}`
}

/**
 * https://docs.slack.dev/messaging/formatting-message-text: `<@U1>`, `<#C1|general>`, `<!here>`, `<https://…|text>`.
 * No mark holds another mark, since Slack writes `<` as `&lt;`. So the search for the end of a mark stops at the next
 * `<`.
 */
export async function plainText(text: string, names: Names): Promise<string> {
  const ids = [...new Set([...text.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, id = '']) => id))]
  const people = new Map(await Promise.all(ids.map(async id => [id, await names(id)] as const)))
  return text
    .replace(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g, (_, id: string) => `@${people.get(id) ?? id}`)
    .replace(/<#([A-Z0-9]+)(?:\|([^<>]*))?>/g, (_, id: string, name?: string) => `#${name || id}`)
    .replace(/<!(?:subteam\^[A-Z0-9]+\|@?|date\^[^|<>]*\|)([^<>]*)>/g, (_, shown: string) => shown)
    .replace(/<!(here|channel|everyone)(?:\|[^<>]*)?>/g, (_, group: string) => `@${group}`)
    .replace(
      /<((?:https?|mailto|tel):[^|<>]+)\|([^<>]+)>/g,
      (_, address: string, shown: string) => `[${shown}](${address})`,
    )
    .replace(/<((?:https?|mailto|tel):[^|<>]+)>/g, (_, address: string) => address)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
