/** Processes under measurement: started, watched from outside, ended; and what the operating system says of them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const startTimeoutMs = 120_000
/** What `npm start` gives to Node (`exec scripts/run env NAME=value node …`), so that what is measured is what users run. */
const [startSettings = '', startArguments = ''] = manifest.scripts.start
  .slice('exec scripts/run env '.length)
  .split(' node ')
/** Linux counts processor time in ticks of 10 ms, whatever the kernel's own clock. */
const ticksPerSecond = 100

export type Measured = AsyncDisposable & {
  url: string
  pid: number
  /** Seconds of processor time, of the process and its threads, since it began. */
  cpuSeconds(): Promise<number>
  /** Resident memory in MB. */
  residentMb(): Promise<number>
  /** The most that it ever was. */
  peakMb(): Promise<number>
  stop(): Promise<void>
}

export type AtriumUnderTest = Measured & {
  dataDir: string
  /** From the start of the process to the first 200. */
  startMs: number
  /** Makes a key with every permission. */
  createKey(environment: 'live' | 'test'): Promise<string>
}

/** Starts the server as a user would, on a data folder of its own unless one is given. */
export async function startAtrium(
  options: { dataDir?: string; settings?: Record<string, string>; nodeArguments?: string[] } = {},
): Promise<AtriumUnderTest> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'atrium-bench-')))
  const port = await freePort()
  const settings = {
    ...environment(),
    ...Object.fromEntries(startSettings.split(' ').map(setting => setting.split('='))),
    ATRIUM_DATA_DIR: dataDir,
    ATRIUM_PORT: String(port),
    ATRIUM_LOG_LEVEL: 'error',
    ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000000 runsAtOnce=1000',
    ...options.settings,
  }
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...(options.nodeArguments ?? []), ...startArguments.split(' ')], {
    cwd: root,
    env: settings,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await untilItAnswers(child, `${url}/healthz`)
  const startMs = performance.now() - startedAt
  const stop = async () => {
    await end(child)
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  return {
    ...measured(child, url, stop),
    dataDir,
    startMs,
    createKey: name => createKey(settings, name),
  }
}

/** Starts one of the bare servers that the figures are compared with. */
export async function startFloor(file: string, settings: Record<string, string> = {}): Promise<Measured> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floors', file)], {
    env: { ...environment(), PORT: String(port), ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await untilItAnswers(child, url)
  return measured(child, url, () => end(child))
}

function measured(child: ChildProcess, url: string, stop: () => Promise<void>): Measured {
  const pid = child.pid ?? 0
  return {
    url,
    pid,
    async cpuSeconds() {
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
    },
    residentMb: () => statusMb(pid, 'VmRSS'),
    peakMb: () => statusMb(pid, 'VmHWM'),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function statusMb(pid: number, field: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
}

async function createKey(settings: Record<string, string>, environmentName: string): Promise<string> {
  const child = spawn(
    process.execPath,
    [
      'server/src/operator/main.js',
      'key',
      'create',
      '--workspace',
      'my-workspace',
      '--env',
      environmentName,
    ].concat(['--name', 'Benchmark', '--permissions', 'all', '--json']),
    { cwd: root, env: settings, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let printed = ''
  for await (const piece of child.stdout) printed += piece
  return (JSON.parse(printed) as { key: string }).key
}

async function untilItAnswers(child: ChildProcess, url: string): Promise<void> {
  const giveUpAt = performance.now() + startTimeoutMs
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null)
      throw new Error(`The process ended with ${child.exitCode} before it answered`)
    const reply = await fetch(url).catch(() => null)
    if (reply?.ok) return
    await sleep(5)
  }
  throw new Error(`Nothing answered at ${url} within ${startTimeoutMs} ms`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}

/** What a child needs of the surroundings, and none of the settings that happen to be set there. */
const environment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
})
