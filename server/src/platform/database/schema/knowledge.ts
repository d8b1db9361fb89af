/** Collections, documents, chunks, uploads, imports and syncs. Times are milliseconds, offsets code points. */
import type { Access, Environment } from '../../caller.ts'
import { id, integer, json, real, table, text } from '../table.ts'

/** What a reader could not read, by its kind. */
type StoredWarning = { code: string; count: number; pages: number[] }

export const knowledgeTables = {
  collections: table({
    id: id().primaryKey(),
    workspace_id: id().references('workspaces'),
    environment: id<Environment>(),
    name: text(),
    description: text().nullable(),
    document_count: integer(),
    chunk_count: integer(),
    /** The bytes of the present files of its documents. */
    size_bytes: integer(),
    /** The bytes of all its files, including earlier versions and documents in the trash. */
    stored_bytes: integer().default(0),
    /** `teams` keeps the collection to the teams of `collection_teams`, besides owners and admins. */
    access: id<Access>().default('workspace'),
    /** Set while the collection is in the trash. Outside of the trash it then does not exist. */
    deleted_at: integer().nullable(),
    /** When the collection is erased for good; null if it is not in the trash. */
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
    /** The title that a caller gave; null if `title` was found in the file. */
    given_title: text().nullable(),
    media_type: id(),
    size_bytes: integer(),
    sha256: id(),
    /** The latest version. `status`, `blob_id` and the columns beside them describe this version. */
    version: integer(),
    /** The version that search finds: the latest, or an earlier one until that is ready; null if there is none. */
    served_version: integer().nullable(),
    status: id<'queued' | 'parsing' | 'embedding' | 'indexing' | 'ready' | 'failed'>(),
    /** From 0 to 1. */
    progress: real(),
    error_code: id().nullable(),
    error_message: text().nullable(),
    metadata: json<Record<string, unknown>>(),
    blob_id: id(),
    /** The length in code points; null until the text is extracted. */
    text_length: integer().nullable(),
    page_count: integer().nullable(),
    /** What was not read of the latest version's file. */
    warnings: json<StoredWarning[]>().default('[]'),
    /** The chunks of the served version. */
    chunk_count: integer(),
    /** Set while the document is in the trash. Outside of the trash it then does not exist. */
    deleted_at: integer().nullable(),
    /** When the document is erased for good; null if it is not in the trash. */
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
  /** Versions that were ready and have been replaced. Their chunks are kept but not searched. */
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
    warnings: json<StoredWarning[]>().default('[]'),
    chunk_count: integer(),
    replaced_at: integer(),
  }).with('PRIMARY KEY (document_id, version)', 'INDEX document_versions_blob (blob_id)'),
  /** A version's text, cut into pieces that are searched. The texts and gaps, in order, are the whole text. */
  chunks: table({
    id: id().primaryKey(),
    workspace_id: id(),
    environment: id<Environment>(),
    collection_id: id(),
    document_id: id().belongsTo('documents'),
    document_version: integer(),
    position: integer(),
    /** The headings above the chunk, one per line. */
    headings: text(),
    text: text(),
    /** The white space between this chunk and the next. */
    gap: text(),
    page: integer().nullable(),
    start_offset: integer(),
    end_offset: integer(),
  }).with('UNIQUE (document_id, document_version, position)'),
  /** Where the tables of a version's text lie, and how their columns are called. Their rows are in the text. */
  document_tables: table({
    document_id: id().belongsTo('documents'),
    document_version: integer(),
    start_offset: integer(),
    /** Where the rows below the names of the columns begin. */
    rows_offset: integer(),
    end_offset: integer(),
    page: integer().nullable(),
    /** The headings above the table, one per line. */
    headings: text(),
    /** The rows above the names of the columns, one per line. */
    titles: text(),
    /** The names of the columns, one per line; empty if the table names none. */
    columns: text(),
    column_count: integer(),
    /** The rows below the names. */
    row_count: integer(),
  }).with('PRIMARY KEY (document_id, document_version, start_offset)'),
  /** The values of documents' metadata, for filters: one row for each value, and for each item of a list. */
  document_fields: table({
    document_id: id().belongsTo('documents'),
    /** The number of the value in its document, from 0. */
    place: integer(),
    workspace_id: id(),
    environment: id<Environment>(),
    /** The value's key in the metadata. */
    name: id(),
    /** `date` is a string that is a date; `none` stands for an empty list. */
    kind: id<'string' | 'date' | 'number' | 'boolean' | 'none'>(),
    /** 1 if the value is an item of a list. */
    listed: integer(),
    /** The beginning of `text`, as much as the index holds. */
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
    /** The fields that the document will get. */
    fields: json<Record<string, unknown>>(),
    /** The caller who began the upload. The document is made in their name. */
    caller: json<Record<string, unknown>>(),
    length_bytes: integer(),
    /** The bytes that have come and are safe. */
    offset_bytes: integer(),
    document_id: id().nullable(),
    error_code: id().nullable(),
    error_message: text().nullable(),
    /** The token of the request that is appending to the upload. */
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
    /** The name for the collection; null for the name that it has in the archive. */
    name: text().nullable(),
    /** The blob of the archive, until the import has ended. */
    blob_id: id(),
    size_bytes: integer(),
    /** The collection is hidden until the import has succeeded, and erased if it fails. */
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
    /** The share of the source's earlier documents that the sync may delete, from 0 to 1. */
    max_delete_share: real(),
    /** The number of entries of the manifest so far. */
    entries: integer(),
    /** These five counts are set once the session is completed. */
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
  /** The entries of the manifest. Settled entries are deleted when the session is completed. */
  sync_entries: table({
    sync_id: id().belongsTo('syncs'),
    external_id: id(),
    sha256: id(),
    /** The place of the entry in the whole manifest, from 0. */
    position: integer(),
    /** The hash of the document when the entry came; null if there was no document. */
    prior_sha256: id().nullable(),
    /** 1 if the session was completed without the file that it had asked for. */
    missing: integer<0 | 1>(),
  }).with('PRIMARY KEY (sync_id, external_id)'),
  /** Documents that a completed session must still delete, each in the version that was found gone. */
  sync_deletions: table({
    sync_id: id().belongsTo('syncs'),
    document_id: id(),
    version: integer(),
  }).with('PRIMARY KEY (sync_id, document_id)'),
}
