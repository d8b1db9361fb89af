/** Work that a process does again and again beside its requests, each chore by itself. */
import type { Log } from './log.ts'

export type Chore = {
  /** What the log calls it. */
  name: string
  /** From the end of one time to the beginning of the next, give or take a fifth. */
  everyMs: number
  /** Done at the start too; otherwise the first time comes after `everyMs`. */
  atStart?: true
  work(): Promise<unknown>
}

/**
 * A chore that fails is logged and done again at its next time. None runs beside itself, and none waits for another.
 * Returns what ends them: it resolves once those under way have ended.
 */
export function startChores(chores: readonly Chore[], log: Log): () => Promise<void> {
  const stops = chores.map(chore => startChore(chore, log))
  return async () => {
    await Promise.all(stops.map(stop => stop()))
  }
}

function startChore({ name, everyMs, atStart, work }: Chore, log: Log): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout
  let underWay: Promise<void> = Promise.resolve()
  const run = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      log.warn('A chore failed; it is done again at its next time', { chore: name, error })
    }
    if (!stopped) wait()
  }
  const wait = (): void => {
    timer = setTimeout(
      () => {
        underWay = run()
      },
      // So that processes that were started together do not all ask at the same moment.
      everyMs * (0.8 + Math.random() * 0.4),
    )
  }
  if (atStart) underWay = run()
  else wait()
  return () => {
    stopped = true
    clearTimeout(timer)
    return underWay
  }
}
