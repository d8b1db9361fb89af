/** Runs work that a stranger's input could make endless, and breaks it off when its time is over. */
import { createContext, Script } from 'node:vm'

/** The work took longer than it may. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
}

const context = createContext({ work: null }, { codeGeneration: { strings: false, wasm: false } })
const script = new Script('work()')

/**
 * Works at once, in this thread; patterns that run away are broken off like loops and recursions. What the work was
 * changing when it was broken off may be half changed, so it must keep nothing that outlives it.
 */
export function runBounded<Result>(work: () => Result, timeoutMs: number): Result {
  context.work = work
  try {
    return script.runInContext(context, { timeout: timeoutMs }) as Result
  } catch (error) {
    // The error of the time limit is made in another realm, and so is no `Error` of this one.
    const { code } = error as { code?: unknown }
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' || error instanceof RangeError) throw new TookTooLong()
    throw error
  } finally {
    context.work = null
  }
}
