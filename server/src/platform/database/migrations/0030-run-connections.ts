/** Which runs were shown what a connection's service answered, and which collection events of connections concern. */
import type { Migration } from '../ddl.ts'

const insert = 'INSERT INTO run_connections (connection_id, run_id, collection_id)'

export const runConnectionsMigration: Migration = {
  number: 30,
  name: 'run connections',
  up: ({ id, engine }) => [
    `CREATE TABLE run_connections (
      connection_id ${id} NOT NULL,
      run_id ${id} NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      collection_id ${id} NOT NULL,
      PRIMARY KEY (connection_id, run_id, collection_id)
    )`,
    'CREATE INDEX run_connections_of_run ON run_connections (run_id)',
    'CREATE INDEX run_connections_of_collection ON run_connections (collection_id)',
    // Which connection a step used was not written down: each that its agent was bound to, and that has such a tool, counts.
    `${insert}
      SELECT DISTINCT connections.id, runs.id, coalesce(connections.sync_collection_id, '')
      FROM run_steps
        JOIN runs ON runs.id = run_steps.run_id
        JOIN agent_revisions ON agent_revisions.agent_id = runs.agent_id
          AND agent_revisions.revision = runs.agent_revision
        JOIN connections ON connections.workspace_id = runs.workspace_id
          AND connections.environment = runs.environment
      WHERE run_steps.type = 'tool'
        AND run_steps.name LIKE replace(connections.integration_id, '-', '_') || '_%'
        AND agent_revisions.content LIKE '%' || connections.id || '%'
      ON CONFLICT DO NOTHING`,
    // What agents have told each other: the run at the head was shown what its parts were, and they what it was.
    `${insert}
      SELECT DISTINCT used.connection_id, part.root_run_id, used.collection_id
      FROM runs AS part JOIN run_connections AS used ON used.run_id = part.id
      WHERE part.root_run_id IS NOT NULL
      ON CONFLICT DO NOTHING`,
    `${insert}
      SELECT DISTINCT used.connection_id, part.id, used.collection_id
      FROM runs AS part JOIN run_connections AS used ON used.run_id = part.root_run_id
      WHERE part.root_run_id IS NOT NULL
      ON CONFLICT DO NOTHING`,
    // A narrowed key saw the events of all connections.
    `UPDATE events SET collection_id = (
        SELECT sync_collection_id FROM connections WHERE connections.id = ${
          engine === 'sqlite' ? "json_extract(events.data, '$.id')" : "(events.data::json ->> 'id')"
        }
      )
      WHERE type LIKE 'connection.%' AND collection_id IS NULL`,
  ],
}
