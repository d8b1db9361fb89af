/** How much a process has worked. */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/**
 * Milliseconds of processor time of this process and of all that it has started and waited for: fields 14 to 17 of proc(5)'s
 * stat, in hundredths of a second. Elsewhere than on Linux, of this process alone.
 */
export function processorMs(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks), 0) * 10
}

/** Milliseconds that the processors of this machine have had nothing to do, since it started. */
export const idleMs = (): number => cpus().reduce((total, { times }) => total + times.idle, 0)
