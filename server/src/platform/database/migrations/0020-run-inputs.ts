/** What a run is given besides its prompt: documents, variables, and the schema that its answer has to fit. */
import type { Migration } from '../ddl.ts'

export const runInputsMigration: Migration = {
  number: 20,
  name: 'run-inputs',
  up: ({ json }) => [
    `ALTER TABLE runs ADD COLUMN response_schema ${json}`,
    `ALTER TABLE runs ADD COLUMN structured_output ${json}`,
    `ALTER TABLE runs ADD COLUMN attachments ${json} NOT NULL DEFAULT '[]'`,
    `ALTER TABLE runs ADD COLUMN variables ${json} NOT NULL DEFAULT '{}'`,
  ],
}
