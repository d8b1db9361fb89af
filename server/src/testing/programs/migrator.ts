/** Opens a database, as a starting server does, and says how many migrations it found applied. */
import { sql } from 'kysely'
import { openDatabase } from '../../platform/database/open.ts'

const database = await openDatabase(JSON.parse(process.argv[2] ?? ''))
const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM schema_migrations`.execute(
  database.read,
)
console.log(rows[0]?.count)
await database.close()
