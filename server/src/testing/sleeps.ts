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
