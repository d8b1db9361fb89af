/** What a test file must not leave behind: timers, sockets, servers, child processes, temporary files. */
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from './processor-time.ts'

/** How many there are, by name. */
export type Remains = ReadonlyMap<string, number>

/** A socket that was closed takes a moment to go. */
const patienceMs = 5_000
const pollMs = 20

export function remains(): Remains {
  const names = [
    ...process.getActiveResourcesInfo(),
    ...childrenOf(process.pid).map(pid => `child process ${pid}`),
    ...readdirSync(tmpdir()).map(name => `temporary file ${name}`),
  ]
  const found = new Map<string, number>()
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1)
  return found
}

/** Names what is there now and was not there before, once it had time to go. */
export async function leftovers(before: Remains): Promise<string[]> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const left = [...remains()].filter(([name, count]) => count > (before.get(name) ?? 0))
    if (left.length === 0 || waitedMs >= patienceMs) return left.map(([name]) => name)
    await sleep(pollMs, undefined, { ref: false })
  }
}
