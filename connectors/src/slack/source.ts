/** What channels hold, one after another: each thread is a document, and the other messages of each day are one. */
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
  decodePlace,
  encodeKnown,
  encodePlace,
  type Known,
  type Place,
  startOfDay,
  threadsIn,
  withHere,
  withThreads,
} from './place.ts'
import { type Settings, usualHistoryDays, usualLookBackDays } from './settings.ts'

const pageSize = 200
const hourSeconds = 3_600

// Within the time that is looked back on, `removed` tells; what is older goes unnoticed but by a listing of everything.
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
  const place = page === null ? await begin(context, at) : decodePlace(page)
  if (place === null) {
    return known?.channels.size ? startOver : { items: [], nextPage: null, since: encodeKnown(at, '') }
  }
  const before = known?.channels.get(place.here.id)
  // Who may read it stands in every document.
  if (before !== undefined && before.isPrivate !== place.here.isPrivate) return startOver

  const step = await readPage(context, place, before === undefined ? null : known)
  if (step.next !== null) return { ...step.listing, nextPage: encodePlace(step.next) }
  const threads = threadsIn(step.end.threads)
  const gone = before?.threads?.filter(ts => isWithin(context, place, ts) && threads?.includes(ts) === false)
  const removed = [...step.listing.removed, ...(gone ?? []).map(ts => threadId(place.here.id, ts))]
  const done = withHere(step.end)
  const next = await enter(context, place.queue, place.at, done)
  if (typeof next !== 'string') return { ...step.listing, removed, nextPage: encodePlace(next) }
  const now = decodeKnown(encodeKnown(place.at, next))
  if ([...(known?.channels.keys() ?? [])].some(id => !now?.channels.has(id))) return startOver
  return { ...step.listing, removed, nextPage: null, since: encodeKnown(place.at, next) }
}

/** Null where there is no channel at all. */
async function begin(context: Context<Settings>, at: number): Promise<Place | null> {
  const channels = await channelsOf(context)
  const [first, ...rest] = channels
  return first === undefined
    ? null
    : placeAt(
        first,
        rest.map(({ id }) => id),
        at,
        '',
      )
}

/** The beginning of the next channel; after the last one, the states of all. */
async function enter(
  context: Context<Settings>,
  queue: string[],
  at: number,
  done: string,
): Promise<Place | string> {
  for (const [index, id] of queue.entries()) {
    const channel = await readChannel(context, id)
    if (channel !== null) return placeAt(channel, queue.slice(index + 1), at, done)
  }
  return done
}

const placeAt = (here: Place['here'], queue: string[], at: number, done: string): Place => ({
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
  /** Null where the channel is done. */
  next: Place | null
  end: Place
}

/** One page of a channel's messages, the latest first; `known` is null where all of them are wanted. */
async function readPage(context: Context<Settings>, place: Place, known: Known | null): Promise<Step> {
  const { here, at } = place
  const from = oldestDay(context, place, known)
  const history = await ask<{ messages: Message[] } & Cursored>(context, 'conversations.history', {
    channel: here.id,
    oldest: String(startOfDay(from)),
    // Where it is left out, the messages that are closest to `oldest` come first. Clocks differ.
    latest: String(at + hourSeconds),
    inclusive: true,
    limit: pageSize,
    cursor: place.cursor ?? undefined,
  })
  const messages = [...history.messages].sort((a, b) => Number(b.ts) - Number(a.ts))
  const items = messages.filter(isThread).map(message => threadItem(context, place, message))
  const removed: string[] = []
  const within = messages.filter(message => isThread(message) && isWithin(context, place, message.ts))
  const threads = withThreads(
    place,
    within.map(({ ts }) => ts),
  )
  let { day } = place
  const close = (next: string) => {
    if (day !== null) items.push(dayItem(place, day))
    // Today may be empty, too.
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
  const next = cursor === null ? null : { ...place, cursor, day, threads }
  if (next === null) close(daysAgo(startOfDay(from), 1))
  return { listing: { items, removed }, next, end: { ...place, threads } }
}

function oldestDay({ config }: Context<Settings>, { at }: Place, known: Known | null): string {
  const kept = daysAgo(at, config.historyDays ?? usualHistoryDays)
  const lookedBack = known === null ? kept : daysAgo(known.at, config.lookBackDays ?? usualLookBackDays)
  return kept > lookedBack ? kept : lookedBack
}

/** Is it of the time that every later sync looks back on? */
const isWithin = ({ config }: Context<Settings>, { at }: Place, ts: string): boolean =>
  Number(ts) >= startOfDay(daysAgo(at, config.lookBackDays ?? usualLookBackDays))

function threadItem(context: Context<Settings>, place: Place, message: Message): Item {
  const { here, at } = place
  const latest = message.latest_reply ?? message.ts
  const isAlive = isWithin(context, place, latest)
  const data: DocumentData = { kind: 'thread', channel: here, ts: message.ts }
  return {
    id: threadId(here.id, message.ts),
    title: `#${here.name}, thread of ${dayOf(Number(message.ts))}`,
    version: fingerprint([
      ...printed(message),
      message.reply_count,
      latest,
      // Nothing tells of an edited reply: the thread is read again each hour.
      isAlive ? Math.floor(at / hourSeconds) : null,
      here,
    ]),
    data,
  }
}

function dayItem({ here }: Place, day: { name: string; print: string }): Item {
  const data: DocumentData = { kind: 'day', channel: here, day: day.name }
  return {
    id: dayId(here.id, day.name),
    title: `#${here.name}, ${day.name}`,
    version: fingerprint([day.print, here]),
    data,
  }
}

/** What of a message stands in a document. */
const printed = ({ ts, edited, user, username, text, files, attachments }: Message): unknown[] => [
  ...[ts, edited?.ts, user, username, text],
  files?.map(({ name, title }) => [name, title]),
  attachments?.map(attachment => [attachment.title, attachment.text, attachment.fallback]),
]

const threadId = (channel: string, ts: string): string => `channel-${channel}/thread-${ts}`
const dayId = (channel: string, day: string): string => `channel-${channel}/day-${day}`
