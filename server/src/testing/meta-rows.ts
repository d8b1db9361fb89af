/** Rows of the simplest table, for tests of the database itself. */
import type { Database, Tx } from '../platform/database/database.ts'
import { ServiceError } from '../platform/errors.ts'

export const put = (tx: Tx, name: string, value = '1') =>
  tx.insertInto('meta').values({ name, value }).execute()

export const namesIn = async (database: Database): Promise<string[]> =>
  (await database.read.selectFrom('meta').select('name').orderBy('name').execute()).map(row => row.name)

export const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'unavailable' && error.headers['retry-after'] === '1'
