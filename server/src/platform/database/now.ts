/** The database's clock: what several processes must agree on, such as leases, is measured by it alone. */
import { type RawBuilder, sql } from 'kysely'
import type { Engine } from './database.ts'

/**
 * The present in milliseconds since the Unix epoch, as a part of a statement: one value in a statement, a later one in the
 * next of the same transaction.
 */
export const databaseNow = (engine: Engine): RawBuilder<number> =>
  engine === 'sqlite'
    ? sql<number>`CAST(round(unixepoch('subsec') * 1000) AS INTEGER)`
    : sql<number>`CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint)`
