/** For commands that change what a running server takes for granted. */
import pg from 'pg'
import type { Settings } from '../config.ts'
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
    const { rows } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'atrium' LIMIT 1",
    )
    if (rows.length > 0) throw new OperatorError('A server is connected to the database: stop it first')
  } finally {
    await client.end()
  }
  return () => undefined
}
