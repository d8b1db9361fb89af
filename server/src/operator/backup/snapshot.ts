/** One consistent view of a whole database, read table by table. Lists a backup's tables in the order of filling. */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { DatabaseSettings } from '../../platform/database/open.ts'
import { connectionConfig } from '../../platform/database/postgres/postgres.ts'

export const backedUpTables = [
  'meta',
  'workspaces',
  'users',
  'accounts',
  'sessions',
  'verifications',
  'two_factors',
  'members',
  'invitations',
  'teams',
  'team_members',
  'api_keys',
  'api_key_secrets',
  'app_clients',
  'app_codes',
  'app_refresh_tokens',
  'app_devices',
  'audit_log',
  'events',
  'webhooks',
  'callback_secrets',
  'webhook_deliveries',
  'webhook_attempts',
  'idempotency',
  'jobs',
  'collections',
  'collection_teams',
  'documents',
  'document_versions',
  'document_fields',
  'imports',
  'chunks',
  'document_tables',
  'syncs',
  'sync_entries',
  'sync_deletions',
  'uploads',
  'embedding_models',
  'collection_embeddings',
  'chunk_vectors',
  'embedding_usage',
  'model_providers',
  'learned_fields',
  'agents',
  'agent_teams',
  'agent_revisions',
  'agent_schedules',
  'agent_triggers',
  'trigger_deliveries',
  'browser_tokens',
  'public_chats',
  'conversations',
  'conversation_teams',
  'conversation_openings',
  'openai_conversations',
  'runs',
  'run_steps',
  'run_events',
  'run_tool_calls',
  'run_documents',
  'run_connections',
  'usage_periods',
  'connections',
  'connection_tools',
  'connection_syncs',
  'connection_items',
  'oauth_states',
  'connect_links',
  'device_authorizations',
  'oauth_clients',
] as const
export type BackedUpTable = (typeof backedUpTables)[number]

/** The search index: built again from the chunks, since each engine stores it in its own form. */
export const derivedTables = [
  'search_postings',
  'search_blocks',
  'search_vectors',
  'search_chunks',
  'search_terms',
  'search_languages',
  'search_segments',
  'search_collections',
  'search_indexes',
] as const

/** Tables about the database itself, not about its content. */
export const foreignTables = [
  'schema_migrations',
  'rate_limits',
  'nodes',
  'schedules',
  'job_verdicts',
] as const

export type Row = Record<string, unknown>

export type Snapshot = {
  /** The number of the last migration that was applied to the database. */
  schemaVersion: number
  /** Every row of the table, page by page. */
  rows(table: BackedUpTable): AsyncIterable<Row[]>
  close(): Promise<void>
}

const rowsAtOnce = 500

export const openSnapshot = (settings: DatabaseSettings): Promise<Snapshot> =>
  settings.engine === 'sqlite' ? openSqliteSnapshot(settings.file) : openPostgresSnapshot(settings.url)

async function openSqliteSnapshot(file: string): Promise<Snapshot> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  database.exec('BEGIN')
  // The snapshot begins with the first read; later changes of the file are not visible.
  const version = database.prepare('SELECT max(number) AS version FROM schema_migrations').get()
  return {
    schemaVersion: Number(version?.version),
    async *rows(table) {
      let page: Row[] = []
      for (const row of database.prepare(`SELECT * FROM ${table}`).iterate()) {
        page.push(row)
        if (page.length < rowsAtOnce) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    close: async () => database.close(),
  }
}

async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = new pg.Client({ ...connectionConfig(url, 'atrium-backup'), connectionTimeoutMillis: 10_000 })
  // If the connection is lost, the query that needs it fails.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const { rows } = await client.query('SELECT max(number) AS version FROM schema_migrations')
  return {
    schemaVersion: Number(rows[0]?.version),
    async *rows(table) {
      await client.query(`DECLARE backup_rows NO SCROLL CURSOR FOR SELECT * FROM ${table}`)
      for (;;) {
        const fetched = await client.query<Row>(`FETCH ${rowsAtOnce} FROM backup_rows`)
        if (fetched.rows.length === 0) break
        yield fetched.rows
      }
      await client.query('CLOSE backup_rows')
    },
    close: () => client.end(),
  }
}
