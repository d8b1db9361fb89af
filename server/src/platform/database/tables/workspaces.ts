/** Workspaces and what surrounds them: people, members, teams, keys, the audit log, idempotency. Times are milliseconds. */
import type { Generated } from 'kysely'
import type { Environment, Permission, Plan, Role } from '../../caller.ts'
import type { Json } from '../json.ts'

export type WorkspaceTables = {
  workspaces: {
    id: string
    name: string
    slug: string
    plan: Plan
    /** Requests a minute where the operator set a number of its own; null means the plan's. */
    rate_limit: number | null
    /** What its runs may cost in a calendar month, in each environment; null where there is no limit. */
    monthly_cost_limit_usd: number | null
    /** The workspace's data key, encrypted under the master key. */
    data_key: string
    /** When it is erased, from which on nothing of it can be had back; null unless somebody deleted it. */
    deletes_at: number | null
    created_at: number
    updated_at: number
    revision: number
  }
  users: {
    id: string
    name: string
    email: string
    email_verified: number
    image: string | null
    two_factor_enabled: Generated<number>
    created_at: number
    updated_at: number
  }
  members: {
    id: string
    workspace_id: string
    user_id: string
    role: Role
    kind: 'person' | 'service'
    joined_at: number
    last_active_at: number | null
    revision: number
  }
  invitations: {
    id: string
    workspace_id: string
    environment: Environment
    email: string
    role: Role
    team_ids: Json<string[]>
    message: string | null
    status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired'
    /** Keyed hash of the token of the link that was handed out last. */
    token_hash: string
    delivery: 'queued' | 'sent' | 'failed' | 'link' | 'simulated'
    delivery_error: string | null
    invited_by: string | null
    expires_at: number
    created_at: number
    updated_at: number
    revision: number
  }
  teams: {
    id: string
    workspace_id: string
    name: string
    description: string | null
    created_at: number
    updated_at: number
    revision: number
  }
  team_members: {
    team_id: string
    member_id: string
    created_at: number
  }
  api_keys: {
    id: string
    workspace_id: string
    environment: Environment
    user_id: string
    name: string
    permissions: Json<Permission[]>
    expires_at: number | null
    revoked_at: number | null
    allowed_addresses: Json<string[]> | null
    agent_ids: Json<string[]> | null
    collection_ids: Json<string[]> | null
    last_used_at: number | null
    last_used_address: string | null
    created_at: number
    updated_at: number
    revision: number
  }
  api_key_secrets: {
    /** HMAC-SHA-256 of the whole key under the pepper of that version, in hexadecimal. */
    secret_hash: string
    pepper_version: number
    key_id: string
    /** The last four characters of the key, to tell keys apart. */
    last_four: string
    /** Set on the older secret of a rotated key. */
    expires_at: number | null
    created_at: number
  }
  audit_log: {
    id: string
    workspace_id: string
    environment: Environment
    actor: 'key' | 'person' | 'operator' | 'system'
    user_id: string | null
    key_id: string | null
    action: string
    resource_id: string | null
    details: Json<Record<string, unknown>>
    address: string | null
    request_id: string
    created_at: number
    /** 1 where another entry of the same request stands for it. */
    is_part: number
  }
  idempotency: {
    id: string
    key_id: string
    idempotency_key: string
    operation: string
    /** SHA-256 of the request; null until the body has been read. */
    fingerprint: string | null
    /** How far the caller reached; null where the lock was taken by an earlier version. */
    reach: string | null
    state: 'locked' | 'done'
    /** The record that the request's transaction made or changed; tells a lost reply from a lost request. */
    resource_id: string | null
    status: number | null
    headers: Json<Record<string, string>> | null
    body: string | null
    lease_until: number
    created_at: number
    expires_at: number
  }
  meta: {
    name: string
    value: string
  }
}
