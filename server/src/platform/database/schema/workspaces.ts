/** Workspaces with their people, teams, keys, audit log, idempotency and providers. Times are milliseconds. */
import type { AppAudience, Environment, Permission, Plan, Role } from '../../caller.ts'
import type { ProviderKind } from '../../models/providers.ts'
import type { Filter } from '../../narrowing.ts'
import { id, integer, json, real, table, text } from '../table.ts'

export const workspacesTables = {
  workspaces: table({
    id: id().primaryKey(),
    name: text(),
    slug: id().unique(),
    plan: id<Plan>(),
    /** Requests per minute, if the operator set a number; null means the plan's number. */
    rate_limit: integer().nullable(),
    /** What its runs may cost in a calendar month, in each environment; null means no limit. */
    monthly_cost_limit_usd: real().nullable(),
    /** The workspace's data key, encrypted under the master key. */
    data_key: text(),
    /** When the workspace is erased. From then on it cannot be restored; null unless somebody deleted it. */
    deletes_at: integer().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with('INDEX workspaces_deleted (deletes_at) WHERE deletes_at IS NOT NULL'),
  users: table({
    id: id().primaryKey(),
    name: text(),
    email: id().unique(),
    email_verified: integer(),
    image: text().nullable(),
    two_factor_enabled: integer().default(0),
    created_at: integer(),
    updated_at: integer(),
  }),
  members: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    user_id: id().references('users'),
    role: id<Role>(),
    kind: id<'person' | 'service'>(),
    joined_at: integer(),
    last_active_at: integer().nullable(),
    revision: integer(),
  }).with('UNIQUE (workspace_id, user_id)', 'INDEX members_of_user (user_id)'),
  invitations: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    email: id(),
    role: id<Role>(),
    team_ids: json<string[]>(),
    message: text().nullable(),
    status: id<'pending' | 'accepted' | 'declined' | 'revoked' | 'expired'>(),
    /** Keyed hash of the token in the link that was handed out last. */
    token_hash: id().unique(),
    delivery: id<'queued' | 'sent' | 'failed' | 'link' | 'simulated'>(),
    delivery_error: text().nullable(),
    invited_by: id().nullable(),
    expires_at: integer(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with(
    'INDEX invitations_list (workspace_id, environment, id)',
    "UNIQUE INDEX invitations_pending (workspace_id, environment, email) WHERE status = 'pending'",
  ),
  teams: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    name: text(),
    description: text().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with('UNIQUE (workspace_id, name)'),
  team_members: table({
    team_id: id().belongsTo('teams'),
    member_id: id().belongsTo('members'),
    created_at: integer(),
  }).with('PRIMARY KEY (team_id, member_id)', 'INDEX team_members_of_member (member_id)'),
  api_keys: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    user_id: id().references('users'),
    name: text(),
    permissions: json<Permission[]>(),
    expires_at: integer().nullable(),
    revoked_at: integer().nullable(),
    allowed_addresses: json<string[]>().nullable(),
    agent_ids: json<string[]>().nullable(),
    collection_ids: json<string[]>().nullable(),
    /** Only documents that match exist for the key. */
    filter: json<Filter>().nullable(),
    /** Set if a person gave the key to an app by OAuth. */
    app_client_id: text().nullable(),
    /** The host that the app's authorization was sent to, for people. */
    app_host: text().nullable(),
    app_audience: id<AppAudience>().nullable(),
    last_used_at: integer().nullable(),
    last_used_address: text().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with(
    'INDEX api_keys_list (workspace_id, id)',
    'INDEX api_keys_of_apps (user_id, id) WHERE app_client_id IS NOT NULL',
  ),
  api_key_secrets: table({
    /** HMAC-SHA-256 of the whole key under the pepper of that version, in hexadecimal. */
    secret_hash: id().primaryKey(),
    pepper_version: integer(),
    key_id: id().belongsTo('api_keys'),
    /** The last four characters of the key, to tell keys apart. */
    last_four: id(),
    /** Set on the older secret of a rotated key. */
    expires_at: integer().nullable(),
    created_at: integer(),
  }).with('INDEX api_key_secrets_of_key (key_id)'),
  audit_log: table({
    id: id().primaryKey(),
    workspace_id: id(),
    environment: id<Environment>(),
    actor: id<'key' | 'person' | 'operator' | 'system'>(),
    user_id: id().nullable(),
    key_id: id().nullable(),
    action: id(),
    resource_id: id().nullable(),
    details: json<Record<string, unknown>>(),
    address: text().nullable(),
    request_id: id(),
    created_at: integer(),
    /** 1 if another entry of the same request stands for this entry. */
    is_part: integer(),
  }).with(
    'INDEX audit_log_list (workspace_id, id, environment)',
    // A list skips any number of parts without reading them.
    'INDEX audit_log_changes (workspace_id, id, environment) WHERE is_part = 0',
  ),
  idempotency: table({
    id: id().primaryKey(),
    key_id: id(),
    idempotency_key: id(),
    operation: id(),
    /** SHA-256 of the request; null until the body has been read. */
    fingerprint: id().nullable(),
    /** How far the caller reached; null if an earlier version took the lock. */
    reach: id().nullable(),
    state: id<'locked' | 'done'>(),
    /** The record that the request's transaction made or changed; tells a lost reply from a lost request. */
    resource_id: id().nullable(),
    status: integer().nullable(),
    headers: json<Record<string, string>>().nullable(),
    body: text().nullable(),
    lease_until: integer(),
    created_at: integer(),
    expires_at: integer(),
  }).with(
    'UNIQUE (key_id, idempotency_key)',
    'INDEX idempotency_expiry (expires_at)',
    'INDEX idempotency_resource (resource_id) WHERE resource_id IS NOT NULL',
  ),
  meta: table({
    name: id().primaryKey(),
    value: text(),
  }),
}

/** What the workspace says about one of the provider's models. */
type StoredModel = {
  id: string
  contextTokens?: number
  seesImages?: boolean
  price?: {
    inputUsdPerMillionTokens: number
    cachedInputUsdPerMillionTokens?: number
    outputUsdPerMillionTokens: number
  }
}

export const modelsTables = {
  /** Providers belong to the workspace, not to an environment: the sandbox reaches none of them. */
  model_providers: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    /** Unique in the workspace: the part before the slash in the names of the provider's models. */
    name: id(),
    kind: id<ProviderKind>(),
    base_url: text().nullable(),
    /** Encrypted; null if the server needs none. */
    api_key: text().nullable(),
    /** The end of the key, which may be shown. */
    api_key_ending: text().nullable(),
    models: json<StoredModel[]>(),
    created_by: id().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with(
    'UNIQUE INDEX model_providers_name (workspace_id, name)',
    'INDEX model_providers_list (workspace_id, id)',
  ),
  /** Fields of requests that a model's server has refused, and what is sent instead. */
  learned_fields: table({
    /** The id of a workspace's provider, or the name and address of the operator's. */
    provider: id(),
    /** The model's name at the provider. */
    model: id(),
    field: id(),
    /** Null for a provider of the operator. */
    workspace_id: id().nullable().belongsTo('workspaces'),
    instead: text(),
    /** The server's words. */
    because: text(),
    learned_at: integer(),
  }).with('PRIMARY KEY (provider, model, field)', 'INDEX learned_fields_of_workspace (workspace_id)'),
}
