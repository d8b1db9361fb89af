/** Identifiers: a prefix that names the kind, then 26 characters that sort by the time of creation (ULID). */
import { randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'

/** Every kind of record that has an id of its own, with the prefix that its ids carry. */
export const idPrefixes = {
  account: 'acc',
  agent: 'agt',
  app: 'app',
  auditEntry: 'aud',
  blob: 'blb',
  browserToken: 'bto',
  chunk: 'chk',
  collection: 'col',
  connection: 'con',
  connectionSync: 'csy',
  conversation: 'cnv',
  document: 'doc',
  event: 'evt',
  import: 'imp',
  invitation: 'inv',
  job: 'job',
  key: 'key',
  member: 'mem',
  modelProvider: 'mpr',
  openAiConversation: 'conv',
  opening: 'opn',
  request: 'req',
  revision: 'rev',
  run: 'run',
  schedule: 'sch',
  session: 'ses',
  sync: 'syn',
  team: 'team',
  trigger: 'trg',
  twoFactor: 'tfa',
  upload: 'upl',
  user: 'usr',
  verification: 'ver',
  webhook: 'whk',
  webhookDelivery: 'whd',
  workspace: 'wsp',
} as const

export type IdKind = keyof typeof idPrefixes

/** Makes a new id of a kind; ids of one process never repeat and sort in the order in which they were made. */
export type NewId = (kind: IdKind) => string

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 10
const randomLength = 16
/** The randomness of so many ids is fetched at once: a fetch costs more than an id. */
const idsAtOnce = 256

/** The form of every id. A path parameter that does not match names nothing. */
export const idPattern = /^[a-z]{3,4}_[0-9a-hjkmnp-tv-z]{26}$/

export function createIds(clock: Clock): NewId {
  let lastMs = 0
  let time = ''
  let tail: number[] = []
  const pool = Buffer.alloc(randomLength * idsAtOnce)
  let used = pool.length
  const randomTail = (): number[] => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const tail: number[] = []
    for (const end = used + randomLength; used < end; used++) tail.push((pool[used] ?? 0) & 31)
    return tail
  }
  return kind => {
    const nowMs = clock()
    if (nowMs > lastMs) {
      lastMs = nowMs
      time = encodeTime(nowMs)
      tail = randomTail()
    } else {
      increment(tail)
    }
    let id = `${idPrefixes[kind]}_${time}`
    for (const digit of tail) id += alphabet[digit]
    return id
  }
}

/** When an id was made, in milliseconds since the Unix epoch. */
export function timeOf(id: string): number {
  const digits = id.slice(id.indexOf('_') + 1, -randomLength)
  return Array.from(digits).reduce((ms, digit) => ms * 32 + alphabet.indexOf(digit), 0)
}

/** Sorts before every id of the kind that was made at that instant or later. */
export const firstIdAt = (kind: IdKind, ms: number): string =>
  `${idPrefixes[kind]}_${encodeTime(Math.max(0, ms))}${'0'.repeat(randomLength)}`

function encodeTime(ms: number): string {
  let text = ''
  let rest = ms
  for (let i = 0; i < timeLength; i++) {
    text = alphabet[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

function increment(digits: number[]): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    const digit = digits[i] ?? 0
    if (digit < 31) {
      digits[i] = digit + 1
      return
    }
    digits[i] = 0
  }
}
