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
    created_at: number
    updated_at: number
    revision: number
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
    expires_at: number
    created_at: number
  }
}
