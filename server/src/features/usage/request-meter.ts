/** Counts requests by key or person and day in memory; a periodic task and the shutdown add them to the database. */
import type { RequestMeter } from '../../platform/admission.ts'
import { dayMs, toDay } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Actor } from '../events/data-schemas.ts'
import { actorOf } from '../events/outbox-service.ts'
import type { UsageSubject } from './schemas.ts'
import { addRequests, type RequestUsage } from './store.ts'

export type KeptRequestMeter = RequestMeter & {
  /** Adds the counted requests to the database rows, to which other processes add too. */
  flush(): Promise<void>
  /** Flushes for the last time. */
  close(): Promise<void>
}

/** Rows of one transaction, which take a few milliseconds of the database's single writer. */
const rowsAtOnce = 250

/** A killed process loses the requests that it counted since its last flush: about one minute of requests. */
export function createRequestMeter(
  dependencies: Pick<Platform, 'database' | 'clock' | 'log'> & {
    /** The most keys and persons that are counted at once. Reaching this number causes an earlier write. */
    maxCounted?: number
  },
): KeptRequestMeter {
  const { database, clock, log, maxCounted = 5_000 } = dependencies
  const counted = new Map<string, RequestUsage>()
  let flushing: Promise<void> | null = null
  let uncounted = 0

  const add = (usage: RequestUsage): void => {
    const name = nameOf(usage)
    const known = counted.get(name)
    if (known !== undefined) known.requests += usage.requests
    else if (counted.size < maxCounted) counted.set(name, usage)
    // The counts could not be written, and memory is limited.
    else uncounted += usage.requests
  }

  const write = async (): Promise<void> => {
    // Sorted, so that two processes that raise the same rows wait for each other and do not deadlock.
    const waiting = [...counted.keys()].sort()
    for (let begin = 0; begin < waiting.length; begin += rowsAtOnce) {
      const slice = waiting.slice(begin, begin + rowsAtOnce).flatMap(name => {
        const usage = counted.get(name)
        counted.delete(name)
        return usage ?? []
      })
      try {
        await database.write(async tx => {
          for (const usage of slice) await addRequests(tx, usage)
        })
      } catch (error) {
        for (const usage of slice) add(usage)
        throw error
      }
    }
    if (uncounted > 0) log.warn('Requests were not counted while nothing could be written', { uncounted })
    uncounted = 0
  }
  const flush = (): Promise<void> => {
    flushing ??= write().finally(() => {
      flushing = null
    })
    return flushing
  }
  const flushLater = (): void => {
    flush().catch(error => log.warn('Counted requests could not be written; it is tried again', { error }))
  }

  return {
    count(caller) {
      const { workspaceId, environment } = caller.scope
      const day = toDay(clock())
      add({ workspaceId, environment, day, actorId: actorIdOf(actorOf(caller)), requests: 1 })
      if (counted.size >= maxCounted && flushing === null) flushLater()
    },
    flush,
    async close() {
      // A flush in progress may have missed requests that came after it began.
      await flushing?.catch(() => undefined)
      await flush().catch(error =>
        log.error('The last counted requests could not be written and are lost', { error }),
      )
    },
  }
}

const nameOf = ({ workspaceId, environment, day, actorId }: RequestUsage): string =>
  `${workspaceId} ${environment} ${day} ${actorId}`

/** The instant at which the day begins; null if there is no such day. */
export function dayBegin(day: string): number | null {
  const begin = Date.parse(`${day}T00:00:00.000Z`)
  // `Date.parse` reads a wrong day, such as the 30th of February, as another day.
  return Number.isNaN(begin) || toDay(begin) !== day ? null : begin
}

export const daysBetween = (first: number, last: number): number => Math.round((last - first) / dayMs) + 1

const system = 'system'

export const actorIdOf = ({ kind, keyId, userId }: Actor): string =>
  (kind === 'key' ? keyId : kind === 'person' ? userId : null) ?? system

export function presentActor(id: string, name: string | null): UsageSubject {
  if (id === system) return { type: 'system', id: null, name: null }
  return { type: id.startsWith('usr_') ? 'person' : 'key', id, name }
}
