/** Where the tests run: a temporary folder, the PostgreSQL and the browser that they share, and variables that name them. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { browserPath, startSharedBrowser } from '../../console/testing/browser-program.ts'
import { startTestPostgres } from '../../server/src/testing/servers/postgres.ts'
import type { Lane, Work } from './lanes.ts'
import { startProcessorTimer } from './processor-time.ts'

export type TestMachine = {
  env: NodeJS.ProcessEnv
  /** Why a lane can't run on this machine. */
  skips: Partial<Record<Lane, string>>
  /** Since the run began, of the runner, of all that it has started, and of the PostgreSQL that it was given. */
  processorMs(): number
  close(): Promise<void>
}

const neededBytes = 2 * 1024 ** 3

export async function openTestMachine(root: string, work: readonly Work[]): Promise<TestMachine> {
  const folder = mkdtempSync(join(roomyFolder(), 'atrium-tests-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const compileCache = resolve(root, 'node_modules/.cache/atrium-tests/compiled')
  mkdirSync(compileCache, { recursive: true })
  const includes = (...wanted: Lane[]) => work.some(({ lane }) => wanted.includes(lane))
  const { DATABASE_URL: givenUrl, ATRIUM_TEST_POSTGRES_PID: postgresPid, ...inherited } = process.env
  const processorMs = startProcessorTimer(process.pid, ...(postgresPid === undefined ? [] : [postgresPid]))
  // Tests on SQLite need it too: some compare the two, or move data from one to the other.
  const needsPostgres = givenUrl === undefined && includes('sqlite', 'postgres', 'kill-loop')
  const hasBrowser = existsSync(browserPath)
  const [postgres, browser] = await Promise.all([
    needsPostgres ? startTestPostgres() : null,
    hasBrowser && includes('browser') ? startSharedBrowser() : null,
  ])
  const postgresUrl = postgres?.url ?? givenUrl
  return {
    env: {
      ...inherited,
      TMPDIR: folder,
      NODE_COMPILE_CACHE: compileCache,
      ATRIUM_TEST_POSTGRES_URL: postgresUrl ?? inherited.ATRIUM_TEST_POSTGRES_URL,
      ATRIUM_TEST_BROWSER_URL: browser?.wsEndpoint() ?? inherited.ATRIUM_TEST_BROWSER_URL,
    },
    skips: hasBrowser ? {} : { browser: `there is no Chromium at ${browserPath}` },
    processorMs,
    async close() {
      await Promise.all([postgres?.stop(), browser?.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In memory, where there is room: tests make many files, and need none of them after a power loss. */
function roomyFolder(): string {
  try {
    const room = statfsSync('/dev/shm')
    return room.bavail * room.bsize > neededBytes ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}
