/** For commands that change what a running server takes for granted. */

import { secondMs } from '../platform/clock.ts'
import type { Tx } from '../platform/database/database.ts'
import { openPostgres } from '../platform/database/postgres/postgres.ts'
import { lockDataFolder } from '../platform/database/server-lock.ts'
import { hasNodes, keepNodesOut, nodeExpiryMs } from '../platform/nodes.ts'
import type { Settings } from '../settings/settings.ts'
import { OperatorError } from './errors.ts'

const timeouts = { acquireTimeoutMs: 10 * secondMs, transactionTimeoutMs: 30 * secondMs }

/** Throws in one line if a server runs; returns how to let servers in again. `purpose` is how the database knows the question. */
export async function keepServersOut(settings: Settings, purpose: string): Promise<() => void> {
  const { databaseUrl: url } = settings
  if (url === null) {
    const lock = lockDataFolder(settings.dataDir)
    return () => lock.release()
  }
  // As it is: the schema of a database that a server works on is not brought up to date.
  const database = openPostgres({ ...timeouts, url, maxConnections: 2, applicationName: purpose })
  try {
    if (await hasNodes(database.read)) throw serverIsThere()
  } finally {
    await database.close()
  }
  return () => undefined
}

/**
 * For a transaction on PostgreSQL that puts another canary there, as its first statement: a server that starts after this
 * waits before it checks the secret, and finds the new one. Throws in one line if one has started before.
 */
export async function keepStartsOut(tx: Tx): Promise<void> {
  if (await keepNodesOut(tx)) throw serverIsThere()
}

const serverIsThere = (): OperatorError =>
  new OperatorError(
    `A server works on the database: stop it first. One that was killed is forgotten after ${nodeExpiryMs / secondMs} s`,
  )
