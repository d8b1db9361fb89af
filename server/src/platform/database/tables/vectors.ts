/** Vectors: how a model sees each chunk, and what of it search scans. */
import type { Generated } from 'kysely'
import type { Environment } from '../../caller.ts'

export type VectorTables = {
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
