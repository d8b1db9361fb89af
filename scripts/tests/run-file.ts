/** Runs what a test file has declared, one test after the other, and tells of each. */
import type { TestContext } from 'node:test'
import { inspect } from 'node:util'
import type { DeclaredFile, Work } from './node-test.ts'
import type { FileOrder, TestResult } from './protocol.ts'

const usualTimeoutMs = 180_000

/** Throws what failed outside the tests. */
export async function runDeclared(
  { tests, before, after, beforeEach }: DeclaredFile,
  { name, skip: skipAll }: FileOrder,
  onResult: (result: TestResult) => void,
): Promise<void> {
  const chosen = tests.filter(({ title }) => name === undefined || new RegExp(name).test(title))
  const reasonOf = ({ skip = false }: { skip?: boolean | string | undefined }) =>
    skipAll ?? (skip || undefined)
  // What a long test needs to be made ready takes long, too.
  const hookMs = Math.max(usualTimeoutMs, ...tests.map(({ options }) => options.timeout ?? 0))
  const isIdle = chosen.every(({ options }) => reasonOf(options) !== undefined)
  let failure: Failure | null = null
  try {
    if (!isIdle) await all(before, hookMs)
    for (const { title, options, work } of chosen) {
      const reason = reasonOf(options)
      if (reason !== undefined) {
        onResult({ type: 'test', title, outcome: 'skipped', detail: String(reason) })
        continue
      }
      await all(beforeEach, hookMs)
      const notes: string[] = []
      const fault = await runOne(title, work, notes, options.timeout ?? usualTimeoutMs)
      if (fault === null) onResult({ type: 'test', title, outcome: 'passed', notes })
      else {
        const detail = inspect(fault.thrown, { depth: 6 })
        onResult({ type: 'test', title, outcome: 'failed', detail, notes })
      }
    }
  } catch (thrown) {
    failure = { thrown }
  }
  // What was not made ready cannot be ended: its own failure is the one to tell.
  const ending = await attempt(async () => (isIdle ? undefined : await all(after, hookMs)), hookMs)
  failure ??= ending
  if (failure !== null) throw failure.thrown
}

/** A hook that fails, fails the file. */
async function all(hooks: readonly (() => unknown)[], timeoutMs: number): Promise<void> {
  for (const hook of hooks) {
    const failure = await attempt(hook, timeoutMs)
    if (failure !== null) throw failure.thrown
  }
}

type Failure = { thrown: unknown }

/** Whatever is thrown where nothing catches it is the fault of what runs at that moment. */
let onUncaught = (error: unknown): void => {
  throw error
}
process.on('uncaughtException', error => onUncaught(error))

/** The context is what tests use of Node's; it cleans up in the order in which the test asked for that. */
async function runOne(
  title: string,
  work: Work,
  notes: string[],
  timeoutMs: number,
): Promise<Failure | null> {
  const cleanups: (() => unknown)[] = []
  const context = {
    name: title,
    after: (cleanup: () => unknown) => void cleanups.push(cleanup),
    diagnostic: (note: string) => void notes.push(note),
  } as unknown as TestContext
  const failures = [await attempt(() => work(context), timeoutMs)]
  for (const cleanup of cleanups) failures.push(await attempt(cleanup, timeoutMs))
  return failures.find(failure => failure !== null) ?? null
}

function attempt(part: () => unknown, timeoutMs: number): Promise<Failure | null> {
  return new Promise(done => {
    const fail = (thrown: unknown) => done({ thrown })
    onUncaught = fail
    const timer = setTimeout(() => fail(new Error(`It did not end within ${timeoutMs / 1_000} s`)), timeoutMs)
    Promise.resolve()
      .then(part)
      .then(() => done(null), fail)
      .finally(() => clearTimeout(timer))
  })
}
