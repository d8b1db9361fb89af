/** Faults after which no sync can go on: a source or its listing breaks a promise, or work takes too long. */

import type { Item, Listing } from '../connector.ts'
import { HttpFailure } from '../http.ts'

/** The connector or the service behind it broke a promise; `code` says which. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
  readonly code: string
  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** The error itself if it says what happened. Any other error is a fault of the connector. */
export function faultOf(error: unknown, what: string): HttpFailure | SourceFault {
  if (error instanceof HttpFailure || error instanceof SourceFault) return error
  const why = error instanceof Error ? error.message : String(error)
  return new SourceFault('connector_fault', `${what}: ${why}`, error)
}

/**
 * Throws a `SourceFault` if the work takes too long. The work is then left to end by itself; its result is not read.
 */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T> {
  const over = Promise.withResolvers<never>()
  const timer = setTimeout(
    () =>
      over.reject(new SourceFault('timeout', `It took longer than ${Math.round(timeoutMs / 1_000)} seconds`)),
    timeoutMs,
  )
  const stop = (): void => over.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, over.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    // The failure of the promise that lost the race is not needed.
    work.catch(() => undefined)
    over.promise.catch(() => undefined)
  }
}

// Checks what `Listing` and `Item` promise, since a connector may come from anybody.

const maxItemsOfPage = 10_000
const maxPageCharacters = 1_000_000
const maxIdCharacters = 400
const maxVersionCharacters = 1_000
const maxDataCharacters = 4_000

/** The faults of one page, at most ten; empty if the page keeps every promise. */
export function listingFaults(listing: Listing): string[] {
  if (typeof listing !== 'object' || listing === null || !Array.isArray(listing.items)) {
    return ['it must answer { items: […], nextPage }']
  }
  const { items, nextPage, since, removed = [] } = listing
  const faults: string[] = []
  if (items.length > maxItemsOfPage) faults.push(`items must be at most ${maxItemsOfPage}`)
  for (const [at, item] of items.entries()) {
    faults.push(...itemFaults(`items.${at}`, item))
    if (faults.length >= 10) break
  }
  if (nextPage !== null && !isText(nextPage, maxPageCharacters)) {
    faults.push(`nextPage must be null, or a text of 1 to ${maxPageCharacters} characters`)
  }
  if (since !== undefined && since !== '' && !isText(since, maxPageCharacters)) {
    faults.push(`since must be a text of up to ${maxPageCharacters} characters, or left out`)
  }
  if (!Array.isArray(removed) || removed.some(id => !isText(id, maxIdCharacters))) {
    faults.push('removed must be a list of ids')
  } else if (removed.length > maxItemsOfPage) faults.push(`removed must be at most ${maxItemsOfPage} ids`)
  return faults.slice(0, 10)
}

function itemFaults(at: string, item: Item): string[] {
  if (typeof item !== 'object' || item === null) return [`${at} must be { id, version }`]
  const faults: string[] = []
  if (!isText(item.id, maxIdCharacters)) {
    faults.push(`${at}.id must be a text of 1 to ${maxIdCharacters} characters`)
  }
  if (!isText(item.version, maxVersionCharacters)) {
    faults.push(`${at}.version must be a text of 1 to ${maxVersionCharacters} characters`)
  }
  if (item.title !== undefined && typeof item.title !== 'string') faults.push(`${at}.title must be a text`)
  if ((JSON.stringify(item.data) ?? '').length > maxDataCharacters) {
    faults.push(`${at}.data must have at most ${maxDataCharacters} characters as JSON`)
  }
  return faults
}

/** A text of PostgreSQL cannot hold NUL. */
const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxLength && !value.includes('\0')
