/** Connections to outside services, and the authorizations in progress. Times are milliseconds. */
import type { OAuth } from '@atrium/connectors'
import type { Environment } from '../../caller.ts'
import { id, integer, json, table, text } from '../table.ts'

/** A connection that is `pending` after its time is over is read as `expired`. */
export type StoredConnectionStatus = 'pending' | 'active' | 'needs_reauth' | 'failed' | 'revoked'

export type StoredOAuth = OAuthGiver & {
  /** The terms and client of the tokens in use, while a reconnection is in progress. */
  earlier?: OAuthGiver | undefined
  /** The scopes that the server asked for in addition when it refused a call. */
  wanted?: string[]
}

export type OAuthGiver = {
  terms: OAuth
  client: { id: string; secret: string | null }
}

/** The parts of a tool that its hash pins. */
export type ToolDefinition = {
  name: string
  description: string
  inputSchema: Record<string, unknown>
  annotations: Record<string, unknown>
}

export const integrationsTables = {
  connections: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    integration_id: id(),
    name: text(),
    status: id<StoredConnectionStatus>(),
    config: json<Record<string, unknown>>(),
    account: json<{ id: string; name: string }>().nullable(),
    scopes: json<string[]>(),
    /** The service's credentials as encrypted JSON; null if there are none, or none any more. */
    credentials: text().nullable(),
    /** When the access token expires; null if it does not, or if the service does not say. */
    credentials_expire_at: integer().nullable(),
    /** How a person authorizes the connection, if the connected server told; the client's secret is encrypted. */
    oauth: json<StoredOAuth>().nullable(),
    /** Until when one process alone may refresh the credentials. */
    refresh_lease_until: integer().nullable(),
    /** When a pending connection expires. */
    expires_at: integer().nullable(),
    last_sync_at: integer().nullable(),
    last_error: json<{ code: string; message: string; at: number }>().nullable(),
    created_by: id().nullable(),
    /** The collection that the connection is kept in sync with; null before the first sync. */
    sync_collection_id: id().nullable(),
    /** Null if syncs begin only on request. */
    sync_every_minutes: integer().nullable(),
    next_sync_at: integer().nullable(),
    /** The service's own mark of how far the last sync came; null if everything must be listed. */
    sync_since: text().nullable(),
    /** When everything was listed last. */
    last_full_at: integer().nullable(),
    /** The person who set the schedule: its syncs run in their name. */
    sync_user_id: id().nullable(),
    /** When the connected server last listed its tools; null if never, or if they may have changed since. */
    tools_listed_at: integer().nullable(),
    /** What was left out of that list, and why. */
    tools_note: text().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with(
    'INDEX connections_list (workspace_id, environment, id)',
    // A sync deletes from its collection, so a collection has one source at the most.
    'UNIQUE INDEX connections_sync_target (sync_collection_id) WHERE sync_collection_id IS NOT NULL',
    'INDEX connections_sync_due (next_sync_at) WHERE next_sync_at IS NOT NULL',
    'INDEX connections_refresh (credentials_expire_at) WHERE credentials_expire_at IS NOT NULL',
  ),
  /** The tools of connected servers: as the server offers them now, and as a person accepted them. */
  connection_tools: table({
    connection_id: id().belongsTo('connections'),
    /** The name by which agents call the tool. Its ending tells the tools of different connections apart. */
    name: id(),
    workspace_id: id(),
    environment: id<Environment>(),
    /** The tool's name on the server. */
    remote_name: text(),
    /** Null if the server no longer lists the tool. */
    offered: json<ToolDefinition>().nullable(),
    offered_hash: id().nullable(),
    /** Why the tool cannot be used as it is offered. */
    fault: text().nullable(),
    /** Null if no person accepted the tool, or if a person turned it off. */
    accepted: json<ToolDefinition>().nullable(),
    accepted_hash: id().nullable(),
    accepted_by: id().nullable(),
    accepted_at: integer().nullable(),
    needs_approval: integer<0 | 1>(),
    created_at: integer(),
    updated_at: integer(),
  }).with(
    'PRIMARY KEY (connection_id, name)',
    'UNIQUE INDEX connection_tools_name (workspace_id, environment, name)',
  ),
  connection_syncs: table({
    id: id().primaryKey(),
    workspace_id: id(),
    environment: id<Environment>(),
    connection_id: id().belongsTo('connections'),
    collection_id: id(),
    status: id<'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'>(),
    phase: id<'listing' | 'fetching' | 'removing'>(),
    started_by: id<'request' | 'schedule'>(),
    acting_user_id: id().nullable(),
    is_full: integer<0 | 1>(),
    since: text().nullable(),
    /** The mark from the listing that the next sync passes as `since`. */
    next_since: text().nullable(),
    /** The page where the listing continues. */
    page: text().nullable(),
    /** A page that the listing has passed. If it comes again, the listing goes in circles. */
    landmark: text().nullable(),
    pages: integer(),
    listed: integer(),
    added: integer(),
    changed: integer(),
    unchanged: integer(),
    deleted: integer(),
    failed: integer(),
    confirm_deletes: integer().nullable(),
    /** The sync session of the collection that deletes the items that are gone. */
    session_id: id().nullable(),
    /** How many documents the earlier sessions of this sync deleted. */
    deleted_before: integer(),
    waiting_until: integer().nullable(),
    /** How many times in a row the service was not available. */
    setbacks: integer(),
    error_code: id().nullable(),
    error_message: text().nullable(),
    job_id: id().nullable(),
    /** The token of the attempt that works on the sync. No other attempt may write. */
    claim: id().nullable(),
    created_at: integer(),
    started_at: integer().nullable(),
    updated_at: integer(),
    finished_at: integer().nullable(),
    revision: integer(),
  }).with(
    'INDEX connection_syncs_list (connection_id, id)',
    'INDEX connection_syncs_ended (finished_at) WHERE finished_at IS NOT NULL',
    'UNIQUE INDEX connection_syncs_under_way (connection_id) WHERE finished_at IS NULL',
  ),
  /** The items that a connection is known to hold, and the document that each item became. */
  connection_items: table({
    connection_id: id(),
    external_id: id(),
    workspace_id: id(),
    environment: id<Environment>(),
    collection_id: id(),
    /** The version that was last listed. */
    version: text(),
    title: text().nullable(),
    data: json().nullable(),
    /** 1 if this version has not been fetched. */
    pending: integer<0 | 1>(),
    /** 1 if the service no longer has the item. */
    gone: integer<0 | 1>(),
    /** The sync that last listed the item, and the sync that last tried to fetch it. */
    seen_in: id().nullable(),
    tried_in: id().nullable(),
    /** How often `tried_in` has tried to fetch the item. */
    attempts: integer(),
    /** Hash of the document's content; null if there never was any content. */
    sha256: id().nullable(),
    document_id: id().nullable(),
    error_code: id().nullable(),
    error_message: text().nullable(),
    updated_at: integer(),
  }).with(
    'PRIMARY KEY (connection_id, external_id)',
    'INDEX connection_items_pending (connection_id, external_id) WHERE pending = 1',
    'INDEX connection_items_gone (connection_id, external_id) WHERE gone = 1',
    'INDEX connection_items_of_workspace (workspace_id)',
  ),
  oauth_states: table({
    /** Keyed hash of the `state` that went to the service. */
    state_hash: id().primaryKey(),
    connection_id: id().belongsTo('connections'),
    workspace_id: id(),
    environment: id<Environment>(),
    /** The PKCE verifier, encrypted. */
    code_verifier: text(),
    redirect_url: text().nullable(),
    /** Keyed hash of the cookie that must come with the answer; null if any browser may bring the answer. */
    browser_hash: id().nullable(),
    /** The OAuth client that asks. */
    client_id: text().nullable(),
    /** 1 if an active connection gets new credentials and keeps the old ones until then. */
    is_reconnect: integer<0 | 1>().nullable(),
    expires_at: integer(),
    created_at: integer(),
  }).with('INDEX oauth_states_of_connection (connection_id)', 'INDEX oauth_states_expiry (expires_at)'),
  /** Pages that send a person to the service, by the keyed hash of the token in their address. */
  connect_links: table({
    token_hash: id().primaryKey(),
    connection_id: id().belongsTo('connections'),
    workspace_id: id(),
    environment: id<Environment>(),
    redirect_url: text().nullable(),
    is_reconnect: integer<0 | 1>(),
    expires_at: integer(),
    created_at: integer(),
  }).with('INDEX connect_links_of_connection (connection_id)', 'INDEX connect_links_expiry (expires_at)'),
  /** Authorizations that a person gives on another device (RFC 8628). */
  device_authorizations: table({
    connection_id: id().primaryKey().belongsTo('connections'),
    workspace_id: id(),
    environment: id<Environment>(),
    /** Encrypted. */
    device_code: text(),
    client_id: text(),
    interval_seconds: integer(),
    is_reconnect: integer<0 | 1>(),
    expires_at: integer(),
    created_at: integer(),
  }).with('INDEX device_authorizations_expiry (expires_at)'),
  /** A workspace's own OAuth clients, for both environments. They take precedence over the operator's. */
  oauth_clients: table({
    workspace_id: id().belongsTo('workspaces'),
    integration_id: id(),
    client_id: text(),
    /** Encrypted. */
    client_secret: text(),
    created_by: id().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with('PRIMARY KEY (workspace_id, integration_id)'),
}
