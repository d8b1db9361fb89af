/** From one page of a list to the next, in whichever way the API has them. */
import { fingerprint } from '../fingerprint.ts'
import { addressOf, isBelowBase, misfit, type Reply, textAt, valueAt } from './api.ts'
import type { HttpConfig, ListSettings } from './settings.ts'

/** Where a listing stands: what it asks for, and what it has seen. */
export type Place = {
  /** The page number, the offset, the cursor, or the address of the next page; null at the beginning. */
  at: string | null
  /** Items on the pages before. */
  count: number
  /** Of the items before: an API that does not know the parameter answers the same ones for ever. */
  seen: string | null
  /** The latest time of change that was met, in milliseconds since 1970. */
  latest: number | null
}

export const beginning = (since: string | null): Place => ({
  ...{ at: null, count: 0, seen: null, latest: since === null ? null : Number(since) },
})

export function pageAddress(
  config: HttpConfig,
  list: ListSettings,
  since: string | null,
  { at }: Place,
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

/** Whatever changed in the very second of the last listing is asked for again. */
const overlapMs = 60_000

function sinceText(format: 'iso' | 'seconds' | 'milliseconds', ms: number): string {
  if (format === 'iso') return new Date(ms).toISOString()
  return String(format === 'seconds' ? Math.floor(ms / 1_000) : ms)
}

/** Null after the last page. Throws where the pages go round. */
export function nextPlace(
  config: HttpConfig,
  list: ListSettings,
  place: Place,
  { json, next }: Reply,
  { items, url, latest }: { items: readonly unknown[]; url: URL; latest: number | null },
): Place | null {
  const { more, total } = list.paging
  const count = place.count + items.length
  const isAll = total !== undefined && count >= Number(valueAt(json, total))
  if (isAll || (more !== undefined && valueAt(json, more) !== true)) return null
  const at = nextAt(config, list, place, { json, next, items, url })
  if (at === null) return null
  const seen = fingerprint(items)
  if (at === place.at || (items.length > 0 && seen === place.seen)) {
    throw misfit('list.paging', `${url.pathname} answers the same page again and again`)
  }
  return { at, count, seen, latest }
}

type Answer = Reply & { items: readonly unknown[]; url: URL }

function nextAt(config: HttpConfig, list: ListSettings, { at }: Place, answer: Answer): string | null {
  const { paging } = list
  const { items, json } = answer
  const isLast = items.length === 0 || (paging.size !== undefined && items.length < paging.size)
  switch (paging.kind) {
    case 'none':
      return null
    case 'page':
      return isLast ? null : String(Number(at ?? paging.first) + 1)
    case 'offset':
      return isLast ? null : String(Number(at ?? 0) + items.length)
    case 'cursor':
      return textAt(json, paging.pointer)
    case 'next':
      return nextAddress(config, valueAt(json, paging.pointer ?? ''), answer.url)
    case 'link':
      return nextAddress(config, answer.next, answer.url)
  }
}

/** The credentials go along, so it has to be the API's own. */
function nextAddress(config: HttpConfig, next: unknown, url: URL): string | null {
  if (typeof next !== 'string' || next === '') return null
  const address = URL.parse(next, url.href)
  if (address === null || !isBelowBase(config, address)) {
    throw misfit('list.paging', `${url.pathname} names a next page that is not below the base address`)
  }
  return address.href
}
