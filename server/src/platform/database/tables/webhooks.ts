/** Webhooks, what was delivered to them, and each attempt at it. Times are milliseconds. */
import type { Environment } from '../../caller.ts'
import type { Json } from '../json.ts'

export type WebhookTables = {
  /** An endpoint outside that is told of events. */
  webhooks: {
    id: string
    workspace_id: string
    environment: Environment
    url: string
    description: string | null
    /** Null where it is told of all. */
    event_types: Json<string[]> | null
    /** The narrowing of the key that made it: it is told of no more than that key could read. */
    agent_ids: Json<string[]> | null
    collection_ids: Json<string[]> | null
    /** The two as one text, so that a narrowed key finds the endpoints of its own narrowing; empty without one. */
    narrowing: string
    enabled: number
    disabled_reason: 'manual' | 'gone' | 'failing' | 'creator_lost_access' | null
    /** Encrypted; null once the endpoint is deleted. */
    secret: string | null
    /** Signed with as well until it runs out. */
    previous_secret: string | null
    previous_secret_expires_at: number | null
    /** How often in a row nothing that was sent at once was taken. */
    failures: number
    /** Since when nothing has succeeded; null while it works. */
    failing_since: number | null
    last_failure_at: number | null
    /** Nothing is sent before that. */
    paused_until: number | null
    /** It is not there any more, and its deliveries are being erased. */
    deleted_at: number | null
    created_by: string | null
    created_at: number
    updated_at: number
    revision: number
  }
  webhook_deliveries: {
    id: string
    webhook_id: string
    /** The event may be gone before its delivery is. */
    event_id: string
    event_type: string
    origin: 'event' | 'test' | 'redelivery' | 'replay'
    status: 'pending' | 'delivered' | 'failed'
    /** Why it was given up. */
    error: string | null
    attempts: number
    /** Null once it has ended. */
    next_attempt_at: number | null
    created_at: number
    finished_at: number | null
  }
  webhook_attempts: {
    delivery_id: string
    number: number
    url: string
    started_at: number
    duration_ms: number
    /** Null where no reply came. */
    status_code: number | null
    reply_headers: Json<Record<string, string>> | null
    reply_body: string | null
    error: string | null
  }
}
