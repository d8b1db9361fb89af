/** Connections to outside services, and the authorizations under way. */
import type { Migration } from '../ddl.ts'

export const integrationsMigration: Migration = {
  number: 5,
  name: 'integrations',
  up: ({ id, text, json, integer }) => [
    `CREATE TABLE connections (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      environment ${id} NOT NULL,
      integration_id ${id} NOT NULL,
      name ${text} NOT NULL,
      status ${id} NOT NULL,
      config ${json} NOT NULL,
      account ${json},
      scopes ${json} NOT NULL,
      credentials ${text},
      credentials_expire_at ${integer},
      refresh_lease_until ${integer},
      expires_at ${integer},
      last_sync_at ${integer},
      last_error ${json},
      created_by ${id},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      revision ${integer} NOT NULL
    )`,
    'CREATE INDEX connections_list ON connections (workspace_id, environment, id)',
    `CREATE TABLE oauth_states (
      state_hash ${id} PRIMARY KEY,
      connection_id ${id} NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
      workspace_id ${id} NOT NULL,
      environment ${id} NOT NULL,
      code_verifier ${text} NOT NULL,
      redirect_url ${text},
      expires_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )`,
    'CREATE INDEX oauth_states_of_connection ON oauth_states (connection_id)',
    'CREATE INDEX oauth_states_expiry ON oauth_states (expires_at)',
  ],
}
