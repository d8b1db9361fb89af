/** For commands that change what a running server takes for granted. */
import { sql } from 'kysely'
import pg from 'pg'
import type { Settings } from '../config.ts'
import type { Tx } from '../platform/database/database.ts'
import { connectionConfig } from '../platform/database/postgres.ts'
import { lockDataFolder } from '../platform/database/server-lock.ts'
import { OperatorError } from './errors.ts'

/** Throws in one line where a server runs; answers how to let servers in again. `purpose` is how the database knows the question. */
export async function keepServersOut(settings: Settings, purpose: string): Promise<() => void> {
  if (settings.databaseUrl === null) {
    const lock = lockDataFolder(settings.dataDir)
    return () => lock.release()
  }
  const client = new pg.Client(connectionConfig(settings.databaseUrl, purpose))
  await client.connect()
  try {
    const { rows } = await client.query(findServer)
    if (rows.length > 0) throw serverIsThere()
  } finally {
    await client.end()
  }
  return () => undefined
}

/**
 * For a transaction on PostgreSQL that puts another canary there, as its first statement: a server that starts after this
 * waits with its check of the secret, and finds the new one. Throws in one line where one has started before.
 */
export async function keepStartsOut(tx: Tx): Promise<void> {
  await sql`LOCK TABLE meta IN ACCESS EXCLUSIVE MODE`.execute(tx)
  const { rows } = await sql.raw(findServer).execute(tx)
  if (rows.length > 0) throw serverIsThere()
}

const findServer =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'atrium' LIMIT 1"

const serverIsThere = (): OperatorError =>
  new OperatorError('A server is connected to the database: stop it first')
