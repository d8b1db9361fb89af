/** Requests to the API. All of them go to addresses below its base address. */

import type { Context } from '../connector.ts'
import { HttpFailure } from '../http.ts'
import { withoutTrailing } from '../trim.ts'
import type { HttpConfig } from './settings.ts'

/** The address of a path below the base address, joined by one slash. */
export const addressOf = ({ baseUrl }: HttpConfig, path: string): URL =>
  new URL(`${withoutTrailing(baseUrl, '/')}/${path.replace(/^\//, '')}`)

/**
 * Puts an id into the path. An id may hold any characters and stays one name of the path. Throws for `.` and `..`,
 * which cannot stay names.
 */
export function withId(path: string, id: string): string {
  if (/^\.{1,2}$/.test(id)) throw misfit('list.id', `${id} cannot be a name in a path`)
  return path.replaceAll('{id}', () => encodeURIComponent(id))
}

/** Whether an address belongs to the API: the same origin, and a path at or below the base address's path. */
export function isBelowBase({ baseUrl }: HttpConfig, address: URL): boolean {
  const base = new URL(baseUrl)
  const folder = withoutTrailing(base.pathname, '/')
  const isBelow = address.pathname === folder || address.pathname.startsWith(`${folder}/`)
  return address.origin === base.origin && isBelow && address.username === '' && address.password === ''
}

/** The value at a JSON pointer (RFC 6901); undefined if there is none. */
export function valueAt(reply: unknown, pointer: string): unknown {
  let value = reply
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** A text or a number as text; null for anything else, and for an empty text. */
export function textAt(reply: unknown, pointer: string | undefined): string | null {
  const value = pointer === undefined ? undefined : valueAt(reply, pointer)
  return typeof value === 'string' || typeof value === 'number' ? String(value) || null : null
}

/** Milliseconds since 1970, read from ISO 8601 or from a number of seconds or milliseconds. */
export function instantAt(reply: unknown, pointer: string | undefined): number | null {
  const text = textAt(reply, pointer)
  if (text === null) return null
  const number = Number(text)
  // For times of this century, milliseconds are above this number and seconds are below it.
  const ms = Number.isNaN(number)
    ? Date.parse(withZone(text))
    : number < 100_000_000_000
      ? number * 1_000
      : number
  return Number.isNaN(ms) || Math.abs(ms) > 8.64e15 ? null : ms
}

/** Takes a time without a zone as UTC. Otherwise it would count in this server's own zone. */
const withZone = (text: string): string => (/T[\d:.]+$/.test(text) ? `${text}Z` : text)

/** The error for a reply that does not fit a setting; it names the setting to correct. */
export const misfit = (field: string, why: string): HttpFailure =>
  new HttpFailure('unexpected_reply', `${why}: check config.${field}`, { field })

export type Reply = { json: unknown; next: string | null }

/** Throws the `HttpFailure` `unexpected_reply` if the reply is not JSON. */
export async function getJson({ config, http }: Context<HttpConfig>, address: URL): Promise<Reply> {
  const { data, next } = await http.page(address.href, { headers: config.headers })
  return { json: data, next }
}
