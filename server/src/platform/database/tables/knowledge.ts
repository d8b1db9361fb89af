/** Collections, documents and their chunks. Times are milliseconds, offsets code points of the document's text. */
import type { Environment } from '../../caller.ts'
import type { Json } from '../json.ts'
import type { SearchTables } from './search.ts'

type Tables = {
  collections: {
    id: string
    workspace_id: string
    environment: Environment
    name: string
    description: string | null
    document_count: number
    chunk_count: number
    size_bytes: number
    /** Set while its documents are being erased; from then on it is not there any more. */
    deleted_at: number | null
    created_at: number
    updated_at: number
    revision: number
  }
  documents: {
    id: string
    workspace_id: string
    environment: Environment
    collection_id: string
    external_id: string | null
    name: string
    title: string | null
    media_type: string
    size_bytes: number
    sha256: string
    version: number
    status: 'queued' | 'parsing' | 'indexing' | 'ready' | 'failed'
    /** From 0 to 1. */
    progress: number
    error_code: string | null
    error_message: string | null
    metadata: Json<Record<string, unknown>>
    blob_id: string
    /** In code points; null until the text is extracted. */
    text_length: number | null
    page_count: number | null
    chunk_count: number
    /** Set while it is being erased; from then on it is not there any more. */
    deleted_at: number | null
    created_at: number
    updated_at: number
    revision: number
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
}

export type KnowledgeTables = Tables & SearchTables
