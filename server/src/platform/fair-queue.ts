/** A queue whose owners take turns: an owner with a thousand tasks delays another owner by only one of them. */
import { AsyncLocalStorage } from 'node:async_hooks'

export type FairQueue = {
  /**
   * Runs the task when the owner's turn comes; settles as the task does. An aborted signal removes a waiting task.
   */
  run<Result>(owner: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

/** `width` tasks run at once, at most `widthOfOwner` of one owner. If it is less, no owner can keep others out. */
export function createFairQueue(width: number, widthOfOwner = width): FairQueue {
  /** Owners in the order of their next turns. */
  const waiting = new Map<string, Set<() => Promise<void>>>()
  const runningOf = new Map<string, number>()
  let running = 0

  const count = (owner: string, change: 1 | -1): void => {
    running += change
    const ofOwner = (runningOf.get(owner) ?? 0) + change
    if (ofOwner === 0) runningOf.delete(owner)
    else runningOf.set(owner, ofOwner)
  }

  function next(): void {
    if (running >= width) return
    const turn = [...waiting].find(([owner]) => (runningOf.get(owner) ?? 0) < widthOfOwner)
    if (turn === undefined) return
    const [owner, tasks] = turn
    const [task] = tasks
    waiting.delete(owner)
    if (task === undefined) return
    tasks.delete(task)
    if (tasks.size > 0) waiting.set(owner, tasks)
    count(owner, 1)
    void task().finally(() => {
      count(owner, -1)
      next()
    })
  }

  function remove(owner: string, task: () => Promise<void>): void {
    const tasks = waiting.get(owner)
    tasks?.delete(task)
    if (tasks?.size === 0) waiting.delete(owner)
  }

  return {
    run: (owner, task, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const abort = () => {
          remove(owner, turn)
          reject(signal?.reason)
        }
        // Another owner's task begins this one, which still belongs to the caller's request or job.
        const turn = AsyncLocalStorage.bind(() => {
          signal?.removeEventListener('abort', abort)
          return task().then(resolve, reject)
        })
        signal?.addEventListener('abort', abort, { once: true })
        waiting.set(owner, (waiting.get(owner) ?? new Set()).add(turn))
        next()
      }),
  }
}

/** Counts what is in progress, by owner: for limits of one owner and of all. */
export function createTally() {
  const counts = new Map<string, number>()
  let all = 0
  return {
    all: () => all,
    of: (owner: string) => counts.get(owner) ?? 0,
    add(owner: string, change: 1 | -1) {
      all += change
      const count = (counts.get(owner) ?? 0) + change
      if (count === 0) counts.delete(owner)
      else counts.set(owner, count)
    },
  }
}
