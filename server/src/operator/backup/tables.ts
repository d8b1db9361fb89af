/** Which tables a backup holds, in the order in which they can be filled again: a row after those that it refers to. */

export const backedUpTables = [
  'meta',
  'workspaces',
  'users',
  'members',
  'invitations',
  'teams',
  'team_members',
  'api_keys',
  'api_key_secrets',
  'audit_log',
  'events',
  'idempotency',
  'jobs',
  'collections',
  'documents',
  'document_versions',
  'document_fields',
  'imports',
  'chunks',
  'syncs',
  'sync_entries',
  'sync_deletions',
  'uploads',
  'embedding_models',
  'collection_embeddings',
  'chunk_vectors',
  'embedding_usage',
  'model_providers',
  'agents',
  'agent_revisions',
  'conversations',
  'runs',
  'run_steps',
  'run_events',
  'run_tool_calls',
  'run_documents',
  'usage_months',
  'connections',
  'oauth_states',
] as const
export type BackedUpTable = (typeof backedUpTables)[number]

/** The search index: made from the chunks again, since each engine keeps it in a form of its own. */
export const derivedTables = [
  'search_postings',
  'search_vectors',
  'search_chunks',
  'search_terms',
  'search_languages',
  'search_segments',
  'search_collections',
  'search_indexes',
] as const

/** What belongs to the database itself and not to what is in it. */
export const foreignTables = ['schema_migrations', 'rate_limits'] as const
