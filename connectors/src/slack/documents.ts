/** A thread, or a channel's messages of one day outside of threads, as one Markdown document. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Content, Context } from '../connector.ts'
import { nullIfMissing } from '../http.ts'
import { ask, askAll, type Message } from './api.ts'
import type { Channel } from './channels.ts'
import { authorOf, isLoose, isSaid, messageMarkdown, type Names, namesOf, plainText } from './messages.ts'
import { startOfDay } from './position.ts'
import type { Settings } from './settings.ts'

export type DocumentData =
  | { kind: 'thread'; channel: Channel; ts: string }
  | { kind: 'day'; channel: Channel; day: string }

const pageSize = 200
const maxMessages = 2_000
const titleCharacters = 80
const daySeconds = 86_400

/** Null if no message is left. */
export async function fetchDocument(context: Context<Settings>, data: DocumentData): Promise<Content | null> {
  const read = data.kind === 'thread' ? readThread(context, data.channel.id, data.ts) : readDay(context, data)
  const { messages, isWhole } = (await read.catch(nullIfMissing)) ?? { messages: [], isWhole: true }
  const [first] = messages
  const last = messages.at(-1)
  // A first message without replies is no thread. It belongs to the document of its day.
  if (first === undefined || last === undefined || (data.kind === 'thread' && messages.length < 2))
    return null
  const names = namesOf(context)
  const { channel } = data
  const title =
    data.kind === 'thread' ? await threadTitle(channel, messages, names) : `#${channel.name}, ${data.day}`
  const said: string[] = []
  for (const message of messages) said.push(await messageMarkdown(message, names))
  if (!isWhole) said.push(`(There are more messages than these ${messages.length}.)`)
  const edits = messages.map(({ ts, edited }) => Math.max(Number(ts), Number(edited?.ts ?? 0)))
  const team = await teamOf(context)
  return {
    body: `# ${title}\n\n${said.join('\n\n')}\n`,
    fileName: data.kind === 'thread' ? `thread-${data.ts}.md` : `${data.day}.md`,
    mediaType: 'text/markdown',
    title,
    metadata: withoutUndefined({
      url: permalink(team, channel.id, first.ts),
      author: data.kind === 'thread' ? await authorOf(first, names) : undefined,
      createdAt: timeOf(Number(first.ts)),
      updatedAt: timeOf(Math.max(...edits)),
      // A public channel is open to everybody in the workspace.
      readers: [`group:${channel.isPrivate ? channel.id : team.team_id}`],
      channel: channel.name,
      kind: data.kind,
    }),
  }
}

type Messages = { messages: Message[]; isWhole: boolean }

/** The first message of a thread and its replies, the oldest first. */
export async function readThread(context: Context<Settings>, channel: string, ts: string): Promise<Messages> {
  const { pages, isWhole } = await askAll<{ messages: Message[] }>(
    context,
    'conversations.replies',
    { channel, ts, limit: pageSize },
    { rowsOf: ({ messages }) => messages, maxRows: maxMessages },
  )
  // Every page begins with the first message again.
  return { messages: inOrder(pages.flatMap(({ messages }) => messages).filter(isSaid)), isWhole }
}

async function readDay(
  context: Context<Settings>,
  { channel, day }: { channel: Channel; day: string },
): Promise<Messages> {
  const from = startOfDay(day)
  const { pages, isWhole } = await askAll<{ messages: Message[] }>(
    context,
    'conversations.history',
    {
      channel: channel.id,
      oldest: String(from),
      latest: `${from + daySeconds - 1}.999999`,
      inclusive: true,
      limit: pageSize,
    },
    { rowsOf: ({ messages }) => messages, maxRows: maxMessages },
  )
  return { messages: inOrder(pages.flatMap(({ messages }) => messages).filter(isLoose)), isWhole }
}

const inOrder = (messages: Message[]): Message[] =>
  [...new Map(messages.map(message => [message.ts, message])).values()].sort(
    (a, b) => Number(a.ts) - Number(b.ts),
  )

async function threadTitle({ name }: Channel, messages: Message[], names: Names): Promise<string> {
  const first = messages.find(({ subtype, text }) => subtype !== 'tombstone' && text) ?? messages[0]
  const text = (await plainText(first?.text ?? '', names)).replaceAll(/\s+/g, ' ').trim()
  const shown = text.length > titleCharacters ? `${text.slice(0, titleCharacters)}…` : text
  return `#${name}: ${shown || 'thread'}`
}

const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString()

type Team = { url: string; team_id: string; team: string; user_id: string; user: string }

const teams = new WeakMap<object, Promise<Team>>()

/** The team is asked for once for each context. */
export function teamOf(context: Context<Settings>): Promise<Team> {
  const team = teams.get(context.http) ?? ask<Team>(context, 'auth.test')
  teams.set(context.http, team)
  // A failed call is not cached: the next caller asks again.
  team.catch(() => teams.delete(context.http))
  return team
}

/** The address that https://docs.slack.dev/reference/methods/chat.getPermalink answers. */
export const permalink = ({ url }: Team, channel: string, ts: string): string =>
  `${url.replace(/\/$/, '')}/archives/${channel}/p${ts.replace('.', '')}`
