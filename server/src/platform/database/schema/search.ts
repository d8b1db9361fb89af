/** The search index: what finds chunks, the statistics that rank them, and vectors. */
import type { Environment } from '../../caller.ts'
import { bytes, counted, type Ddl, handmade, id, integer, sequence, table, text } from '../table.ts'

export const searchTables = {
  /** One index per workspace and environment. Lengths are terms without stop words, summed over its chunks. */
  search_indexes: table({
    number: counted(),
    workspace_id: id(),
    environment: id<Environment>(),
    chunk_count: integer(),
    /** The length of title, headings and text together. */
    body_length: integer(),
    title_length: integer(),
    name_length: integer(),
    headings_length: integer(),
    /** The number of chunks that have the field at all. */
    title_count: integer(),
    name_count: integer(),
    headings_count: integer(),
  }).with('UNIQUE (workspace_id, environment)'),
  /** How many chunks of an index are in a language. */
  search_languages: table({
    index_number: integer().references('search_indexes', 'number'),
    language: id(),
    chunk_count: integer(),
  }).with('PRIMARY KEY (index_number, language)'),
  search_collections: table({
    number: counted(),
    collection_id: id().unique(),
    index_number: integer().references('search_indexes', 'number'),
    chunk_count: integer(),
    /** 1 once the collection is being removed. Search finds nothing of it from then on. */
    removed: integer(),
    /** The place in the collection for its next chunk. No place is ever used twice. */
    next_place: integer(),
  }).with('INDEX search_collections_of_index (index_number)'),
  /** How many chunks of an index contain a term, by the term's impact in them. */
  search_terms: table({
    index_number: integer(),
    term: id(),
    level_0: integer(),
    level_1: integer(),
    level_2: integer(),
    level_3: integer(),
  })
    .with('PRIMARY KEY (index_number, term)')
    .stored({ sqlite: 'WITHOUT ROWID', postgres: 'WITH (fillfactor = 60)' }),
  /** Chunks that were indexed together; their numbers have no gap. */
  search_segments: table({
    first_number: integer().primaryKey(),
    last_number: integer(),
    index_number: integer().references('search_indexes', 'number'),
    collection_number: integer().references('search_collections', 'number'),
    document_id: id(),
    document_version: integer(),
    /** 1 if search finds the segment; 0 before its version is published and after another one has replaced it. */
    live: integer(),
    /** The version of the analysis that indexed its chunks. */
    analysis: integer(),
  }).with(
    'INDEX search_segments_of_document (document_id)',
    'INDEX search_segments_hidden (index_number) WHERE live = 0',
    'INDEX search_segments_analysis (analysis, document_id)',
  ),
  /** The chunks that have a common term, in blocks of chunk numbers, as `index/postings.ts` packs them. */
  search_blocks: table({
    index_number: integer(),
    term: id(),
    block: integer(),
    postings: bytes(),
  })
    .with('PRIMARY KEY (index_number, term, block)')
    .stored({ sqlite: 'WITHOUT ROWID', postgres: 'WITH (fillfactor = 60)' }),
  search_chunks: table({
    /** The collection's number × 2^30 + the chunk's place in it. */
    number: integer().primaryKey(),
    chunk_id: id(),
    document_id: id(),
    /** The chunk's terms by field, as `encodeTerms` writes them. */
    terms: bytes(),
  }),
  /** Every model that ever made vectors. */
  embedding_models: table({
    number: integer().primaryKey(),
    name: id().unique(),
    dimensions: integer(),
  }),
  /** The state of a collection's vectors. There is no row before its first vector. */
  collection_embeddings: table({
    collection_id: id().primaryKey().belongsTo('collections'),
    /** The model whose vectors are searched; null before there are any. */
    model_number: integer().nullable().references('embedding_models', 'number'),
    /** 1 while chunks that search finds have no vector yet. */
    pending: integer(),
    /** Why the last attempt to make vectors failed. */
    error_code: id().nullable(),
    error_message: text().nullable(),
  }),
  /** Vectors live as long as their chunks, and are reused, so that the same text is not embedded twice. */
  chunk_vectors: table({
    chunk_id: id().belongsTo('chunks'),
    model_number: integer().references('embedding_models', 'number'),
    workspace_id: id(),
    environment: id<Environment>(),
    /** SHA-256 of the text that was embedded, in hexadecimal. */
    text_hash: id(),
    /** The sign of each number. The lowest bit of the first byte belongs to the first number. */
    bits: bytes(),
    /** Numbers of 32 bits, lowest byte first; the vector's length is 1. */
    vector: bytes(),
  }).with(
    'PRIMARY KEY (chunk_id, model_number)',
    'INDEX chunk_vectors_text (workspace_id, environment, model_number, text_hash)',
  ),
  /** The vectors in the search index. They come and go with a chunk's postings. */
  search_vectors: table({
    sequence: sequence(),
    index_number: integer(),
    model_number: integer(),
    /** The chunk's number in the search index. */
    number: integer(),
    bits: bytes(),
  }).with('UNIQUE (number, model_number)', 'INDEX search_vectors_new (index_number, model_number, sequence)'),
  /** What embedding providers were asked for. */
  embedding_usage: table({
    workspace_id: id(),
    environment: id<Environment>(),
    model: id(),
    texts: integer(),
    /** Texts that had a vector already and were not sent. */
    reused_texts: integer(),
    tokens: integer(),
  }).with('PRIMARY KEY (workspace_id, environment, model)'),
  /** The inverted index: FTS5 on SQLite, a `tsvector` with GIN on PostgreSQL. `rowid` is the chunk's number. */
  search_postings: handmade<{ rowid: number; tokens: string }>(postings),
}

/** The server makes the tokens. For FTS5 they are words of ASCII letters, digits and all characters beyond ASCII. */
function postings({ engine }: Ddl): string[] {
  if (engine === 'sqlite') {
    return [
      `CREATE VIRTUAL TABLE search_postings USING fts5 (
        tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
      )`,
    ]
  }
  return [
    'CREATE TABLE search_postings (rowid BIGINT PRIMARY KEY, tokens TSVECTOR NOT NULL)',
    // Without this setting PostgreSQL keeps new rows in a list, and every lookup reads all of that list.
    'CREATE INDEX search_postings_tokens ON search_postings USING gin (tokens) WITH (fastupdate = off)',
  ]
}
