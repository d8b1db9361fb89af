/** What the runner and its shards say to each other. */

/** Runner to shard: run the tests of this file. */
export type FileOrder = {
  path: string
  /** Only those whose title matches. */
  name?: string | undefined
  /** Counts all of them as skipped, and says why. */
  skip?: string | undefined
}

/** Shard to runner. */
export type ShardMessage = TestResult | FileEnd

export type TestResult = {
  type: 'test'
  title: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped, or how it failed. */
  detail?: string
  /** What the test has to say besides, by `diagnostic`. */
  notes?: string[]
}

export type FileEnd = {
  type: 'file'
  /** What failed outside its tests. */
  errors: string[]
  /** Of the shard, and on Linux of what it has started. */
  processorMs: number
  memoryBytes: number
}
