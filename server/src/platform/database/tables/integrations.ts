/** Connections to outside services, and the authorizations under way. Times are milliseconds. */
import type { Environment } from '../../caller.ts'
import type { Json } from '../json.ts'

/** `expired` is told from `pending` by the time when a connection is read. */
export type StoredConnectionStatus = 'pending' | 'active' | 'needs_reauth' | 'failed' | 'revoked'

export type IntegrationTables = {
  connections: {
    id: string
    workspace_id: string
    environment: Environment
    integration_id: string
    name: string
    status: StoredConnectionStatus
    config: Json<Record<string, unknown>>
    account: Json<{ id: string; name: string }> | null
    scopes: Json<string[]>
    /** The service's credentials as encrypted JSON; null where there are none, or none any more. */
    credentials: string | null
    /** When the access token stops working; null where it does not, or where the service does not say. */
    credentials_expire_at: number | null
    /** Until when one process has the refresh for itself. */
    refresh_lease_until: number | null
    /** When a pending connection expires. */
    expires_at: number | null
    last_sync_at: number | null
    last_error: Json<{ code: string; message: string; at: number }> | null
    created_by: string | null
    /** What it is kept in sync with; null before the first sync. */
    sync_collection_id: string | null
    /** Null where only a person or program begins a sync. */
    sync_every_minutes: number | null
    next_sync_at: number | null
    /** The service's own mark of how far the last sync came; null where everything has to be listed. */
    sync_since: string | null
    /** When everything was listed last. */
    last_full_at: number | null
    /** The person who set the schedule: its syncs run in their name. */
    sync_user_id: string | null
    created_at: number
    updated_at: number
    revision: number
  }
  connection_syncs: {
    id: string
    workspace_id: string
    environment: Environment
    connection_id: string
    collection_id: string
    status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
    phase: 'listing' | 'fetching' | 'removing'
    started_by: 'request' | 'schedule'
    acting_user_id: string | null
    is_full: 0 | 1
    since: string | null
    /** What the listing said that the next sync shall give as `since`. */
    next_since: string | null
    /** Where the listing goes on. */
    page: string | null
    /** A page that was passed, by which a listing that goes in circles is known. */
    landmark: string | null
    pages: number
    listed: number
    added: number
    changed: number
    unchanged: number
    deleted: number
    failed: number
    confirm_deletes: number | null
    /** The sync session of the collection that deletes what is gone. */
    session_id: string | null
    /** By the sessions before that one. */
    deleted_before: number
    waiting_until: number | null
    /** How often in a row the service could not be had. */
    setbacks: number
    error_code: string | null
    error_message: string | null
    job_id: string | null
    /** Of the attempt that works on it: no other one may write. */
    claim: string | null
    created_at: number
    started_at: number | null
    updated_at: number
    finished_at: number | null
    revision: number
  }
  /** What a connection is known to hold, and the document that each thing became. */
  connection_items: {
    connection_id: string
    external_id: string
    workspace_id: string
    environment: Environment
    collection_id: string
    /** As it was listed last. */
    version: string
    title: string | null
    data: Json<unknown> | null
    /** 1 where this version has not been fetched. */
    pending: 0 | 1
    /** 1 where the service does not have it any more. */
    gone: 0 | 1
    /** The sync in which it was listed last, and the one in which it was fetched last. */
    seen_in: string | null
    tried_in: string | null
    /** In that sync. */
    attempts: number
    /** Of its document's content; null where there never was any. */
    sha256: string | null
    document_id: string | null
    error_code: string | null
    error_message: string | null
    updated_at: number
  }
  oauth_states: {
    /** Keyed hash of the `state` that went to the service. */
    state_hash: string
    connection_id: string
    workspace_id: string
    environment: Environment
    /** The PKCE verifier, encrypted. */
    code_verifier: string
    redirect_url: string | null
    /** Keyed hash of the cookie that the answer has to come with; null where any browser may bring it. */
    browser_hash: string | null
    /** The OAuth client that asks. */
    client_id: string | null
    /** 1 where a connection that was active gets new credentials, and keeps the old ones until then. */
    is_reconnect: 0 | 1 | null
    expires_at: number
    created_at: number
  }
  /** Pages that send a person to the service, by the keyed hash of the token in their address. */
  connect_links: {
    token_hash: string
    connection_id: string
    workspace_id: string
    environment: Environment
    redirect_url: string | null
    is_reconnect: 0 | 1
    expires_at: number
    created_at: number
  }
  /** Authorizations that a person gives at another device (RFC 8628). */
  device_authorizations: {
    connection_id: string
    workspace_id: string
    environment: Environment
    /** Encrypted. */
    device_code: string
    client_id: string
    interval_seconds: number
    is_reconnect: 0 | 1
    expires_at: number
    created_at: number
  }
  /** A workspace's own OAuth clients, in both environments; they go before the operator's. */
  oauth_clients: {
    workspace_id: string
    integration_id: string
    client_id: string
    /** Encrypted. */
    client_secret: string
    created_by: string | null
    created_at: number
    updated_at: number
    revision: number
  }
}
