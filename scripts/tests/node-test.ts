/**
 * Stands in for `node:test` inside the test files of a shard: what a file declares is collected here and run by the shard.
 * `node --test` would load all modules again for each file, and its promise hooks cost a sixth of the time.
 */
import type { TestContext, TestOptions } from 'node:test'

export type Work = (context: TestContext) => unknown
type Hook = () => unknown

export type DeclaredFile = {
  tests: { title: string; options: Pick<TestOptions, 'skip' | 'timeout'>; work: Work }[]
  before: Hook[]
  after: Hook[]
  beforeEach: Hook[]
}

const nothing = (): DeclaredFile => ({ tests: [], before: [], after: [], beforeEach: [] })

let declared = nothing()

/** What was declared since the last call. */
export function takeDeclared(): DeclaredFile {
  const taken = declared
  declared = nothing()
  return taken
}

export function test(
  title: string,
  ...rest: [Work] | [DeclaredFile['tests'][number]['options'], Work]
): void {
  const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest
  declared.tests.push({ title, options, work })
}

export const before = (hook: Hook): void => void declared.before.push(hook)
export const after = (hook: Hook): void => void declared.after.push(hook)
export const beforeEach = (hook: Hook): void => void declared.beforeEach.push(hook)
