/** The connections that an agent's tools may use. */
import type { Migration } from '../ddl.ts'

export const agentConnectionsMigration: Migration = {
  number: 29,
  name: 'agent connections',
  up: ({ json }) => [`ALTER TABLE agents ADD COLUMN connection_ids ${json} NOT NULL DEFAULT '[]'`],
}
