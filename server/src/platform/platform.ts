/** What every feature stands on: the stores, clients and clocks that the settings opened, and the job engine. */
import type { Connector } from '@atrium/connectors'
import type { Settings } from '../settings/settings.ts'
import type { BlobStore } from './blobs/blobs.ts'
import type { PartialFiles } from './blobs/partial-files.ts'
import type { Clock, Sleep } from './clock.ts'
import type { Counters } from './counters.ts'
import type { Keyring } from './crypto/keyring.ts'
import type { Passwords } from './crypto/passwords.ts'
import type { Seals } from './crypto/seals.ts'
import type { Database } from './database/database.ts'
import type { Faults } from './faults.ts'
import type { SafeFetch } from './fetch/safe-fetch.ts'
import type { NewId } from './ids.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Worker } from './jobs/worker.ts'
import type { StrangersSchemas } from './json-schema/strangers-schemas.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mailer.ts'
import type { PriceTable } from './models/price-table.ts'
import type { Node } from './nodes.ts'
import type { Works } from './watch/works.ts'

/** What is opened once per process. */
export type Resources = {
  settings: Settings
  database: Database
  blobs: BlobStore
  /** This server among the servers on its database; null if it is the only one, and for a command. */
  node: Node | null
  partialFiles: PartialFiles
  /** The folder of the files on this machine. */
  blobFolder: string
  keyring: Keyring
  passwords: Passwords
  counters: Counters
  mailer: Mailer
  safeFetch: SafeFetch
  /** The services that can be connected. */
  connectors: readonly Connector[]
  /** The operator's own windows and prices of models. */
  priceTable: PriceTable
  clock: Clock
  sleep: Sleep
  /** How often the server checks whether the caller of a run or a stream in progress may still do this. */
  callerCheckMs: number
  schemas: StrangersSchemas
  newId: NewId
  log: Log
  faults: Faults
  /** The jobs and requests that this process works on. */
  works: Works
  /** The address under which the server is reached, without a slash at the end. */
  publicUrl: () => string
}

export type Platform = Resources & {
  jobs: Jobs
  seals: Seals
  runNow: Worker['runNow']
}
