/** A few children, started when there is work, used again while they behave, ended when there is none. */
import { createFairQueue } from '../../../platform/fair-queue.ts'
import { type ParsingChild, startChild } from './child-process.ts'

export type Pool = {
  /**
   * Works with a child once it is the owner's turn. The child is killed afterwards unless `keep` was called. Throws the signal's
   * reason where that aborts before the work begins.
   */
  use<Result>(
    owner: string,
    signal: AbortSignal,
    work: (child: ParsingChild, keep: () => void) => Promise<Result>,
  ): Promise<Result>
  close(): void
}

/** One workspace has at most `maxChildren` of its own; `spare` ones more are for others, while it is at work. */
export function createPool(
  folder: string,
  { maxChildren, spare, idleTimeoutMs }: { maxChildren: number; spare: number; idleTimeoutMs: number },
): Pool {
  const queue = createFairQueue(maxChildren + spare, maxChildren)
  const children = new Set<ParsingChild>()
  const idle: { child: ParsingChild; timer: NodeJS.Timeout }[] = []
  let isClosed = false

  const takeIdle = (): ParsingChild | null => {
    for (let next = idle.pop(); next !== undefined; next = idle.pop()) {
      clearTimeout(next.timer)
      if (next.child.isAlive()) return next.child
      children.delete(next.child)
    }
    return null
  }

  const end = (child: ParsingChild): void => {
    children.delete(child)
    child.kill(new Error('The parsing process was ended'))
  }

  const store = (child: ParsingChild): void => {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex(entry => entry.child === child),
        1,
      )
      end(child)
    }, idleTimeoutMs)
    idle.push({ child, timer: timer.unref() })
  }

  return {
    use: (owner, signal, work) =>
      queue.run(
        owner,
        async () => {
          if (isClosed) throw new Error('The parser is closed')
          const child = takeIdle() ?? startChild(folder)
          children.add(child)
          let isKept = false
          try {
            return await work(child, () => {
              isKept = true
            })
          } finally {
            if (isKept && child.isAlive() && !isClosed) store(child)
            else end(child)
          }
        },
        signal,
      ),
    close: () => {
      isClosed = true
      for (const { timer } of idle.splice(0)) clearTimeout(timer)
      for (const child of children) end(child)
    },
  }
}
