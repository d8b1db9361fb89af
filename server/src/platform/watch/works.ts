/**
 * Which jobs and requests this process works on: for each line of code by its asynchronous context, and all of them in
 * memory that a thread reads while this one is blocked.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export type Work =
  /** `token` is the job's lease. */
  | { kind: 'job'; id: string; token: string; queue: string }
  | { kind: 'request'; id: string; operationId: string }

export type Works = {
  /** Lists the work until the returned function is called. */
  begin(work: Work): () => void
  /** Marks all that `run` does, also later, as part of the work. */
  within<T>(work: Work, run: () => T): T
  /** For `readWorks` in another thread. */
  readonly memory: SharedArrayBuffer
}

/** The name of the storage on `globalThis`: the debugger, which has no module's variables, asks for it there. */
export const contextName = 'atrium.work'

const context = new AsyncLocalStorage<Work>()
Object.defineProperty(globalThis, Symbol.for(contextName), { value: context, configurable: true })

/** A slot is a length and a text. Ids and names are ASCII. */
const slotBytes = 192
const slots = 512
/** Counts the works that found no slot. */
const headBytes = 4

export function createWorks(): Works {
  const memory = new SharedArrayBuffer(headBytes + slots * slotBytes)
  const unlisted = new Int32Array(memory, 0, 1)
  const bytes = Buffer.from(memory, headBytes)
  const free = Array.from({ length: slots }, (_, index) => (slots - 1 - index) * slotBytes)
  return {
    begin(work) {
      const start = free.pop()
      if (start === undefined) {
        Atomics.add(unlisted, 0, 1)
        return once(() => Atomics.sub(unlisted, 0, 1))
      }
      // The length comes last: a reader never sees half of a text.
      bytes[start] = bytes.write(textOf(work), start + 1, slotBytes - 1, 'latin1')
      return once(() => {
        bytes[start] = 0
        free.push(start)
      })
    },
    within: (work, run) => context.run(work, run),
    memory,
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}

const separator = '\n'

const textOf = (work: Work): string =>
  work.kind === 'job'
    ? `${work.id}${separator}${work.queue}${separator}${work.token}`
    : `${work.id}${separator}${work.operationId}`

/** The listed works, and how many more there are. */
export function readWorks(memory: SharedArrayBuffer): { works: Work[]; unlisted: number } {
  const bytes = Buffer.from(memory, headBytes)
  const works: Work[] = []
  for (let start = 0; start < bytes.length; start += slotBytes) {
    const length = bytes[start] ?? 0
    if (length > 0) works.push(workOf(bytes.toString('latin1', start + 1, start + 1 + length)))
  }
  return { works, unlisted: Atomics.load(new Int32Array(memory, 0, 1), 0) }
}

function workOf(text: string): Work {
  const [id = '', name = '', token] = text.split(separator)
  return token === undefined
    ? { kind: 'request', id, operationId: name }
    : { kind: 'job', id, queue: name, token }
}
