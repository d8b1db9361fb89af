/** How much processes have worked. On Linux by proc(5); elsewhere only this process is known. */
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

const isLinux = process.platform === 'linux'

/** Milliseconds of processor time of a process and of all that it has started and waited for: fields 14 to 17 of its stat. */
export function processorMs(pid: number | string = process.pid): number {
  if (!isLinux) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  // In hundredths of a second.
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks), 0) * 10
}

/** The same with what still runs of all that it has started: a browser, or a PostgreSQL, waits for few of its processes. */
export const processorMsOfTree = (pid: number | string = process.pid): number =>
  childrenOf(pid).reduce(
    (total, child) => total + processorMsOfTree(child),
    unlessEnded(() => processorMs(pid), 0),
  )

/** Counts from now on: a PostgreSQL may have served other runs before. */
export function startProcessorTimer(...pids: (number | string)[]): () => number {
  const used = () => pids.reduce<number>((total, pid) => total + processorMsOfTree(pid), 0)
  const usedBefore = used()
  return () => used() - usedBefore
}

/** Also those that do not keep the process alive, and those that one of its threads has started. */
export function childrenOf(pid: number | string): string[] {
  const threads = isLinux ? unlessEnded(() => readdirSync(`/proc/${pid}/task`), []) : []
  const paths = threads.map(thread => `/proc/${pid}/task/${thread}/children`)
  return paths
    .flatMap(path => unlessEnded(() => readFileSync(path, 'utf8').split(' '), []))
    .filter(child => child !== '')
}

/** A process, or its thread, may end before what the system tells of it is read. */
function unlessEnded<Told>(read: () => Told, otherwise: Told): Told {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** Milliseconds that the processors of this machine have had nothing to do, since it started. */
export const idleMs = (): number => cpus().reduce((total, { times }) => total + times.idle, 0)
