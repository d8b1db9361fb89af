/** What a server holds that somebody made, so that a test can see whether something was left behind. */
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

/** Of workspaces that are not deleted. Runs, events and the audit log are the record of what happened, and count for nothing here. */
const made: Record<string, string> = {
  agents: "id || ' ' || revision || ' ' || published_revision AS held FROM agents WHERE deleted_at IS NULL",
  schedules: "id || ' ' || revision AS held FROM agent_schedules WHERE 1 = 1",
  triggers: "id || ' ' || revision AS held FROM agent_triggers WHERE 1 = 1",
  collections: "id || ' ' || revision AS held FROM collections WHERE 1 = 1",
  documents: "id || ' ' || revision AS held FROM documents WHERE 1 = 1",
  connections: "id || ' ' || revision AS held FROM connections WHERE 1 = 1",
  webhooks: "id || ' ' || revision AS held FROM webhooks WHERE deleted_at IS NULL AND kind = 'endpoint'",
  members: "id || ' ' || revision AS held FROM members WHERE 1 = 1",
  teams: "id || ' ' || revision AS held FROM teams WHERE 1 = 1",
  invitations: "id AS held FROM invitations WHERE status = 'pending'",
  'API keys': "id || ' ' || revision AS held FROM api_keys WHERE revoked_at IS NULL",
  'model providers': "id || ' ' || revision AS held FROM model_providers WHERE 1 = 1",
  'OAuth clients': "integration_id || ' ' || revision AS held FROM oauth_clients WHERE 1 = 1",
  uploads: "id AS held FROM uploads WHERE status = 'open'",
}
const alive = '(SELECT id FROM workspaces WHERE deletes_at IS NULL)'

/** A line for each, with its revision, in a fixed order. */
export async function whatIsHeld({ read }: Database): Promise<string[]> {
  const queries = Object.entries(made).map(
    ([what, query]) => [what, `SELECT ${query} AND workspace_id IN ${alive}`] as const,
  )
  const lists = [
    ...queries,
    ['workspaces', `SELECT id || ' ' || revision AS held FROM workspaces WHERE id IN ${alive}`] as const,
    ['sessions', 'SELECT id AS held FROM sessions'] as const,
  ].map(async ([what, query]) => {
    const { rows } = await sql.raw<{ held: string }>(query).execute(read)
    return rows.map(({ held }) => `${what}: ${held}`)
  })
  return (await Promise.all(lists)).flat().sort()
}
