/** What the texts of runs take of a workspace's storage: of each run, and of each agent over all of its runs. */
import type { Migration } from '../ddl.ts'

export const storedRunsMigration: Migration = {
  number: 32,
  name: 'stored runs',
  up: ({ integer }) => [
    `ALTER TABLE runs ADD COLUMN stored_bytes ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE agents ADD COLUMN run_bytes ${integer} NOT NULL DEFAULT 0`,
    // Deleted agents are among them, whose runs are kept.
    'CREATE INDEX agents_of_environment ON agents (workspace_id, environment)',
    `UPDATE runs SET stored_bytes = octet_length(prompt) + coalesce(octet_length(output), 0)
      + coalesce(octet_length(structured_output), 0) + coalesce(octet_length(response_schema), 0)
      + octet_length(citations) + octet_length(metadata) + octet_length(variables)
      + coalesce((SELECT sum(octet_length(record)) FROM run_steps WHERE run_id = runs.id), 0)
      + coalesce((SELECT sum(octet_length(data)) FROM run_events WHERE run_id = runs.id), 0)
      + coalesce((SELECT sum(octet_length(input)) FROM run_tool_calls WHERE run_id = runs.id), 0)`,
    `UPDATE agents SET run_bytes =
      coalesce((SELECT sum(stored_bytes) FROM runs WHERE agent_id = agents.id), 0)`,
  ],
}
