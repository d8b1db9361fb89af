/** Lists channels one after another. Each thread is a document, and the other messages of a day are one document. */
import type { Context, Item, Listing, Source } from '../connector.ts'
import { fingerprint } from '../fingerprint.ts'
import { ask, type Cursored, type Message, nextCursor } from './api.ts'
import { channelsOf, readChannel } from './channels.ts'
import { type DocumentData, fetchDocument } from './documents.ts'
import { isLoose, isThread } from './messages.ts'
import {
  dayOf,
  daysAgo,
  daysBetween,
  decodeKnown,
  decodePosition,
  encodeKnown,
  encodePosition,
  type Known,
  type Position,
  startOfDay,
  threadsIn,
  withHere,
  withThreads,
} from './position.ts'
import { type Settings, usualHistoryDays, usualLookBackDays } from './settings.ts'

const pageSize = 200
const hourSeconds = 3_600

// `removed` names only what is gone within the look-back time. Only a listing of everything finds older removals.
export const source: Source<Settings> = {
  removals: 'absence',
  list,
  fetch: async (context, { data }) => await fetchDocument(context, data as DocumentData),
}

async function list(
  context: Context<Settings>,
  { since, page }: { since: string | null; page: string | null },
): Promise<Listing> {
  const known = since === null ? null : decodeKnown(since)
  const startOver: Listing = { items: [], nextPage: null, startOver: true }
  if (since !== null && known === null) return startOver
  const at = Math.floor(context.now() / 1_000)
  const position = page === null ? await begin(context, at) : decodePosition(page)
  if (position === null) {
    return known?.channels.size ? startOver : { items: [], nextPage: null, since: encodeKnown(at, '') }
  }
  const before = known?.channels.get(position.here.id)
  // Every document names its readers, so a changed visibility affects all documents.
  if (before !== undefined && before.isPrivate !== position.here.isPrivate) return startOver

  const step = await readPage(context, position, before === undefined ? null : known)
  if (step.next !== null) return { ...step.listing, nextPage: encodePosition(step.next) }
  const threads = threadsIn(step.end.threads)
  const gone = before?.threads?.filter(
    ts => isWithin(context, position, ts) && threads?.includes(ts) === false,
  )
  const removed = [...step.listing.removed, ...(gone ?? []).map(ts => threadId(position.here.id, ts))]
  const done = withHere(step.end)
  const next = await enter(context, position.queue, position.at, done)
  if (typeof next !== 'string') return { ...step.listing, removed, nextPage: encodePosition(next) }
  const now = decodeKnown(encodeKnown(position.at, next))
  if ([...(known?.channels.keys() ?? [])].some(id => !now?.channels.has(id))) return startOver
  return { ...step.listing, removed, nextPage: null, since: encodeKnown(position.at, next) }
}

/** Null if the connection has no channel. */
async function begin(context: Context<Settings>, at: number): Promise<Position | null> {
  const channels = await channelsOf(context)
  const [first, ...rest] = channels
  return first === undefined
    ? null
    : positionAt(
        first,
        rest.map(({ id }) => id),
        at,
        '',
      )
}

/** The beginning of the next channel; after the last one, the encoded states of all channels. */
async function enter(context: Context<Settings>, queue: string[], at: number, done: string) {
  for (const [index, id] of queue.entries()) {
    const channel = await readChannel(context, id)
    if (channel !== null) return positionAt(channel, queue.slice(index + 1), at, done)
  }
  return done
}

const positionAt = (here: Position['here'], queue: string[], at: number, done: string): Position => ({
  here,
  queue,
  at,
  done,
  cursor: null,
  day: null,
  threads: '',
})

type Step = {
  listing: { items: Item[]; removed: string[] }
  /** Null if the channel is done. */
  next: Position | null
  end: Position
}

/** Reads one page of a channel's messages, the latest first. `known` is null if all messages are wanted. */
async function readPage(context: Context<Settings>, position: Position, known: Known | null): Promise<Step> {
  const { here, at } = position
  const from = oldestDay(context, position, known)
  const history = await ask<{ messages: Message[] } & Cursored>(context, 'conversations.history', {
    channel: here.id,
    oldest: String(startOfDay(from)),
    // Without `latest`, the messages closest to `oldest` come first. The extra hour is for clocks that differ.
    latest: String(at + hourSeconds),
    inclusive: true,
    limit: pageSize,
    cursor: position.cursor ?? undefined,
  })
  const messages = [...history.messages].sort((a, b) => Number(b.ts) - Number(a.ts))
  const items = messages.filter(isThread).map(message => threadItem(context, position, message))
  const removed: string[] = []
  const within = messages.filter(message => isThread(message) && isWithin(context, position, message.ts))
  const threads = withThreads(
    position,
    within.map(({ ts }) => ts),
  )
  let { day } = position
  const close = (next: string) => {
    if (day !== null) items.push(dayItem(position, day))
    // Today may have no messages either.
    const first = day?.name ?? daysAgo(at, -1)
    if (known !== null) removed.push(...daysBetween(next, first).map(name => dayId(here.id, name)))
  }
  for (const message of messages.filter(isLoose)) {
    const name = dayOf(Number(message.ts))
    if (day?.name !== name) {
      close(name)
      day = { name, print: '' }
    }
    day = { name, print: fingerprint([day.print, ...printed(message)]) }
  }
  const cursor = nextCursor(history)
  const next = cursor === null ? null : { ...position, cursor, day, threads }
  if (next === null) close(daysAgo(startOfDay(from), 1))
  return { listing: { items, removed }, next, end: { ...position, threads } }
}

function oldestDay({ config }: Context<Settings>, { at }: Position, known: Known | null): string {
  const kept = daysAgo(at, config.historyDays ?? usualHistoryDays)
  const lookedBack = known === null ? kept : daysAgo(known.at, config.lookBackDays ?? usualLookBackDays)
  return kept > lookedBack ? kept : lookedBack
}

/** Whether `ts` is in the time that every later sync looks back on. */
const isWithin = ({ config }: Context<Settings>, { at }: Position, ts: string): boolean =>
  Number(ts) >= startOfDay(daysAgo(at, config.lookBackDays ?? usualLookBackDays))

function threadItem(context: Context<Settings>, position: Position, message: Message): Item {
  const { here, at } = position
  const latest = message.latest_reply ?? message.ts
  const isAlive = isWithin(context, position, latest)
  const data: DocumentData = { kind: 'thread', channel: here, ts: message.ts }
  return {
    id: threadId(here.id, message.ts),
    title: `#${here.name}, thread of ${dayOf(Number(message.ts))}`,
    version: fingerprint([
      ...printed(message),
      message.reply_count,
      latest,
      // Slack does not report edited replies, so a recent thread is read again each hour.
      isAlive ? Math.floor(at / hourSeconds) : null,
      here,
    ]),
    data,
  }
}

function dayItem({ here }: Position, day: { name: string; print: string }): Item {
  const data: DocumentData = { kind: 'day', channel: here, day: day.name }
  return {
    id: dayId(here.id, day.name),
    title: `#${here.name}, ${day.name}`,
    version: fingerprint([day.print, here]),
    data,
  }
}

/** The fields of a message that its document shows. */
const printed = ({ ts, edited, user, username, text, files, attachments }: Message): unknown[] => [
  ...[ts, edited?.ts, user, username, text],
  files?.map(({ name, title }) => [name, title]),
  attachments?.map(attachment => [attachment.title, attachment.text, attachment.fallback]),
]

const threadId = (channel: string, ts: string): string => `channel-${channel}/thread-${ts}`
const dayId = (channel: string, day: string): string => `channel-${channel}/day-${day}`
