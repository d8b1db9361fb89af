/** A door for costly work: those who ask take turns, and each gets its answer or a refusal in time. */
import { ServiceError, stopping } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'

export type Door = {
  /**
   * Runs the task when the owner's turn comes. Owners, which are workspaces, take turns; of one owner, who asks first comes
   * first. Throws `overloaded` where too many wait or the time is over, and the signal's reason once it is aborted. The task
   * is told by `over`, and keeps its place until it has ended.
   */
  run<Answer>(
    owner: string,
    task: (over: AbortSignal) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer>
  /** Those who wait are told that the server is stopping. */
  close(): void
}

/** So many may be asked for and unanswered. */
const mostAsked = 2_000
const mostAskedOfOwner = 500

/** `width` tasks are done at once; each has so long from the question to its answer. */
export function createDoor(width: number, deadlineMs: number): Door {
  const queue = createFairQueue(width)
  const asked = createTally()
  const closing = new AbortController()

  async function ask<Answer>(owner: string, task: (over: AbortSignal) => Promise<Answer>, over: AbortSignal) {
    // It is over for the caller at once, for the queue only when the task has ended.
    const answer = queue.run(owner, () => task(over), over)
    const left = Promise.withResolvers<never>()
    const leave = (): void => left.reject(over.reason)
    over.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([answer, left.promise])
    } finally {
      over.removeEventListener('abort', leave)
    }
  }

  return {
    async run(owner, task, signal) {
      if (asked.all() >= mostAsked || asked.of(owner) >= mostAskedOfOwner) throw overloaded()
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(overloaded()), deadlineMs)
      const signals = [late.signal, closing.signal, ...(signal === undefined ? [] : [signal])]
      asked.add(owner, 1)
      try {
        return await ask(owner, task, AbortSignal.any(signals))
      } finally {
        asked.add(owner, -1)
        clearTimeout(timer)
      }
    },
    close: () => closing.abort(stopping()),
  }
}

/** How many are asked for, by owner. */
function createTally() {
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

const overloaded = (): ServiceError =>
  new ServiceError('overloaded', undefined, { headers: { 'retry-after': '2' } })
