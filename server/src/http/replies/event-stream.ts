/** Server-sent events as in the HTML standard: one text stream, kept alive, ended once its reader may not read it. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { secondMs } from '../../platform/clock.ts'
import { ServiceError, stopping } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Platform } from '../../platform/platform.ts'
import { toServiceError } from '../envelope.ts'

export type ServerEvent = { id?: string; event?: string; data: unknown }

/** `data` that is plain text, not JSON. */
export class EventText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * Makes the last events of a stream that ends before its source has ended. Returns none if the source has just ended.
 */
export type CutOff = (reason: ServiceError) => readonly ServerEvent[]

/** Yields events until there are no more, or the signal is aborted. If it throws, the connection breaks off. */
export type FollowEvents = (signal: AbortSignal) => AsyncIterable<ServerEvent>

/** A follower throws this to hang up on the client on purpose. It is no fault, so it is not logged. */
export class HangUp extends Error {
  override readonly name = 'HangUp'
}

export type EventStreams = ReturnType<typeof createEventStreams>

/** No blank line follows: many readers take each blank line for the end of an event, even of one without data. */
const comment = ':\n'
const reconnectMs = 1_000
const flushMs = 50

/** Once `closing` is aborted every stream ends. The readers reconnect and continue after their last event. */
export function createEventStreams({
  log,
  callerCheckMs,
  closing,
  // Short enough for proxies that close a connection after half a minute of silence.
  keepAliveMs = 15 * secondMs,
}: Pick<Platform, 'log' | 'callerCheckMs'> & {
  closing: AbortSignal
  keepAliveMs?: number
}) {
  return {
    /** `mayGoOn` is called every `callerCheckMs`; once it answers false, the stream ends. */
    open(follow: FollowEvents, mayGoOn: () => Promise<boolean>, cutOff: CutOff | null): Readable {
      const ended = new AbortController()
      const end = (): void => ended.abort()
      const over = AbortSignal.any([ended.signal, closing])
      const { stream, write } = createWriter(end)
      const keepAlive = setInterval(() => void write(comment), keepAliveMs)
      const ask = watch(mayGoOn, callerCheckMs, over, log)
      const pump = async (): Promise<void> => {
        // Sends the head of the reply: the first event may take minutes.
        await write(comment)
        let isFirst = true
        for await (const event of follow(AbortSignal.any([over, ask.signal]))) {
          if (over.aborted) return
          // A reader can reconnect only to a stream whose events have ids.
          const retry = isFirst && event.id !== undefined ? reconnectMs : undefined
          await write(format(event, retry))
          isFirst = false
        }
      }
      const finish = async (reason: ServiceError): Promise<void> => {
        for (const event of cutOff?.(reason) ?? []) await write(format(event))
        stream.push(null)
      }
      pump()
        .then(
          () =>
            finish(
              ask.signal.aborted
                ? new ServiceError('unauthenticated', 'The access that this stream began with has ended', {
                    details: { reason: 'revoked' },
                  })
                : stopping(),
            ),
          async error => {
            const isMeant = over.aborted || error instanceof HangUp
            if (!isMeant) log.error('A stream of events failed', { error })
            if (!isMeant && cutOff !== null) return await finish(toServiceError(error))
            // Gives the network time to send the text that was written before.
            await sleep(flushMs)
            // The reader could not tell a normal end from this failure, so the connection breaks off.
            stream.destroy()
          },
        )
        .finally(() => {
          clearInterval(keepAlive)
          end()
        })
      return stream
    },
  }
}

/** `write` resolves only once the reader has room again, so that a reader who stops reading costs no memory. */
function createWriter(onClose: () => void) {
  let hasRoom: () => void = () => undefined
  const stream = new Readable({ read: () => hasRoom() })
  stream.once('close', () => {
    onClose()
    hasRoom()
  })
  const write = (text: string): Promise<void> | undefined => {
    if (stream.destroyed || stream.push(text)) return undefined
    return new Promise(resolve => {
      hasRoom = resolve
    })
  }
  return { stream, write }
}

/** Aborts its signal once `mayGoOn` answers false; a call of `mayGoOn` that fails is repeated. */
function watch(
  mayGoOn: () => Promise<boolean>,
  everyMs: number,
  over: AbortSignal,
  log: Log,
): { signal: AbortSignal } {
  const refused = new AbortController()
  const ask = async (): Promise<void> => {
    while (!over.aborted) {
      await sleep(everyMs, undefined, { signal: over }).catch(() => undefined)
      if (over.aborted) return
      try {
        if (!(await mayGoOn())) return refused.abort()
      } catch (error) {
        log.warn('Whether a stream may go on could not be asked', { error })
      }
    }
  }
  void ask()
  return refused
}

function format({ id, event, data }: ServerEvent, retry?: number): string {
  const named = (name: string, value: string | number | undefined) =>
    value === undefined ? '' : `${name}: ${value}\n`
  const text = data instanceof EventText ? data.text : JSON.stringify(data)
  return `${named('retry', retry)}${named('id', id)}${named('event', event)}data: ${text}\n\n`
}
