/** A few children, started when there is work, used again while they behave, ended when there is none. */
import { type ParsingChild, startChild } from './child-process.ts'

export type Pool = {
  /** A child that is free. Throws the signal's reason once that aborts. */
  acquire(signal: AbortSignal): Promise<ParsingChild>
  /** Gives it back; one that is not `reusable` is killed. */
  release(child: ParsingChild, reusable: boolean): void
  close(): void
}

export function createPool(folder: string, maxChildren: number, idleTimeoutMs: number): Pool {
  const children = new Set<ParsingChild>()
  const idle: { child: ParsingChild; timer: NodeJS.Timeout }[] = []
  const waiting: (() => void)[] = []
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

  const keep = (child: ParsingChild): void => {
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
    acquire: async signal => {
      for (;;) {
        signal.throwIfAborted()
        if (isClosed) throw new Error('The parser is closed')
        const free = takeIdle()
        if (free !== null) return free
        if (children.size < maxChildren) {
          const child = startChild(folder)
          children.add(child)
          return child
        }
        await turn(waiting, signal)
      }
    },
    release: (child, reusable) => {
      if (reusable && child.isAlive() && !isClosed) keep(child)
      else end(child)
      waiting.shift()?.()
    },
    close: () => {
      isClosed = true
      for (const { timer } of idle.splice(0)) clearTimeout(timer)
      for (const child of children) end(child)
      for (const wake of waiting.splice(0)) wake()
    },
  }
}

/** Resolves when a child may be free, or the signal aborts: whoever waited looks for himself. */
async function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise.finally(() => {
    const place = waiting.indexOf(resolve)
    if (place >= 0) waiting.splice(place, 1)
  })
}
