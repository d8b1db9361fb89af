/** Rows in bulk, written into the database beside the server: as many as years of use would leave. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Copies a run with its conversation, a document and an audit entry until each table has so many rows. */
export function seedRows(
  dataDir: string,
  { agentId, collectionId }: { agentId: string; collectionId: string },
  rows: number,
): void {
  using database = new DatabaseSync(join(dataDir, 'atrium.db'), { timeout: 30_000 })
  database.exec('PRAGMA synchronous = OFF; BEGIN IMMEDIATE')
  const ofAgent = `agent_id = '${agentId}'`
  const conversation = idSql('cnv')
  copyRow(database, 'conversations', ofAgent, rows, { id: conversation })
  // Copied from the same number of rows, so that each run finds the conversation of its number.
  copyRow(database, 'runs', ofAgent, rows, { id: idSql('run'), conversation_id: conversation })
  copyRow(database, 'documents', `collection_id = '${collectionId}'`, rows, {
    id: idSql('doc'),
    blob_id: idSql('blb'),
  })
  copyRow(database, 'audit_log', `resource_id IS NOT NULL`, rows, { id: idSql('aud') })
  database.exec(`
    UPDATE agents SET run_count = (SELECT count(*) FROM runs WHERE agent_id = agents.id),
      conversation_count = (SELECT count(*) FROM conversations WHERE agent_id = agents.id);
    UPDATE collections
      SET document_count = (SELECT count(*) FROM documents WHERE collection_id = collections.id);
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE)
  `)
}

const usersOfUsage = 20

/** As many days up to today, each with keys, agents and collections that used something, in the one workspace. */
export function seedUsage(dataDir: string, days: number): void {
  using database = new DatabaseSync(join(dataDir, 'atrium.db'), { timeout: 30_000 })
  database.exec(`
    PRAGMA synchronous = OFF;
    BEGIN IMMEDIATE;
    WITH RECURSIVE days (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM days WHERE number < ${days - 1}),
      users (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM users WHERE number < ${usersOfUsage}),
      kinds (kind, prefix) AS (VALUES ('actor', 'key'), ('agent', 'agt'), ('collection', 'col'))
    INSERT INTO usage_periods SELECT workspaces.id, 'live', kind, date('now', '-' || days.number || ' days'),
      prefix || printf('_%026d', users.number), 'Measured', 9, 3, 0, 3000, 300, 0.01, 12, 40960
    FROM workspaces, days, users, kinds WHERE true
    ON CONFLICT DO NOTHING;
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE)
  `)
}

/** Lower than any that the server makes, so the copies are the oldest rows. */
const idSql = (prefix: string): string => `'${prefix}_' || printf('%026d', number)`

function copyRow(
  database: DatabaseSync,
  table: string,
  which: string,
  rows: number,
  changed: Record<string, string>,
): void {
  const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()
  const names = columns.map(({ name }) => String(name))
  const values = names.map(name => changed[name] ?? name)
  const { count } = database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number }
  if (count >= rows) return
  database.exec(`
    WITH RECURSIVE series (number) AS (
      SELECT ${count} UNION ALL SELECT number + 1 FROM series WHERE number < ${rows - 1}
    )
    INSERT INTO ${table} (${names.join(', ')})
    SELECT ${values.join(', ')} FROM series, (SELECT * FROM ${table} WHERE ${which} ORDER BY id DESC LIMIT 1)
  `)
}
