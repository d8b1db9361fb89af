/** Collections, documents, chunks, uploads, imports and sync sessions. Times are milliseconds, offsets code points. */
import type { Access, Environment } from '../../caller.ts'
import { id, integer, json, real, table, text } from '../table.ts'

export const knowledgeTables = {
  collections: table({
    id: id().primaryKey(),
    workspace_id: id().references('workspaces'),
    environment: id<Environment>(),
    name: text(),
    description: text().nullable(),
    document_count: integer(),
    chunk_count: integer(),
    /** Of the files that its documents have now. */
    size_bytes: integer(),
    /** Of all files that are kept for it: those of earlier versions and of documents in the trash as well. */
    stored_bytes: integer().default(0),
    /** `teams` keeps it to those of `collection_teams`, besides owners and admins. */
    access: id<Access>().default('workspace'),
    /** Set while it is in the trash; then it is not there for anyone else. */
    deleted_at: integer().nullable(),
    /** When it goes for good; null if it is not in the trash. */
    erase_at: integer().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with(
    'INDEX collections_list (workspace_id, environment, id)',
    'INDEX collections_to_erase (erase_at) WHERE erase_at IS NOT NULL',
    "INDEX collections_kept (workspace_id) WHERE access = 'teams'",
  ),
  collection_teams: table({
    collection_id: id().belongsTo('collections'),
    team_id: id().belongsTo('teams'),
    created_at: integer(),
  }).with('PRIMARY KEY (collection_id, team_id)', 'INDEX collection_teams_of_team (team_id)'),
  documents: table({
    id: id().primaryKey(),
    workspace_id: id(),
    environment: id<Environment>(),
    collection_id: id().references('collections'),
    external_id: id().nullable(),
    name: text(),
    title: text().nullable(),
    /** As a caller gave it; null if `title` is what was found in the file. */
    given_title: text().nullable(),
    media_type: id(),
    size_bytes: integer(),
    sha256: id(),
    /** The latest; `status`, `blob_id` and what stands beside them are of this one. */
    version: integer(),
    /** The one that search finds: the latest, or an earlier one while that is not ready; null while none was. */
    served_version: integer().nullable(),
    status: id<'queued' | 'parsing' | 'embedding' | 'indexing' | 'ready' | 'failed'>(),
    /** From 0 to 1. */
    progress: real(),
    error_code: id().nullable(),
    error_message: text().nullable(),
    metadata: json<Record<string, unknown>>(),
    blob_id: id(),
    /** In code points; null until the text is extracted. */
    text_length: integer().nullable(),
    page_count: integer().nullable(),
    /** Of the served version. */
    chunk_count: integer(),
    /** Set while it is in the trash; then it is not there for anyone else. */
    deleted_at: integer().nullable(),
    /** When it goes for good; null if it is not in the trash. */
    erase_at: integer().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with(
    'INDEX documents_list (workspace_id, environment, id)',
    'INDEX documents_of_collection (collection_id, id)',
    'INDEX documents_by_update (workspace_id, environment, updated_at, id)',
    'INDEX documents_of_collection_by_update (collection_id, updated_at, id)',
    'INDEX documents_by_name (workspace_id, environment, name)',
    'INDEX documents_by_external_id (workspace_id, environment, external_id) WHERE external_id IS NOT NULL',
    'INDEX documents_blob (blob_id)',
    'UNIQUE INDEX documents_external_id (collection_id, external_id) WHERE external_id IS NOT NULL AND deleted_at IS NULL',
    'INDEX documents_of_content (collection_id, sha256, id)',
    'INDEX documents_to_erase (erase_at) WHERE erase_at IS NOT NULL',
    "INDEX documents_under_way (updated_at) WHERE status <> 'ready' AND status <> 'failed'",
    "INDEX documents_failed (workspace_id, environment, id) WHERE status = 'failed'",
  ),
  /** Versions that were ready and have been replaced. Their chunks stay, and are not searched. */
  document_versions: table({
    document_id: id().belongsTo('documents'),
    version: integer(),
    name: text(),
    title: text().nullable(),
    media_type: id(),
    size_bytes: integer(),
    sha256: id(),
    blob_id: id(),
    text_length: integer(),
    page_count: integer().nullable(),
    chunk_count: integer(),
    replaced_at: integer(),
  }).with('PRIMARY KEY (document_id, version)', 'INDEX document_versions_blob (blob_id)'),
  /** A version's text, cut into what is searched: the texts with their gaps, in order, are the whole of it. */
  chunks: table({
    id: id().primaryKey(),
    workspace_id: id(),
    environment: id<Environment>(),
    collection_id: id(),
    document_id: id().belongsTo('documents'),
    document_version: integer(),
    position: integer(),
    /** The headings above it, one a line. */
    headings: text(),
    text: text(),
    /** The white space between this chunk and the next. */
    gap: text(),
    page: integer().nullable(),
    start_offset: integer(),
    end_offset: integer(),
  }).with('UNIQUE (document_id, document_version, position)'),
  /** The values of documents' metadata, for filters: a row for each, and for each item of a list. */
  document_fields: table({
    document_id: id().belongsTo('documents'),
    /** Counts the document's values. */
    place: integer(),
    workspace_id: id(),
    environment: id<Environment>(),
    /** Its key in the metadata. */
    name: id(),
    /** `date` is a string that is one; `none` stands for an empty list. */
    kind: id<'string' | 'date' | 'number' | 'boolean' | 'none'>(),
    /** 1 where it is an item of a list. */
    listed: integer(),
    /** As much of `text` as the index holds. */
    text_start: id().nullable(),
    text: id().nullable(),
    /** A number, a boolean as 0 or 1, or a date's milliseconds. */
    number: real().nullable(),
  }).with(
    'PRIMARY KEY (document_id, place)',
    'INDEX document_fields_texts (workspace_id, environment, name, text_start)',
    'INDEX document_fields_numbers (workspace_id, environment, name, number)',
  ),
  uploads: table({
    id: id().primaryKey(),
    workspace_id: id().references('workspaces'),
    environment: id<Environment>(),
    collection_id: id(),
    status: id<'open' | 'finishing' | 'done' | 'failed'>(),
    /** The file's name. */
    name: text(),
    stated_media_type: text(),
    /** What the document is to get. */
    fields: json<Record<string, unknown>>(),
    /** Who began it; it becomes a document in their name. */
    caller: json<Record<string, unknown>>(),
    length_bytes: integer(),
    /** What has come and is safe. */
    offset_bytes: integer(),
    document_id: id().nullable(),
    error_code: id().nullable(),
    error_message: text().nullable(),
    /** Of the request that is appending to it. */
    lock_token: id().nullable(),
    lock_until: integer(),
    created_at: integer(),
    updated_at: integer(),
    expires_at: integer(),
  }).with('INDEX uploads_list (workspace_id, environment, id)', 'INDEX uploads_expiry (expires_at)'),
  imports: table({
    id: id().primaryKey(),
    workspace_id: id(),
    environment: id<Environment>(),
    status: id<'queued' | 'running' | 'succeeded' | 'failed'>(),
    /** From 0 to 1. */
    progress: real(),
    error_code: id().nullable(),
    error_message: text().nullable(),
    /** What the collection shall be called; null for the name that it has in the archive. */
    name: text().nullable(),
    /** The archive, until the import has ended. */
    blob_id: id(),
    size_bytes: integer(),
    /** Hidden before the import has succeeded, and erased where it fails. */
    collection_id: id().nullable(),
    document_count: integer(),
    created_at: integer(),
    updated_at: integer(),
    finished_at: integer().nullable(),
    revision: integer(),
  }).with('INDEX imports_list (workspace_id, environment, id)'),
  syncs: table({
    id: id().primaryKey(),
    workspace_id: id(),
    environment: id<Environment>(),
    collection_id: id().belongsTo('collections'),
    status: id<'open' | 'completing' | 'completed' | 'cancelled' | 'expired'>(),
    /** From 0 to 1: what may be deleted of the documents that the source had before. */
    max_delete_share: real(),
    /** Of the manifest, so far. */
    entries: integer(),
    /** These five stand once the session is completed. */
    added: integer(),
    changed: integer(),
    unchanged: integer(),
    deleted: integer(),
    failed: integer(),
    created_at: integer(),
    updated_at: integer(),
    expires_at: integer(),
    finished_at: integer().nullable(),
    revision: integer(),
  }).with(
    'INDEX syncs_list (collection_id, id)',
    "UNIQUE INDEX syncs_under_way (collection_id) WHERE status = 'open' OR status = 'completing'",
  ),
  /** The manifest. What was settled goes when the session is completed. */
  sync_entries: table({
    sync_id: id().belongsTo('syncs'),
    external_id: id(),
    sha256: id(),
    /** In the whole manifest, from 0. */
    position: integer(),
    /** Of the document as it was when the entry came; null if there was none. */
    prior_sha256: id().nullable(),
    /** 1 where the session was completed without what was asked for. */
    missing: integer<0 | 1>(),
  }).with('PRIMARY KEY (sync_id, external_id)'),
  /** Documents that a completed session has yet to delete, in the version in which they were found gone. */
  sync_deletions: table({
    sync_id: id().belongsTo('syncs'),
    document_id: id(),
    version: integer(),
  }).with('PRIMARY KEY (sync_id, document_id)'),
}
