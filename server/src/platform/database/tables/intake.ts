/** Sync sessions and resumable uploads. Times are milliseconds. */
import type { Environment } from '../../caller.ts'
import type { Json } from '../json.ts'

export type IntakeTables = {
  syncs: {
    id: string
    workspace_id: string
    environment: Environment
    collection_id: string
    status: 'open' | 'completing' | 'completed' | 'cancelled' | 'expired'
    /** From 0 to 1: what may be deleted of the documents that the source had before. */
    max_delete_share: number
    /** Of the manifest, so far. */
    entries: number
    /** These five stand once the session is completed. */
    added: number
    changed: number
    unchanged: number
    deleted: number
    failed: number
    created_at: number
    updated_at: number
    expires_at: number
    finished_at: number | null
    revision: number
  }
  /** The manifest. What was settled goes when the session is completed. */
  sync_entries: {
    sync_id: string
    external_id: string
    sha256: string
    /** In the whole manifest, from 0. */
    position: number
    /** Of the document as it was when the entry came; null where there was none. */
    prior_sha256: string | null
    /** 1 where the session was completed without what was asked for. */
    missing: 0 | 1
  }
  /** Documents that a completed session has yet to delete, in the version in which they were found gone. */
  sync_deletions: {
    sync_id: string
    document_id: string
    version: number
  }
  uploads: {
    id: string
    workspace_id: string
    environment: Environment
    collection_id: string
    status: 'open' | 'finishing' | 'done' | 'failed'
    /** The file's name. */
    name: string
    stated_media_type: string
    /** What the document is to get. */
    fields: Json<Record<string, unknown>>
    /** Who began it; it becomes a document in their name. */
    caller: Json<Record<string, unknown>>
    length_bytes: number
    /** What has come and is safe. */
    offset_bytes: number
    document_id: string | null
    error_code: string | null
    error_message: string | null
    /** Of the request that is appending to it. */
    lock_token: string | null
    lock_until: number
    created_at: number
    updated_at: number
    expires_at: number
  }
}
