/** What the main thread of this process does while it gives no sign of life, as the operating system tells. */
import { readFileSync } from 'node:fs'

export type Progress = {
  /** How long it has been blocked since the last call. Time in which the machine did not let it run is left out. */
  blockedMs: number
  /** The part of this time in which it used a processor. */
  workedMs: number
}

/** The kernel counts processor time in hundredths of a second. */
const tickMs = 10

/**
 * `begin` at the first look that finds no sign of life, then `measure` each `everyMs`. A thread that waits for the
 * disk (`D`), that is stopped or debugged (`T`, `t`), or that gets no processor is not blocked: a restart would not
 * help. Outside Linux all time counts.
 */
export function watchMainThread(everyMs: number): { begin(): void; measure(): Progress } {
  let lastMs = 0
  let last: Status | null = null
  const begin = (): void => {
    lastMs = performance.now()
    last = statusOf()
  }
  const measure = (): Progress => {
    const nowMs = performance.now()
    // A suspended machine stops this thread as well: its own calls are what counts.
    const passedMs = Math.min(nowMs - lastMs, 2 * everyMs)
    const before = last
    const now = statusOf()
    lastMs = nowMs
    last = now
    if (now === null || before === null) return { blockedMs: passedMs, workedMs: passedMs }
    const workedMs = Math.min(Math.max(0, now.processorMs - before.processorMs), passedMs)
    // Asleep, as in a lock or a pipe that gives nothing: it waits although it could run.
    return { blockedMs: now.state === 'S' ? passedMs : workedMs, workedMs }
  }
  return { begin, measure }
}

type Status = { state: string; processorMs: number }

function statusOf(): Status | null {
  if (process.platform !== 'linux') return null
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1')
    // Behind the name of the program, which may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', processorMs: (Number(fields[11]) + Number(fields[12])) * tickMs }
  } catch {
    // A sandbox may hide `/proc`: then all time counts, as elsewhere.
    return null
  }
}
