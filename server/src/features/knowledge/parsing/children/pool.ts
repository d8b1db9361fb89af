/** A few children: started when there is work, used again while they behave, ended when they are idle. */
import { createFairQueue } from '../../../../platform/fair-queue.ts'
import { type ParsingChild, startChild } from './child-process.ts'
import type { Stages } from './container.ts'

export type Pool = {
  /**
   * Works with a child once it is the owner's turn. Afterwards the child is killed unless `keep` was called. Throws
   * the signal's reason if the signal aborts before the work begins.
   */
  use<Result>(owner: string, signal: AbortSignal, work: (place: Place) => Promise<Result>): Promise<Result>
  close(): void
}

export type Renewal = 'always' | 'if used before'

type Place = {
  child(): ParsingChild
  /** Ends the child and starts another one; false if only a used child is to be renewed, or the pool is closed. */
  renew(when: Renewal): boolean
  keep(): void
}

/** One workspace has at most `maxChildren` children at work; `spare` more children are for other workspaces. */
export function createPool(
  folder: string,
  findStages: () => Promise<Stages>,
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
          const has = await findStages()
          if (isClosed) throw new Error('The parser is closed')
          signal.throwIfAborted()
          const idleChild = takeIdle()
          let child = idleChild ?? startChild(folder, has)
          children.add(child)
          let isKept = false
          try {
            return await work({
              child: () => child,
              renew: when => {
                if ((when === 'if used before' && child !== idleChild) || isClosed) return false
                end(child)
                child = startChild(folder, has)
                children.add(child)
                return true
              },
              keep: () => {
                isKept = true
              },
            })
          } finally {
            if (isKept && child.isAlive() && !isClosed) {
              child.takeBack()
              store(child)
            } else end(child)
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
