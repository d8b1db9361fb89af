/** The search index: what chunks are found by, the statistics by which they are ranked, and vectors. */
import type { Generated } from 'kysely'
import type { Environment } from '../../caller.ts'

export type SearchTables = {
  /** One index per workspace and environment; lengths are in terms without stop words, summed over its chunks. */
  search_indexes: {
    number: Generated<number>
    workspace_id: string
    environment: Environment
    chunk_count: number
    /** Title, headings and text together. */
    body_length: number
    title_length: number
    name_length: number
    headings_length: number
    /** Chunks that have the field at all. */
    title_count: number
    name_count: number
    headings_count: number
  }
  search_collections: {
    number: Generated<number>
    collection_id: string
    index_number: number
    chunk_count: number
    /** 1 from the moment on when it is removed; nothing of it is found from then on. */
    removed: number
    /** The place in the collection that its next chunk takes; none is ever taken again. */
    next_place: number
  }
  /** How many chunks of an index contain a term, by the impact that it has in them. */
  search_terms: {
    index_number: number
    term: string
    level_0: number
    level_1: number
    level_2: number
    level_3: number
  }
  /** Chunks that were indexed together, numbered without a gap. */
  search_segments: {
    first_number: number
    last_number: number
    index_number: number
    collection_number: number
    document_id: string
    document_version: number
    /** 1 where it is found; 0 before its version is published and after another has taken its place. */
    live: number
    /** The version of the analysis by which its chunks were indexed. */
    analysis: number
  }
  /** How many chunks of an index are of a language. */
  search_languages: {
    index_number: number
    language: string
    chunk_count: number
  }
  search_chunks: {
    /** The collection's number × 2^30 + the chunk's place in it. */
    number: number
    chunk_id: string
    document_id: string
    /** The chunk's terms by field, as `encodeTerms` writes them. */
    terms: Uint8Array
  }
  /** The inverted index: FTS5 on SQLite, a `tsvector` under a GIN index on PostgreSQL. `rowid` is the chunk's number. */
  search_postings: {
    rowid: number
    tokens: string
  }
  /** Every model that vectors were ever made by. */
  embedding_models: {
    number: number
    name: string
    dimensions: number
  }
  /** How a collection stands with its vectors; there is no row before the first. */
  collection_embeddings: {
    collection_id: string
    /** The model whose vectors serve; null before any does. */
    model_number: number | null
    /** 1 while chunks that are found have no vector yet. */
    pending: number
    /** Why the last attempt to make them failed. */
    error_code: string | null
    error_message: string | null
  }
  /** They live as long as their chunks, and are what the same text is not embedded twice for. */
  chunk_vectors: {
    chunk_id: string
    model_number: number
    workspace_id: string
    environment: Environment
    /** SHA-256 of what was embedded, in hexadecimal. */
    text_hash: string
    /** The sign of each number: the lowest bit of the first byte is the first number's. */
    bits: Uint8Array
    /** Numbers of 32 bits, lowest byte first; the vector's length is 1. */
    vector: Uint8Array
  }
  /** The vectors' part in the search index: it comes and goes with a chunk's postings. */
  search_vectors: {
    sequence: Generated<number>
    index_number: number
    model_number: number
    /** The chunk's number in the search index. */
    number: number
    bits: Uint8Array
  }
  /** What providers were asked for. */
  embedding_usage: {
    workspace_id: string
    environment: Environment
    model: string
    texts: number
    /** Those that had a vector already, and were not sent. */
    reused_texts: number
    tokens: number
  }
}
