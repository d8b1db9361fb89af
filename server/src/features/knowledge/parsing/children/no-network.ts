/** Gives a process that reads strangers' files an empty network, in which the process can reach nothing. */
import { spawnSync } from 'node:child_process'

/**
 * Arguments of unshare(1), for root and for other users. Only Linux has this command, and some containers forbid it.
 */
const ways = [['--net'], ['--user', '--map-current-user', '--net']]
let found: readonly string[] | null = null

/** The command and words that take the network from a program behind them; empty if the system does not allow it. */
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
