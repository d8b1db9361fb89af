/** All that a database holds as one text, for tests that look for what must not be there. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Query } from '../platform/database/database.ts'

/** On SQLite the very bytes of the file and its log, on PostgreSQL every row of every table. */
export async function everythingIn(query: Query, engine: 'sqlite' | 'postgres'): Promise<string> {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ file: string }>`SELECT file FROM pragma_database_list`.execute(query)
    const file = rows[0]?.file ?? ''
    const parts = await Promise.all([readFile(file, 'latin1'), readFile(`${file}-wal`, 'latin1')])
    return parts.join('')
  }
  const tables = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`.execute(query)
  const rows = await Promise.all(
    tables.rows.map(({ name }) => sql`SELECT * FROM ${sql.table(name)}`.execute(query)),
  )
  return JSON.stringify(rows)
}
