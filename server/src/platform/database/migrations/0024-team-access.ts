/** Collections and agents that are kept to some teams, and who began a run. */
import type { Migration } from '../ddl.ts'

export const teamAccessMigration: Migration = {
  number: 24,
  name: 'team-access',
  up: ({ id, integer }) => [
    `ALTER TABLE collections ADD COLUMN access ${id} NOT NULL DEFAULT 'workspace'`,
    `ALTER TABLE agents ADD COLUMN access ${id} NOT NULL DEFAULT 'workspace'`,
    "CREATE INDEX collections_kept ON collections (workspace_id) WHERE access = 'teams'",
    "CREATE INDEX agents_kept ON agents (workspace_id) WHERE access = 'teams'",
    `CREATE TABLE collection_teams (
      collection_id ${id} NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
      team_id ${id} NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (collection_id, team_id)
    )`,
    'CREATE INDEX collection_teams_of_team ON collection_teams (team_id)',
    `CREATE TABLE agent_teams (
      agent_id ${id} NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      team_id ${id} NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (agent_id, team_id)
    )`,
    'CREATE INDEX agent_teams_of_team ON agent_teams (team_id)',
    `ALTER TABLE runs ADD COLUMN author_id ${id}`,
    // What agents have told each other: the run at the head was shown what its parts were, and they what it was.
    `INSERT INTO run_documents (document_id, run_id)
      SELECT DISTINCT shown.document_id, part.root_run_id
      FROM runs AS part JOIN run_documents AS shown ON shown.run_id = part.id
      WHERE part.root_run_id IS NOT NULL
      ON CONFLICT DO NOTHING`,
    `INSERT INTO run_documents (document_id, run_id)
      SELECT DISTINCT shown.document_id, part.id
      FROM runs AS part JOIN run_documents AS shown ON shown.run_id = part.root_run_id
      WHERE part.root_run_id IS NOT NULL
      ON CONFLICT DO NOTHING`,
  ],
}
