/** The address that a server listens on, taken before anything is made; each refusal is one line with its remedy. */

import { readdir, readFile, readlink } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { basename } from 'node:path'
import { gated, smallLimits } from '@atrium/connectors/gate'
import { type Address, type Entrance, openEntrance } from '../http/entrance.ts'
import { describeServer, isDataFolderLocked } from '../platform/database/server-lock.ts'
import type { NewId } from '../platform/ids.ts'

type Wanted = Address & {
  /** The setting of the port. */
  variable: 'ATRIUM_PORT' | 'ATRIUM_INTERNAL_PORT'
  dataDir: string
}

/** Throws one line if the address cannot be listened on. */
export async function listenFirst(wanted: Wanted, newId: NewId): Promise<Entrance> {
  const { host, port } = wanted
  try {
    return await openEntrance({ host, port }, newId)
  } catch (error) {
    throw new Error(await faultOf(error as NodeJS.ErrnoException, wanted), { cause: error })
  }
}

async function faultOf({ code, message }: NodeJS.ErrnoException, wanted: Wanted): Promise<string> {
  const { host, port, variable } = wanted
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken by ${await holderOf(wanted)}: stop it, or choose another port with ${variable}`
    case 'EACCES':
    case 'EPERM':
      return `Port ${port} of ${host} may only be opened by a privileged user: choose ${variable} of 1024 or above (a proxy can pass port ${port} on), or grant CAP_NET_BIND_SERVICE`
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine: set ATRIUM_HOST to one of ${ownAddresses().join(', ')}, or to 0.0.0.0 for all`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${JSON.stringify(host)} is neither an address nor a known host name: set ATRIUM_HOST to one of ${ownAddresses().join(', ')}, or to 0.0.0.0 for all`
    case 'EAFNOSUPPORT':
      return `This machine has no addresses of the kind of ${host}: set ATRIUM_HOST to another one`
    default:
      return `Port ${port} of ${host} cannot be listened on (${code ?? message}): change ATRIUM_HOST or ${variable}`
  }
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap(entries => entries ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address)

/** As much as this process may find out about the program on the port. */
async function holderOf({ host, port, dataDir }: Wanted): Promise<string> {
  const atrium = await isAtrium(host, port)
  if (atrium && isOnFolder(dataDir)) {
    return `the Atrium server that runs on the data folder ${dataDir} (${describeServer(dataDir)})`
  }
  const pid = await listenerOf(port)
  const holder = atrium ? 'another Atrium server' : 'another program'
  if (pid === null) return holder
  const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  return `${holder} (${`process ${pid} ${basename(program)}`.trim()})`
}

/** Only a refused start waits for it, and a server under load must not be taken for another program. */
const askedMs = 5_000

/** Also a server of an earlier version: each has answered so, and marks each reply with the request's id. */
async function isAtrium(host: string, port: number): Promise<boolean> {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const name = reached.includes(':') ? `[${reached}]` : reached
  try {
    const reply = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(askedMs) })
    const body = (await gated(reply, smallLimits).json()) as { status?: unknown }
    return body.status === 'ok' && reply.headers.get('x-request-id')?.startsWith('req_') === true
  } catch {
    // It speaks another protocol, or answers slowly.
    return false
  }
}

function isOnFolder(dataDir: string): boolean {
  try {
    return isDataFolderLocked(dataDir)
  } catch {
    // The folder cannot be read; the port's fault is the one to tell.
    return false
  }
}

const listening = '0A'

/** The process that listens on the port, as Linux shows it to its own user; null if it cannot be found. */
async function listenerOf(port: number): Promise<string | null> {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map(file => readFile(file, 'utf8').catch(() => ''))
  const inodes = (await Promise.all(tables))
    .flatMap(table => table.split('\n').slice(1))
    .map(line => line.trim().split(/\s+/))
    .filter(
      ([, local = '', , state]) =>
        state === listening && Number.parseInt(local.split(':')[1] ?? '', 16) === port,
    )
    .map(fields => `socket:[${fields[9]}]`)
  if (inodes.length === 0) return null
  const pids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name))
  for (const pid of pids) {
    // A process of another user hides its files, and one that has ended has none.
    for (const descriptor of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')
      if (inodes.includes(target)) return pid
    }
  }
  return null
}
