/** Hands the test files to the shards, one after the other, and gathers what became of them. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Lane, Work } from './lanes.ts'
import type { FileEnd, FileOrder, ShardMessage, TestResult } from './protocol.ts'

export type FileResult = {
  work: Work
  tests: TestResult[]
  startedAtMs: number
  wallMs: number
  processorMs: number
}

export type RunOptions = {
  root: string
  env: NodeJS.ProcessEnv
  /** Runs only tests whose title matches. */
  name: string | undefined
  /** Why a lane can't run here: its tests count as skipped. */
  skips: Partial<Record<Lane, string>>
  /** Processes for each database. */
  shards: number
  onFile(result: FileResult): void
}

const fileTimeoutMs = 15 * 60_000
const endTimeoutMs = 10_000
/** A shard that has grown to this size ends, and another one goes on. */
const maxMemoryBytes = 1.5 * 1024 ** 3
const maxOutput = 20_000
/** A browser and a server that is killed again and again use more than the one processor of their shard. */
const maxAtOnce: Partial<Record<Lane, number>> = { browser: 4, 'kill-loop': 1 }

/** Lanes of one engine share processes: the engine is fixed when the modules under test are loaded. */
const engines = ['sqlite', 'postgres'] as const
type Engine = (typeof engines)[number]
const engineOf = (lane: Lane): Engine => (lane === 'postgres' ? 'postgres' : 'sqlite')

/** Begins with the first. */
export async function runWork(work: readonly Work[], options: RunOptions): Promise<FileResult[]> {
  const results: FileResult[] = []
  const queue = [...work]
  const underWay: Lane[] = []
  const isFree = (lane: Lane) =>
    underWay.filter(running => running === lane).length < (maxAtOnce[lane] ?? Number.POSITIVE_INFINITY)

  const isOf = (engine: Engine) => (one: Work) => engineOf(one.lane) === engine
  const take = (engine: Engine): Work[] => {
    const next = queue.findIndex(one => isOf(engine)(one) && isFree(one.lane))
    return next < 0 ? [] : queue.splice(next, 1)
  }
  const leftOf = (engine: Engine) => queue.filter(isOf(engine)).length

  /** One shard at a time: a new one where the last has died or has grown too large. */
  const runQueue = async (engine: Engine): Promise<void> => {
    let shard: Shard | null = null
    for (let [taken] = take(engine); taken !== undefined; [taken] = take(engine)) {
      underWay.push(taken.lane)
      shard ??= startShard(engine, options)
      const result: FileResult = await shard.run(taken)
      underWay.splice(underWay.indexOf(taken.lane), 1)
      results.push(result)
      options.onFile(result)
      if (shard.isSpent()) {
        await shard.end()
        shard = null
      }
    }
    await shard?.end()
  }

  /** The engine that has less to do helps the other one, unless that has hardly more than it is about to begin. */
  const runQueues = async (engine: Engine): Promise<void> => {
    await runQueue(engine)
    const other = engine === 'sqlite' ? 'postgres' : 'sqlite'
    if (leftOf(other) > options.shards) await runQueue(other)
  }

  await Promise.all(
    engines.flatMap(engine =>
      Array.from({ length: Math.min(options.shards, leftOf(engine)) }, () => runQueues(engine)),
    ),
  )
  return results
}

type Shard = { run(work: Work): Promise<FileResult>; isSpent(): boolean; end(): Promise<void> }

function startShard(engine: string, { root, env, name, skips }: RunOptions): Shard {
  const child = fork(join(import.meta.dirname, 'shard.ts'), {
    cwd: root,
    env: {
      ...env,
      ATRIUM_TEST_ENGINE: engine,
      TMPDIR: mkdtempSync(join(env.TMPDIR ?? '', 'shard-')),
    },
    // Garbage of many short tests costs less in larger portions.
    execArgv: ['--max-semi-space-size=32'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      output = (output + chunk).slice(-maxOutput)
    })
  const gone = new Promise<void>(done => child.once('exit', () => done()))
  let memoryBytes = 0
  return {
    isSpent: () => child.killed || !child.connected || memoryBytes > maxMemoryBytes,
    async run(work) {
      output = ''
      const startedAtMs = performance.now()
      const result: FileResult = { work, tests: [], startedAtMs, wallMs: 0, processorMs: 0 }
      const order = { path: join(root, work.path), name, skip: skips[work.lane] }
      const end = await follow(child, order, test => result.tests.push(test))
      result.wallMs = performance.now() - startedAtMs
      result.processorMs = end.processorMs
      memoryBytes = end.memoryBytes
      for (const error of end.errors) {
        const detail = output === '' ? error : `${error}\nIt printed:\n${output}`
        result.tests.push({ type: 'test', title: 'the file as a whole', outcome: 'failed', detail })
      }
      return result
    },
    async end() {
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs)
      await gone
      clearTimeout(timer)
    },
  }
}

/** Resolves when the file has ended, or its shard has. */
function follow(
  child: ChildProcess,
  order: FileOrder,
  onTest: (result: TestResult) => void,
): Promise<Omit<FileEnd, 'type'>> {
  return new Promise(done => {
    const finish = (end: Omit<FileEnd, 'type'>) => {
      clearTimeout(timer)
      child.off('message', receive)
      child.off('exit', exited)
      done(end)
    }
    const fail = (error: string) => finish({ errors: [error], processorMs: 0, memoryBytes: 0 })
    const receive = (message: ShardMessage) => (message.type === 'file' ? finish(message) : onTest(message))
    const exited = (code: number | null, signal: string | null) =>
      fail(`The process that ran the tests ended: ${signal ?? `exit code ${code}`}`)
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`The file did not end within ${fileTimeoutMs / 60_000} minutes`)
    }, fileTimeoutMs)
    child.on('message', receive)
    child.once('exit', exited)
    child.send(order)
  })
}
