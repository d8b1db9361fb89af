/** A real PgBouncer in transaction mode, before the PostgreSQL of the tests. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './postgres.ts'

export type PgBouncer = {
  /** The same database, reached through it. */
  urlOf(databaseUrl: string): string
  close(): Promise<void>
}

/** Why tests that need one are skipped; false if they are not. */
export const withoutPgBouncer = (): string | false =>
  spawnSync('pgbouncer', ['--version']).status !== 0 && 'there is no pgbouncer'

/** Each transaction gets whichever of `poolSize` connections is free: nothing that one leaves there may matter. */
export async function startPgBouncer(serverUrl: string, poolSize = 2): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'atrium-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  // PgBouncer refuses a setting without a value.
  const server = Object.entries({ host: hostname, port: serverPort, user: username, password })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${decodeURIComponent(value)}`)
    .join(' ')
  const settings = [
    '[databases]',
    `* = ${server}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
  ]
  await writeFile(file, `${settings.join('\n')}\n`)
  // As root it refuses to run, and as another user it has to read the file.
  await chmod(folder, 0o755)
  await chmod(file, 0o644)
  const isRoot = process.getuid?.() === 0
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'daemon'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  await new Promise<void>((started, failed) => {
    child.on('error', failed)
    child.on('exit', code => failed(new Error(`PgBouncer ended with ${code}: ${said}`)))
    child.stderr.on('data', piece => {
      said += piece
      if (said.includes('process up')) started()
    })
  })
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl)
      url.host = `127.0.0.1:${port}`
      return url.href
    },
    async close() {
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
