/** Opens what the settings name: the database, the files, the master secret, the counters, the mail server. */
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConnectionTimes } from '../http/connections/connections.ts'
import { createFolderBlobs } from '../platform/blobs/folder.ts'
import { createPartialFiles } from '../platform/blobs/partial-files.ts'
import { type Clock, secondMs, systemClock, systemSleep } from '../platform/clock.ts'
import {
  type Counters,
  createMemoryCounters,
  createPostgresCounters,
  createRedisCounters,
} from '../platform/counters.ts'
import { isUnderSecret, openKeyring } from '../platform/crypto/open-keyring.ts'
import { createPasswords } from '../platform/crypto/passwords.ts'
import type { Database } from '../platform/database/database.ts'
import { type DatabaseSettings, openDatabase } from '../platform/database/open.ts'
import { lockDataFolder } from '../platform/database/server-lock.ts'
import { type Faults, noFaults } from '../platform/faults.ts'
import { createSafeFetch } from '../platform/fetch/safe-fetch.ts'
import { createIds } from '../platform/ids.ts'
import { createStrangersSchemas } from '../platform/json-schema/strangers-schemas.ts'
import { createLog, type Log } from '../platform/log.ts'
import { createMailer } from '../platform/mail/mailer.ts'
import { noPriceTable, type PriceTable, parsePriceTable } from '../platform/models/price-table.ts'
import { joinNodes, type Node } from '../platform/nodes.ts'
import type { Resources } from '../platform/platform.ts'
import { closeFolder, makeFolder } from '../platform/private-files.ts'
import { createWorks } from '../platform/watch/works.ts'
import { type Settings, SettingsError, settingDefinitions } from '../settings/settings.ts'
import { checkDataFolder, clearFileFault } from './data-folder.ts'
import { readConnectors } from './own-connectors.ts'
import { readSecretFile } from './secret-file.ts'

export type Dependencies = Resources & {
  /** The built console, where it is not the one that `npm ci` builds. */
  consoleFolder?: string
  /** What a connection may do before it is closed; the usual unless given. */
  connectionTimes?: ConnectionTimes
  close(): Promise<void>
}

/** With the five seconds for which a key is remembered, a loss of access takes effect well within ten. */
export const usualCallerCheckMs = 3 * secondMs

type OpeningOptions = {
  clock?: Clock
  log?: Log
  faults?: Faults
  database?: DatabaseSettings
  publicUrl?: () => string
  /** A server: it locks its data folder, or is known to the other servers on its PostgreSQL. */
  isServer?: boolean
}

/** Throws in one line if something cannot be opened; what was opened before is closed again. */
export async function openDependencies(
  settings: Settings,
  options: OpeningOptions = {},
): Promise<Dependencies> {
  try {
    await checkDataFolder(settings.dataDir)
    return await openAll(settings, options)
  } catch (error) {
    throw await clearFileFault(error, settings.dataDir)
  }
}

async function openAll(settings: Settings, options: OpeningOptions): Promise<Dependencies> {
  const clock = options.clock ?? systemClock
  const log = options.log ?? createLog({ level: settings.logLevel })
  const newId = createIds(clock)
  const faults = options.faults ?? noFaults
  const schemas = createStrangersSchemas()
  const priceTable = await readModelPrices(settings.modelPricesFile)
  const connectors = await readConnectors(settings.connectorsDir)
  await makePrivateFolder(settings.dataDir)
  // A second server on SQLite would corrupt what the first remembers; several servers may share a PostgreSQL.
  const isAlone = options.isServer === true && settings.databaseUrl === null
  const lock = isAlone ? lockDataFolder(settings.dataDir) : null
  const database = await openDatabase(options.database ?? databaseSettings(settings))
  const blobFolder = join(settings.dataDir, 'files')
  let node: Node | null = null
  try {
    const blobs = await createFolderBlobs({ folder: blobFolder, newId })
    const isOneOfMany = options.isServer === true && database.engine === 'postgres'
    // Before the secret is checked: a command that changes it keeps servers from joining.
    if (isOneOfMany) node = await joinNodes(database, { role: settings.role, storageId: blobs.id, log })
    const secret =
      settings.secret ?? (await readSecretFile(settings.dataDir, () => isUnderSecret(database.read)))
    const keyring = await openKeyring(database, secret)
    const counters = await openCounters(settings, database, newId('request'), log)
    return {
      settings,
      ...withFaults(faults, {
        database,
        blobs,
        partialFiles: await createPartialFiles({ folder: blobFolder, newId }),
        safeFetch: createSafeFetch({ allowedPrivateNetworks: settings.allowedPrivateNetworks }),
      }),
      node,
      blobFolder,
      keyring,
      passwords: createPasswords(),
      counters,
      mailer: createMailer({ smtpUrl: settings.smtpUrl, from: settings.mailFrom }),
      connectors,
      priceTable,
      clock,
      sleep: systemSleep,
      callerCheckMs: usualCallerCheckMs,
      schemas,
      newId,
      log,
      faults,
      works: createWorks(),
      publicUrl:
        options.publicUrl ?? (() => settings.publicUrl ?? `http://${settings.host}:${settings.port}`),
      async close() {
        await schemas.close()
        await counters.close()
        await node?.leave()
        await database.close()
        lock?.release()
      },
    }
  } catch (error) {
    await node?.leave()
    await database.close()
    throw error
  }
}

/** For the owner of the process only, with what lies directly in it, such as the database and the secret. */
async function makePrivateFolder(path: string): Promise<void> {
  makeFolder(path)
  await closeFolder(await realpath(path))
}

/** The embedded database lies in the data folder unless a PostgreSQL is named. */
export const databaseSettings = (settings: Settings): DatabaseSettings =>
  settings.databaseUrl === null
    ? { engine: 'sqlite', file: join(settings.dataDir, 'atrium.db') }
    : { engine: 'postgres', url: settings.databaseUrl, maxConnections: settings.databasePoolSize }

function openCounters(settings: Settings, database: Database, nodeId: string, log: Log): Promise<Counters> {
  if (settings.redisUrl !== null) return createRedisCounters(settings.redisUrl, nodeId, log)
  if (settings.databaseUrl !== null) return createPostgresCounters(database)
  return Promise.resolve(createMemoryCounters())
}

const maxFaultsTold = 50

/** The operator's file of models' windows and prices. Throws `SettingsError` with a line for each fault; without a file the table is empty. */
export async function readModelPrices(path: string | null): Promise<PriceTable> {
  if (path === null) return noPriceTable
  const { variable } = settingDefinitions.modelPricesFile
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SettingsError([`${variable}: ${JSON.stringify(path)} cannot be read (${error.code})`])
  })
  const { table, faults } = parsePriceTable(text)
  if (faults.length === 0) return table
  throw new SettingsError(faults.slice(0, maxFaultsTold).map(fault => `${variable}: ${path}: ${fault}`))
}

type Seams = Pick<Resources, 'database' | 'blobs' | 'partialFiles' | 'safeFetch'>

/** The same with a fault point at each seam, for tests that kill the process there. */
function withFaults(faults: Faults, seams: Seams): Seams {
  if (faults === noFaults) return seams
  const { database, blobs, partialFiles, safeFetch } = seams
  const { reach } = faults
  return {
    database: {
      ...database,
      async write(work) {
        const result = await database.write(async tx => {
          const value = await work(tx)
          reach('commit.before')
          return value
        })
        reach('commit.after')
        return result
      },
    },
    blobs: {
      ...blobs,
      async receive(stream, options) {
        const file = await blobs.receive(stream, options)
        reach('blob.received')
        return file
      },
      async adopt(file, blobId) {
        await blobs.adopt(file, blobId)
        reach('blob.adopted')
      },
      async remove(blobId) {
        await blobs.remove(blobId)
        reach('blob.removed')
      },
    },
    partialFiles: {
      ...partialFiles,
      append: (id, stream, appending) =>
        partialFiles.append(id, stream, {
          ...appending,
          async onFlushed(offset) {
            reach('bytes.flushed')
            await appending.onFlushed(offset)
          },
        }),
    },
    async safeFetch(url, request) {
      reach('request.sending')
      const response = await safeFetch(url, request)
      reach('request.answered')
      return response
    },
  }
}
