/** Goes from one page of a list to the next, in each way of paging that APIs use. */
import { fingerprint } from '../fingerprint.ts'
import { addressOf, isBelowBase, misfit, type Reply, textAt, valueAt } from './api.ts'
import type { HttpConfig, ListSettings, PagingSettings } from './settings.ts'

/** Where a listing stands: what it asks for next, and what it has seen. */
export type Position = {
  /** The page number, the offset, the cursor, or the address of the next page; null at the beginning. */
  at: string | null
  /** The number of items on the pages before. */
  count: number
  /**
   * The fingerprint of the ids on the page before. An API that ignores the paging parameter answers the same ids for
   * ever.
   */
  seen: string | null
  /** The latest time of change so far, in milliseconds since 1970. */
  latest: number | null
  /** True if the page before said that there is more. A page that says nothing is then the last one. */
  saidMore?: boolean
  /** True if the page before may have been the last one. An error or the same items again then only confirm this. */
  mayBeOver?: boolean
}

export const beginning = (since: string | null): Position => ({
  at: null,
  count: 0,
  seen: null,
  latest: since === null ? null : Number(since),
})

export function pageAddress(
  config: HttpConfig,
  list: ListSettings,
  since: string | null,
  { at }: Position,
): URL {
  const { paging } = list
  if (at !== null && (paging.kind === 'next' || paging.kind === 'link')) return new URL(at)
  const address = addressOf(config, list.path)
  const set = (name: string, value: string | number) => address.searchParams.set(name, String(value))
  for (const [name, value] of Object.entries(list.query)) set(name, value)
  if (list.since !== undefined && since !== null)
    set(list.since.parameter, sinceText(list.since.format, Number(since) - overlapMs))
  if (paging.size !== undefined && paging.sizeParameter !== undefined) set(paging.sizeParameter, paging.size)
  const parameter = paging.parameter ?? paging.kind
  if (paging.kind === 'page') set(parameter, at ?? paging.first)
  if (paging.kind === 'offset') set(parameter, at ?? 0)
  if (paging.kind === 'cursor' && at !== null) set(parameter, at)
  return address
}

/** Items that changed within the last minute of what is known are asked for again. */
const overlapMs = 60_000

function sinceText(format: 'iso' | 'seconds' | 'milliseconds', ms: number): string {
  if (format === 'iso') return new Date(ms).toISOString()
  return String(format === 'seconds' ? Math.floor(ms / 1_000) : ms)
}

type Answer = Reply & {
  items: readonly unknown[]
  url: URL
  latest: number | null
  /** Null if everything is listed. Only then does `total` state the number of items to come. */
  since: string | null
}

/** Null after the last page. Throws if the pages repeat, or if there are more items than the settings lead to. */
export function nextPosition(
  config: HttpConfig,
  list: ListSettings,
  position: Position,
  answer: Answer,
): Position | null {
  const { paging } = list
  const { items, json, latest, since, url } = answer
  const says = saysMore(json, paging.more)
  const total = totalIn(json, paging.total)
  if (total !== null && items.length > total) {
    throw misfit(
      'list.paging.total',
      `${url.pathname} has ${items.length} items, and ${total} as their number`,
    )
  }
  const isMissing = (count: number) => says === true || (since === null && total !== null && count < total)
  const seen = fingerprint(items.map(item => textAt(item, list.id)))
  if (items.length > 0 && seen === position.seen) {
    if (isMissing(position.count) || (position.mayBeOver !== true && says !== false)) throw goesRound(url)
    return null
  }
  const count = position.count + items.length
  const isOver = says === false || (says === null && (position.saidMore === true || isAll(count, total)))
  if (isOver) return null
  const at = nextAt(config, list, position, answer)
  if (at === null) {
    // Here only the first page's total counts. Until a later page is read, the number of items may change.
    if (says === true || (position.at === null && isMissing(count))) throw leadsNowhere(paging, says, url)
    return null
  }
  if (at === position.at) {
    if (items.length > 0 || says === true) throw goesRound(url)
    return null
  }
  const isShort = paging.size !== undefined && items.length < paging.size
  const mayBeOver = !isMissing(count) && (isShort || (paging.more !== undefined && says === null))
  return { at, count, seen, latest, saidMore: says === true, mayBeOver }
}

/** Whether the reply says that there is more; null if it says nothing. */
function saysMore(json: unknown, pointer: string | undefined): boolean | null {
  const value = pointer === undefined ? undefined : valueAt(json, pointer)
  if (value === undefined) return null
  if (typeof value === 'string') return !['', '0', 'false', 'no', 'null'].includes(value.trim().toLowerCase())
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
}

/** Null if the reply does not state the total. Some APIs say -1 if they do not know it. */
function totalIn(json: unknown, pointer: string | undefined): number | null {
  const text = textAt(json, pointer)
  const total = text === null ? Number.NaN : Number(text)
  return total >= 0 ? total : null
}

const isAll = (count: number, total: number | null): boolean => total !== null && count >= total

const goesRound = (url: URL) => misfit('list.paging', `${url.pathname} answers the same page again and again`)

function leadsNowhere({ kind, pointer, more, total }: PagingSettings, says: boolean | null, url: URL) {
  const claim = `${url.pathname} says at ${says === true ? more : total} that there is more`
  switch (kind) {
    case 'cursor':
    case 'next':
      return misfit('list.paging.pointer', `${claim}, but has no next page at ${pointer}`)
    case 'link':
      return misfit('list.paging.kind', `${claim}, but has no Link header that names a next page`)
    case 'none':
      return misfit('list.paging.kind', `${claim}, but kind is none`)
    default:
      return misfit(says === true ? 'list.paging.more' : 'list.paging', `${claim}, but the page is empty`)
  }
}

function nextAt(config: HttpConfig, list: ListSettings, { at }: Position, answer: Answer): string | null {
  const { paging } = list
  const { items, json } = answer
  switch (paging.kind) {
    case 'none':
      return null
    // A short page is not always the last page. Some APIs give fewer items than requested, or leave out hidden items.
    case 'page':
      return items.length === 0 ? null : String(Number(at ?? paging.first) + 1)
    case 'offset':
      return items.length === 0 ? null : String(Number(at ?? 0) + items.length)
    case 'cursor':
      return textAt(json, paging.pointer)
    case 'next':
      return nextAddress(config, valueAt(json, paging.pointer ?? ''), answer.url)
    case 'link':
      return nextAddress(config, answer.next, answer.url)
  }
}

/** The credentials are sent along, so the address has to belong to the API. */
function nextAddress(config: HttpConfig, next: unknown, url: URL): string | null {
  if (typeof next !== 'string' || next === '') return null
  const address = URL.parse(next, url.href)
  if (address === null || !isBelowBase(config, address)) {
    throw misfit('list.paging', `${url.pathname} names a next page that is not below the base address`)
  }
  return address.href
}
