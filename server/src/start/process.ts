/** The process: reads the settings, opens the stores, listens, and drains on SIGTERM or SIGINT. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type App, createApp } from '../app.ts'
import { parserOptions } from '../features/knowledge/feature.ts'
import { requireContainer } from '../features/knowledge/parsing/children/find-container.ts'
import { minuteMs, secondMs, systemClock, systemSleep } from '../platform/clock.ts'
import { announceServer, withdrawServer } from '../platform/database/server-lock.ts'
import { ServiceError } from '../platform/errors.ts'
import { type Faults, faultsOf } from '../platform/faults.ts'
import { createIds } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { closeFoldersBelow } from '../platform/private-files.ts'
import type { WatchTimes } from '../platform/watch/signs.ts'
import { takeVerdicts } from '../platform/watch/watch-files.ts'
import { startWatcher } from '../platform/watch/watcher.ts'
import { describeSettings, readSettings, type Settings, SettingsError } from '../settings/settings.ts'
import { causesOf, checkDataFolder, clearFileFault } from './data-folder.ts'
import { type Dependencies, openDependencies } from './dependencies.ts'
import { prepareFirstRun, welcome } from './first-run.ts'
import { collectWhenIdle } from './idle.ts'
import { listenFirst } from './listening.ts'

/** For what is left once requests and jobs have ended. */
const lastMs = 5_000
const firstRunWaitMs = 10_000
/** How long a start waits for PostgreSQL, and how often it says so. */
const databasePatienceMs = minuteMs
const databaseLineMs = 5 * secondMs

const help = `Atrium: a self-hosted AI workspace with a REST API.

  npm start               starts the server
  npm start -- --help     prints this

Settings are environment variables:

${describeSettings()}
`

type Code = 'built' | 'sources'

/** For tests. */
type StartOptions = { watchTimes?: WatchTimes }

export async function run(
  asked: readonly string[],
  environment: NodeJS.ProcessEnv,
  code: Code,
  options: StartOptions = {},
): Promise<void> {
  if (asked.includes('--help')) process.stdout.write(help)
  else if (asked.length > 0) refuse(new Error(`unknown argument ${asked[0]}; --help prints what there is`))
  else {
    try {
      const settings = readSettings(environment)
      await start(settings, faultsOf(environment), code, options).catch(async error => {
        throw await clearFileFault(error, settings.dataDir)
      })
    } catch (error) {
      refuse(error)
    }
  }
}

async function start(
  settings: Settings,
  faults: Faults,
  code: Code,
  { watchTimes }: StartOptions,
): Promise<void> {
  const startedAt = performance.now()
  const { host, port, internalPort, dataDir, role } = settings
  /** A point between two steps of a start, at which a test ends the process. */
  const passed = (step: string): void => faults.within(`start-${step}`, () => faults.reach('step.done'))
  // From here on a signal ends the process in order, also one that comes while it starts.
  const told = Promise.withResolvers<string>()
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      told.resolve(signal)
      ending.abort()
    })
  }
  // The address comes first: a start that cannot listen makes nothing.
  await checkDataFolder(dataDir)
  const newId = createIds(systemClock)
  const entrance =
    role === 'worker' ? null : await listenFirst({ host, port, variable: 'ATRIUM_PORT', dataDir }, newId)
  const probeEntrance =
    internalPort === null
      ? null
      : await listenFirst({ host, port: internalPort, variable: 'ATRIUM_INTERNAL_PORT', dataDir }, newId)
  passed('listening')
  if (settings.parserContainer === 'required' && role !== 'api') {
    await requireContainer(parserOptions(settings, null).folder)
  }
  if (settings.databaseUrl !== null && !(await waitForDatabase(settings.databaseUrl, ending.signal))) {
    process.exit(0)
  }
  let address = ''
  const dependencies = await openDependencies(settings, {
    publicUrl: () => settings.publicUrl ?? address,
    faults,
    isServer: true,
  })
  passed('opening')
  if (ending.signal.aborted) return end(null, dependencies)
  const { log } = dependencies
  const app = createApp(dependencies)
  const firstRun = entrance === null ? null : await prepareFirstRun(app.services, dependencies)
  passed('making')
  // Nothing listens or works yet, so nothing has to be waited for.
  if (ending.signal.aborted) return end(app, dependencies)
  const { jobs } = app.services
  // Before their leases end: from then on a job that ended its server could be taken up as if it had not.
  await takeVerdicts(dataDir, settings.databaseUrl === null, jobs.judge)
  // The lock of the data folder says that the processes that held these leases are dead.
  if (settings.databaseUrl === null) {
    const { resumableUploads } = app.services
    await Promise.all([app.idempotency.expireLeases(), jobs.expireLeases(), resumableUploads.releaseLocks()])
  }
  if (entrance !== null) {
    address = await app.server.listen(entrance.handOver())
    announceServer(dataDir, dependencies.publicUrl())
  }
  if (probeEntrance !== null) {
    log.info('Probes are answered', { address: await app.listenForProbes(probeEntrance.handOver()) })
  }
  app.startWork()
  const stopWatching = startWatcher({ ...settings, works: dependencies.works, log, times: watchTimes })
  collectWhenIdle()
  closeDataFolder(settings, log)
  log.info('Atrium is ready', { address, code, startMs: Math.round(performance.now() - startedAt) })
  passed('serving')
  if (firstRun !== null) {
    // What is printed is pasted at once, and the agent answers from documents that are being indexed.
    await firstRun.sandbox?.whenReady(firstRunWaitMs, ending.signal)
    process.stdout.write(welcome(address, dependencies.publicUrl(), firstRun))
  } else if (address === '') {
    process.stdout.write('Atrium works on jobs; it does not listen\n')
  } else {
    process.stdout.write(`Atrium listens on ${address} (reference: ${address}/docs)\n`)
  }

  const { hint: modelHint } = await app.services.defaultModel()
  if (modelHint !== null) process.stdout.write(`${modelHint}\n`)

  const signal = await told.promise
  log.info('Atrium is ending', { signal })
  app.retire()
  await sleep(settings.shutdownDelayMs)
  return end(app, dependencies, stopWatching)
}

async function end(
  app: App | null,
  dependencies: Dependencies,
  stopWatching = async (): Promise<void> => undefined,
): Promise<never> {
  const { dataDir, drainMs } = dependencies.settings
  // Whatever hangs must not keep the process alive; jobs go on from their leases elsewhere or after the next start.
  setTimeout(() => process.exit(1), drainMs + lastMs).unref()
  await app?.close()
  withdrawServer(dataDir)
  await dependencies.close()
  await stopWatching()
  process.exit(0)
}

/** False if a signal ended the wait. Throws one line if PostgreSQL does not come, or cannot be used. */
async function waitForDatabase(url: string, signal: AbortSignal): Promise<boolean> {
  // Loaded where it is used: a start on SQLite takes less time without it.
  const { waitForPostgres } = await import('../platform/database/postgres/connecting.ts')
  try {
    await waitForPostgres(url, {
      patienceMs: databasePatienceMs,
      tellEveryMs: databaseLineMs,
      signal,
      sleep: systemSleep,
      onWait: ({ message }, leftMs) =>
        process.stderr.write(`atrium: ${message}; trying for another ${Math.ceil(leftMs / secondMs)} s\n`),
    })
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}

/** Beside the start: what an earlier version has written may be much. */
function closeDataFolder({ dataDir }: Settings, log: Log): void {
  closeFoldersBelow(dataDir).then(
    closed => {
      if (closed > 0) log.info('Files that others could read are closed to them', { closed })
    },
    error => log.warn('Files in the data folder may be open to others; doctor names them', { error }),
  )
}

function refuse(error: unknown): never {
  const lines = error instanceof SettingsError ? error.faults : [lineOf(error)]
  const inOneLine = (text: string): string =>
    text
      .split('\n')
      .map(part => part.trim())
      .join(' ')
  for (const line of lines) process.stderr.write(`atrium: ${inOneLine(line)}\n`)
  process.exit(1)
}

/** The message of a `ServiceError` is for clients: an operator needs its causes. */
function lineOf(error: unknown): string {
  const [first, ...causes] = causesOf(error)
  if (first === undefined) return String(error)
  return [first, ...(first instanceof ServiceError ? causes : [])].map(({ message }) => message).join(': ')
}
