/**
 * The points where a test kills the process, to see what a crash leaves behind. A fault point is a seam in a context.
 * At a seam the process meets the disk, the database or another server. The context is a queue, an operation or a
 * command.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { writeSync } from 'node:fs'

export const seams = [
  'job.claimed',
  'commit.before',
  'commit.after',
  'blob.received',
  'blob.adopted',
  'blob.removed',
  'bytes.flushed',
  'request.sending',
  'request.answered',
  'model.asked',
  'model.writing',
  'step.done',
] as const

export type Seam = (typeof seams)[number]

/** Such as `knowledge-ingest/commit.before`. */
export type FaultPoint = `${string}/${Seam}`

export type Faults = {
  /** Names the context of `work` and of all that it awaits: the name of a queue, operation or command. */
  within<T>(context: string, work: () => T): T
  /** Does nothing, unless a test asked to end the process at this passing of this point. */
  reach(seam: Seam): void
}

export const noFaults: Faults = { within: (_context, work) => work(), reach: () => undefined }

/** The context of work for no job, request or command, such as a periodic task. */
const noContext = 'server'

/**
 * `ATRIUM_TEST_FAULT=point:nth` kills this process at that point, like a power cut. `ATRIUM_TEST_FAULT=tell` names
 * each point on the standard error when it is first passed. `hang=point:nth` blocks this process there, for ever. For
 * tests only: anywhere else it stops the start.
 */
export function faultsOf({
  ATRIUM_TEST_FAULT: asked,
  NODE_ENV: purpose,
}: Record<string, string | undefined>): Faults {
  if (asked === undefined || asked === '') return noFaults
  if (purpose !== 'test') throw new Error('ATRIUM_TEST_FAULT is for tests: it counts only with NODE_ENV=test')
  const contexts = new AsyncLocalStorage<string>()
  const atPoint = asked === 'tell' ? createTeller() : createKiller(asked)
  return {
    within: (context, work) => contexts.run(context, work),
    reach: seam => atPoint(`${contexts.getStore() ?? noContext}/${seam}`),
  }
}

type AtPoint = (point: FaultPoint) => void

/** `asked` is `point:nth`. `nth` counts how often this process passes the point. */
function createKiller(asked: string): AtPoint {
  const [, how, wanted = '', seam = '', nth = '1'] = /^(hang=)?([^:]*\/([^/:]*))(?::(.*))?$/.exec(asked) ?? []
  if (!seams.some(known => known === seam))
    throw new Error(
      `${asked} is no fault point: write context/seam:nth, where the seam is one of ${seams.join(', ')}`,
    )
  if (!/^[1-9]\d{0,6}$/.test(nth)) throw new Error(`${nth} is not the number of a passing: it begins with 1`)
  let left = Number(nth)
  return point => {
    if (point !== wanted) return
    left -= 1
    if (left > 0) return
    tell('reached', point)
    if (how === undefined) process.kill(process.pid, 'SIGKILL')
    else hang()
  }
}

/** Blocks without a processor, which the test's other processes need. */
function hang(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

function createTeller(): AtPoint {
  const passed = new Set<FaultPoint>()
  return point => {
    if (!passed.has(point)) tell('passed', point)
    passed.add(point)
  }
}

const tell = (what: string, point: FaultPoint): void => {
  writeSync(process.stderr.fd, `fault point ${what}: ${point}\n`)
}
