/** A network of its own for a process that reads strangers' files: nothing is in it, so nothing can be reached. */
import { spawnSync } from 'node:child_process'

/** By unshare(1), for root and for others. Systems other than Linux do not have it, and some containers forbid it. */
const ways = [['--net'], ['--user', '--map-current-user', '--net']]
let found: readonly string[] | null = null

/** The command and words to put before a program, so that it reaches no network; empty if the system does not allow it. */
export function withoutNetwork(): readonly string[] {
  found ??= find()
  return found
}

function find(): readonly string[] {
  const way = ways.find(
    words => spawnSync('unshare', [...words, 'true'], { stdio: 'ignore', timeout: 2_000 }).status === 0,
  )
  return way === undefined ? [] : ['unshare', ...way]
}
