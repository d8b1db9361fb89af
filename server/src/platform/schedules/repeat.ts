/** Does something again and again until it is stopped: the loop below periodic tasks, heartbeats and pollers. */
import { type Sleep, systemSleep } from '../clock.ts'
import type { Log } from '../log.ts'

export type Repetition = {
  /** What the log calls it. */
  name: string
  /** From the end of one round to the beginning of the next, give or take a fifth. */
  everyMs: number
  /** Runs at the start too; otherwise the first round comes after `everyMs`. */
  atStart?: boolean
  run(): Promise<unknown>
}

/**
 * A round that fails is logged, and the next one comes in its time. No round begins before the one before it has ended.
 * Returns what stops the loop; that resolves once a round in progress has ended.
 */
export function repeat(
  { name, everyMs, atStart = false, run }: Repetition,
  { log, sleep = systemSleep }: { log: Log; sleep?: Sleep },
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  // So that processes that were started together do not all ask at the same moment.
  const pause = (): Promise<void> => sleep(everyMs * (0.8 + Math.random() * 0.4), signal)
  const runRounds = async (): Promise<void> => {
    if (!atStart) await pause()
    while (!signal.aborted) {
      try {
        await run()
      } catch (error) {
        log.warn('A periodic task failed; it is tried again in its next round', { task: name, error })
      }
      await pause()
    }
  }
  const ended = runRounds().catch(error => {
    // The end of the loop cuts its pause short.
    if (!signal.aborted) log.error('A periodic task has stopped', { task: name, error })
  })
  return () => {
    stopping.abort()
    return ended
  }
}
