/** The process: reads the settings, opens the stores, listens, and drains on SIGTERM or SIGINT. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../app.ts'
import { lockDataFolder } from '../platform/database/server-lock.ts'
import { type Faults, faultsOf } from '../platform/faults.ts'
import type { Log } from '../platform/log.ts'
import { closeFoldersBelow } from '../platform/private-files.ts'
import { describeSettings, readSettings, type Settings, SettingsError } from '../settings/settings.ts'
import { openDependencies } from './dependencies.ts'
import { prepareFirstRun, welcome } from './first-run.ts'
import { collectWhenIdle } from './idle.ts'

/** For what is left once requests and jobs have ended. */
const lastMs = 5_000
const firstRunWaitMs = 10_000
const setupHint =
  'It is not set up yet. A link for that:\n  npm run -s atrium -- user reset-password --user owner@localhost\n'

const help = `Atrium: a self-hosted AI workspace with a REST API.

  npm start               starts the server
  npm start -- --help     prints this

Settings are environment variables:

${describeSettings()}
`

type Code = 'built' | 'sources'

export async function run(
  asked: readonly string[],
  environment: NodeJS.ProcessEnv,
  code: Code,
): Promise<void> {
  if (asked.includes('--help')) process.stdout.write(help)
  else if (asked.length > 0) refuse(new Error(`unknown argument ${asked[0]}; --help prints what there is`))
  else {
    try {
      await start(readSettings(environment), faultsOf(environment), code)
    } catch (error) {
      refuse(error)
    }
  }
}

async function start(settings: Settings, faults: Faults, code: Code): Promise<void> {
  const startedAt = performance.now()
  // From here on a signal ends the process in order, also one that comes while it starts.
  const told = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => told.resolve(signal))
  // Several servers may share a PostgreSQL; on SQLite a second one would corrupt what the first remembers.
  const lock = settings.databaseUrl === null ? lockDataFolder(settings.dataDir) : null
  let address = ''
  const dependencies = await openDependencies(settings, {
    publicUrl: () => settings.publicUrl ?? address,
    faults,
    isServer: true,
  })
  const { log } = dependencies
  const app = createApp(dependencies)
  const firstRun = await prepareFirstRun(app.services, dependencies)
  // The lock says that the processes that held these leases are dead.
  if (lock !== null) {
    const { jobs, resumableUploads } = app.services
    await Promise.all([app.idempotency.expireLeases(), jobs.expireLeases(), resumableUploads.releaseLocks()])
  }
  const { host, internalPort } = settings
  address = settings.role === 'worker' ? '' : await app.server.listen({ host, port: settings.port })
  if (internalPort !== null) {
    log.info('Probes are answered', { address: await app.listenForProbes({ host, port: internalPort }) })
  }
  app.startWork()
  collectWhenIdle()
  closeDataFolder(settings, log)
  log.info('Atrium is ready', { address, code, startMs: Math.round(performance.now() - startedAt) })
  if (firstRun !== null) {
    // What is printed is pasted at once, and the agent answers from documents that are being indexed.
    await firstRun.whenReady(firstRunWaitMs)
    process.stdout.write(welcome(address, dependencies.publicUrl(), firstRun))
  } else if (address === '') {
    process.stdout.write('Atrium works on jobs; it does not listen\n')
  } else {
    const hint = (await app.services.setup.isRequired()) ? setupHint : ''
    process.stdout.write(`Atrium listens on ${address} (reference: ${address}/docs)\n${hint}`)
  }

  const { hint: modelHint } = await app.services.defaultModel()
  if (modelHint !== null) process.stdout.write(`${modelHint}\n`)

  const signal = await told.promise
  log.info('Atrium is ending', { signal })
  // Whatever hangs must not keep the process alive; jobs go on from their leases elsewhere or after the next start.
  setTimeout(() => process.exit(1), settings.shutdownDelayMs + settings.drainMs + lastMs).unref()
  app.retire()
  await sleep(settings.shutdownDelayMs)
  await app.close()
  await dependencies.close()
  lock?.release()
  process.exit(0)
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
  const lines = error instanceof SettingsError ? error.faults : [(error as Error).message]
  for (const line of lines) process.stderr.write(`atrium: ${line}\n`)
  process.exit(1)
}
