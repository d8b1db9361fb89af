/** Workspaces, people, members, invitations, teams, keys, the audit log and idempotency. */
import type { Ddl } from '../ddl.ts'

export const workspacesSchema = ({ id, text, json, integer, real }: Ddl): string[] => [
  `CREATE TABLE workspaces (
    id ${id} PRIMARY KEY,
    name ${text} NOT NULL,
    slug ${id} NOT NULL UNIQUE,
    plan ${id} NOT NULL,
    rate_limit ${integer},
    data_key ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    revision ${integer} NOT NULL,
    monthly_cost_limit_usd ${real},
    deletes_at ${integer}
  )`,
  'CREATE INDEX workspaces_deleted ON workspaces (deletes_at) WHERE deletes_at IS NOT NULL',
  `CREATE TABLE users (
    id ${id} PRIMARY KEY,
    name ${text} NOT NULL,
    email ${id} NOT NULL UNIQUE,
    email_verified ${integer} NOT NULL,
    image ${text},
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    two_factor_enabled ${integer} NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE members (
    id ${id} PRIMARY KEY,
    workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id ${id} NOT NULL REFERENCES users (id),
    role ${id} NOT NULL,
    kind ${id} NOT NULL,
    joined_at ${integer} NOT NULL,
    last_active_at ${integer},
    revision ${integer} NOT NULL,
    UNIQUE (workspace_id, user_id)
  )`,
  'CREATE INDEX members_of_user ON members (user_id)',
  `CREATE TABLE invitations (
    id ${id} PRIMARY KEY,
    workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    environment ${id} NOT NULL,
    email ${id} NOT NULL,
    role ${id} NOT NULL,
    team_ids ${json} NOT NULL,
    message ${text},
    status ${id} NOT NULL,
    token_hash ${id} NOT NULL UNIQUE,
    delivery ${id} NOT NULL,
    delivery_error ${text},
    invited_by ${id},
    expires_at ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    revision ${integer} NOT NULL
  )`,
  'CREATE INDEX invitations_list ON invitations (workspace_id, environment, id)',
  `CREATE UNIQUE INDEX invitations_pending ON invitations (workspace_id, environment, email)
    WHERE status = 'pending'`,
  `CREATE TABLE teams (
    id ${id} PRIMARY KEY,
    workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    name ${text} NOT NULL,
    description ${text},
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    revision ${integer} NOT NULL,
    UNIQUE (workspace_id, name)
  )`,
  `CREATE TABLE team_members (
    team_id ${id} NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    member_id ${id} NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, member_id)
  )`,
  'CREATE INDEX team_members_of_member ON team_members (member_id)',
  `CREATE TABLE api_keys (
    id ${id} PRIMARY KEY,
    workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    environment ${id} NOT NULL,
    user_id ${id} NOT NULL REFERENCES users (id),
    name ${text} NOT NULL,
    permissions ${json} NOT NULL,
    expires_at ${integer},
    revoked_at ${integer},
    allowed_addresses ${json},
    agent_ids ${json},
    collection_ids ${json},
    last_used_at ${integer},
    last_used_address ${text},
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    revision ${integer} NOT NULL
  )`,
  'CREATE INDEX api_keys_list ON api_keys (workspace_id, id)',
  `CREATE TABLE api_key_secrets (
    secret_hash ${id} PRIMARY KEY,
    pepper_version ${integer} NOT NULL,
    key_id ${id} NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    last_four ${id} NOT NULL,
    expires_at ${integer},
    created_at ${integer} NOT NULL
  )`,
  'CREATE INDEX api_key_secrets_of_key ON api_key_secrets (key_id)',
  `CREATE TABLE audit_log (
    id ${id} PRIMARY KEY,
    workspace_id ${id} NOT NULL,
    environment ${id} NOT NULL,
    actor ${id} NOT NULL,
    user_id ${id},
    key_id ${id},
    action ${id} NOT NULL,
    resource_id ${id},
    details ${json} NOT NULL,
    address ${text},
    request_id ${id} NOT NULL,
    created_at ${integer} NOT NULL,
    is_part ${integer} NOT NULL DEFAULT 0
  )`,
  'CREATE INDEX audit_log_list ON audit_log (workspace_id, id, environment)',
  // A list skips any number of parts without reading them.
  'CREATE INDEX audit_log_changes ON audit_log (workspace_id, id, environment) WHERE is_part = 0',
  // A reply without a reach is never repeated.
  `CREATE TABLE idempotency (
    id ${id} PRIMARY KEY,
    key_id ${id} NOT NULL,
    idempotency_key ${id} NOT NULL,
    operation ${id} NOT NULL,
    fingerprint ${id},
    state ${id} NOT NULL,
    resource_id ${id},
    status ${integer},
    headers ${json},
    body ${text},
    lease_until ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    expires_at ${integer} NOT NULL,
    reach ${id},
    UNIQUE (key_id, idempotency_key)
  )`,
  'CREATE INDEX idempotency_expiry ON idempotency (expires_at)',
  'CREATE INDEX idempotency_resource ON idempotency (resource_id) WHERE resource_id IS NOT NULL',
  `CREATE TABLE meta (
    name ${id} PRIMARY KEY,
    value ${text} NOT NULL
  )`,
]
