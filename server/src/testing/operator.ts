/** The operator's command and the server as real processes over one installation, for tests. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runCommandLine } from '../operator/run.ts'
import type { Database, Engine } from '../platform/database/database.ts'
import { openDatabase } from '../platform/database/open.ts'
import type { WatchTimes } from '../platform/watch/signs.ts'
import { createTestDatabase, testEngine } from './database.ts'
import { eventually } from './eventually.ts'

const source = resolve(import.meta.dirname, '..')

export type Finished = { exitCode: number; stdout: string; stderr: string }

/** A data folder, and a database of its own where the engine is PostgreSQL. */
export type Installation = {
  dataDir: string
  environment: Record<string, string>
  /** Runs a command in a process of its own, its words separated by single spaces, or given one by one; `settings` are for this one alone. */
  atrium(words: string | readonly string[], settings?: Record<string, string>): Promise<Finished>
  /** The same in this process, which is a second faster. */
  atriumHere(words: string | readonly string[]): Promise<Finished>
  /** Runs a command here under `--json` that must succeed, and answers what it printed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
  atriumJson(words: string | readonly string[]): Promise<any>
  /**
   * Starts the server, and resolves when it listens, or works where it only does that; `settings` are for this one alone.
   * With `ownGroup`, its processes are a group of their own, which can be sent a signal. `watchTimes` are those of the
   * thread that watches it.
   */
  startServer(
    settings?: Record<string, string>,
    options?: { ownGroup?: boolean; watchTimes?: WatchTimes },
  ): Promise<RunningServer>
}

export type RunningServer = {
  /** Empty of one that only works. */
  origin: string
  pid: number
  /** All that it has written so far. */
  output: () => string
  /** Resolves with all that it wrote, once it has ended, for whatever reason. */
  ended: Promise<string>
  stop(): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

/** Whether the command of a running process names the folder; false if the system does not tell. */
function isUsed(folder: string): boolean {
  return globSync('/proc/[0-9]*/cmdline').some(path => {
    try {
      return readFileSync(path, 'utf8').includes(folder)
    } catch {
      // It has ended in the meantime.
      return false
    }
  })
}

/** A test, or whatever else says when it is over. */
type Cleanup = { after: (work: () => Promise<void>) => void }

/** Everything in it is gone after the test, processes included. */
export async function createInstallation(
  t: Cleanup,
  options: { engine?: Engine; environment?: Record<string, string> } = {},
): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-operator-'))
  const environment = {
    PATH: process.env.PATH ?? '',
    ATRIUM_DATA_DIR: dataDir,
    ATRIUM_PORT: '0',
    ATRIUM_LOG_LEVEL: 'warn',
    ...(await databaseVariables(t, options.engine ?? testEngine)),
    ...options.environment,
  }
  const children = new Set<ChildProcess>()
  t.after(async () => {
    for (const child of children) await kill(child)
    // The children of a server that was killed end a moment after it, and write until then.
    await eventually('no process used the data folder', () => !isUsed(dataDir))
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  const start = (
    script: string,
    words: readonly string[],
    settings = {},
    { ownGroup = false } = {},
  ): ChildProcess => {
    const child = spawn(process.execPath, [join(source, script), ...words], {
      env: { ...environment, ...settings },
      stdio: 'pipe',
      detached: ownGroup,
    })
    children.add(child)
    return child
  }
  const atriumHere: Installation['atriumHere'] = async words => {
    const said = { stdout: '', stderr: '' }
    const exitCode = await runCommandLine(split(words), {
      environment,
      print: text => {
        said.stdout += `${text}\n`
      },
      printError: text => {
        said.stderr += `${text}\n`
      },
    })
    return { exitCode, ...said }
  }
  return {
    dataDir,
    environment,
    atrium: (words, settings) => finished(start('operator/main.js', split(words), settings)),
    atriumHere,
    async atriumJson(words) {
      const { exitCode, stdout, stderr } = await atriumHere([...split(words), '--json'])
      assert.deepEqual([exitCode, stderr], [0, ''], stdout)
      return JSON.parse(stdout)
    },
    startServer: (settings, options) =>
      startServer(
        options?.watchTimes === undefined
          ? start('main.js', [], settings, options)
          : start(watchedServer, [JSON.stringify(options.watchTimes)], settings, options),
      ),
  }
}

const watchedServer = 'testing/programs/watched-server.ts'

const split = (words: string | readonly string[]): readonly string[] =>
  typeof words === 'string' ? words.split(' ') : words

/** Servers that share a database are given the secret that they share, too. */
const sharedSecret = 'a secret that only tests have, of enough characters'

/** An empty database without even a schema, as an operator would name it. */
async function databaseVariables(t: Cleanup, engine: Engine): Promise<Record<string, string>> {
  if (engine === 'sqlite') return {}
  const { database, settings, close } = await createTestDatabase('postgres')
  await database.close()
  t.after(close)
  return settings.engine === 'postgres' ? { DATABASE_URL: settings.url, ATRIUM_SECRET: sharedSecret } : {}
}

async function finished(child: ChildProcess): Promise<Finished> {
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout?.on('data', piece => stdout.push(piece))
  child.stderr?.on('data', piece => stderr.push(piece))
  const [exitCode] = await once(child, 'close')
  return {
    exitCode: exitCode ?? -1,
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
  }
}

async function startServer(child: ChildProcess): Promise<RunningServer> {
  let output = ''
  const origin = await new Promise<string>((found, failed) => {
    const read = (piece: Buffer): void => {
      output += piece.toString()
      const ready = /(http:\/\/127\.0\.0\.1:\d+)|Atrium works on jobs/.exec(output)
      if (ready !== null) found(ready[1] ?? '')
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', code => failed(new Error(`The server ended with ${code}: ${output}`)))
  })
  return {
    origin,
    pid: child.pid ?? 0,
    output: () => output,
    ended: once(child, 'close').then(() => output),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
    kill: () => kill(child),
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** The database of an installation, beside whatever else works on it; the caller closes it. */
export function openInstallationDatabase(installation: Installation): Promise<Database> {
  const url = installation.environment.DATABASE_URL
  return openDatabase(
    url === undefined
      ? { engine: 'sqlite', file: join(installation.dataDir, 'atrium.db') }
      : { engine: 'postgres', url, maxConnections: 2 },
  )
}
