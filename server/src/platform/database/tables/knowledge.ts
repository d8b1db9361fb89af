/** Collections, documents, chunks, uploads, imports and sync sessions. Times are milliseconds, offsets code points. */
import type { Generated } from 'kysely'
import type { Access, Environment } from '../../caller.ts'
import type { Json } from '../json.ts'

export type KnowledgeTables = {
  collections: {
    id: string
    workspace_id: string
    environment: Environment
    name: string
    description: string | null
    document_count: number
    chunk_count: number
    /** Of the files that its documents have now. */
    size_bytes: number
    /** Of all files that are kept for it: those of earlier versions and of documents in the trash as well. */
    stored_bytes: Generated<number>
    /** `teams` keeps it to those of `collection_teams`, besides owners and admins. */
    access: Generated<Access>
    /** Set while it is in the trash; then it is not there for anyone else. */
    deleted_at: number | null
    /** When it goes for good; null where it is not in the trash. */
    erase_at: number | null
    created_at: number
    updated_at: number
    revision: number
  }
  collection_teams: {
    collection_id: string
    team_id: string
    created_at: number
  }
  documents: {
    id: string
    workspace_id: string
    environment: Environment
    collection_id: string
    external_id: string | null
    name: string
    title: string | null
    /** As a caller gave it; null where `title` is what was found in the file. */
    given_title: string | null
    media_type: string
    size_bytes: number
    sha256: string
    /** The latest; `status`, `blob_id` and what stands beside them are of this one. */
    version: number
    /** The one that search finds: the latest, or an earlier one while that is not ready; null while none was. */
    served_version: number | null
    status: 'queued' | 'parsing' | 'embedding' | 'indexing' | 'ready' | 'failed'
    /** From 0 to 1. */
    progress: number
    error_code: string | null
    error_message: string | null
    metadata: Json<Record<string, unknown>>
    blob_id: string
    /** In code points; null until the text is extracted. */
    text_length: number | null
    page_count: number | null
    /** Of the served version. */
    chunk_count: number
    /** Set while it is in the trash; then it is not there for anyone else. */
    deleted_at: number | null
    /** When it goes for good; null where it is not in the trash. */
    erase_at: number | null
    created_at: number
    updated_at: number
    revision: number
  }
  /** Versions that were ready and have been replaced. Their chunks stay, and are not searched. */
  document_versions: {
    document_id: string
    version: number
    name: string
    title: string | null
    media_type: string
    size_bytes: number
    sha256: string
    blob_id: string
    text_length: number
    page_count: number | null
    chunk_count: number
    replaced_at: number
  }
  /** A version's text, cut into what is searched: the texts with their gaps, in order, are the whole of it. */
  chunks: {
    id: string
    workspace_id: string
    environment: Environment
    collection_id: string
    document_id: string
    document_version: number
    position: number
    /** The headings above it, one a line. */
    headings: string
    text: string
    /** The white space between this chunk and the next. */
    gap: string
    page: number | null
    start_offset: number
    end_offset: number
  }
  /** The values of documents' metadata, for filters: a row for each, and for each item of a list. */
  document_fields: {
    document_id: string
    /** Counts the document's values. */
    place: number
    workspace_id: string
    environment: Environment
    /** Its key in the metadata. */
    name: string
    /** `date` is a string that is one; `none` stands for an empty list. */
    kind: 'string' | 'date' | 'number' | 'boolean' | 'none'
    /** 1 where it is an item of a list. */
    listed: number
    /** As much of `text` as the index holds. */
    text_start: string | null
    text: string | null
    /** A number, a boolean as 0 or 1, or a date's milliseconds. */
    number: number | null
  }
  imports: {
    id: string
    workspace_id: string
    environment: Environment
    status: 'queued' | 'running' | 'succeeded' | 'failed'
    /** From 0 to 1. */
    progress: number
    error_code: string | null
    error_message: string | null
    /** What the collection shall be called; null for the name that it has in the archive. */
    name: string | null
    /** The archive, until the import has ended. */
    blob_id: string
    size_bytes: number
    /** Hidden before the import has succeeded, and erased where it fails. */
    collection_id: string | null
    document_count: number
    created_at: number
    updated_at: number
    finished_at: number | null
    revision: number
  }
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
