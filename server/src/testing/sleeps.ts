/** Pauses that tests don't sit through. */
import { setImmediate } from 'node:timers/promises'
import type { Sleep } from '../platform/clock.ts'

/** Every pause is over at once. */
export const noSleep: Sleep = async (_, signal) => {
  signal.throwIfAborted()
  await setImmediate()
  signal.throwIfAborted()
}

export type NotedSleep = { sleep: Sleep; pausesMs: number[] }

/** Every pause is over at once, and on the list. */
export function createNotedSleep(): NotedSleep {
  const pausesMs: number[] = []
  return {
    pausesMs,
    sleep(ms, signal) {
      pausesMs.push(ms)
      return noSleep(ms, signal)
    },
  }
}

export type PausedSleep = {
  sleep: Sleep
  /** The lengths of the pauses that last at this moment, in the order in which they began. */
  pausesMs(): number[]
  /** Ends the pauses that last. */
  wake(): void
}

/** Pauses last until the test ends them. */
export function createPausedSleep(): PausedSleep {
  const held = new Map<() => void, number>()
  return {
    pausesMs: () => [...held.values()],
    wake() {
      for (const end of [...held.keys()]) end()
    },
    sleep: async (ms, signal) => {
      signal.throwIfAborted()
      const { promise, resolve } = Promise.withResolvers<void>()
      const end = (): void => {
        held.delete(end)
        resolve()
      }
      held.set(end, ms)
      signal.addEventListener('abort', end, { once: true })
      await promise
      signal.removeEventListener('abort', end)
      signal.throwIfAborted()
    },
  }
}
