/** More ways to a connection: a page of our own, a code typed at another device, an OAuth client of the workspace's own. */
import type { Migration } from '../ddl.ts'

export const connectionAuthMigration: Migration = {
  number: 28,
  name: 'connection auth',
  up: ({ id, text, integer }) => [
    // Null where the address was handed out as it is, without a page that knows the browser.
    `ALTER TABLE oauth_states ADD COLUMN browser_hash ${id}`,
    `ALTER TABLE oauth_states ADD COLUMN client_id ${text}`,
    `ALTER TABLE oauth_states ADD COLUMN is_reconnect ${integer}`,
    `CREATE TABLE connect_links (
      token_hash ${id} PRIMARY KEY,
      connection_id ${id} NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
      workspace_id ${id} NOT NULL,
      environment ${id} NOT NULL,
      redirect_url ${text},
      is_reconnect ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )`,
    'CREATE INDEX connect_links_of_connection ON connect_links (connection_id)',
    'CREATE INDEX connect_links_expiry ON connect_links (expires_at)',
    `CREATE TABLE device_authorizations (
      connection_id ${id} PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
      workspace_id ${id} NOT NULL,
      environment ${id} NOT NULL,
      device_code ${text} NOT NULL,
      client_id ${text} NOT NULL,
      interval_seconds ${integer} NOT NULL,
      is_reconnect ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )`,
    'CREATE INDEX device_authorizations_expiry ON device_authorizations (expires_at)',
    `CREATE TABLE oauth_clients (
      workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      integration_id ${id} NOT NULL,
      client_id ${text} NOT NULL,
      client_secret ${text} NOT NULL,
      created_by ${id},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      revision ${integer} NOT NULL,
      PRIMARY KEY (workspace_id, integration_id)
    )`,
    `CREATE INDEX connections_refresh ON connections (credentials_expire_at)
      WHERE credentials_expire_at IS NOT NULL`,
  ],
}
