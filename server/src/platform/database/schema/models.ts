/** The model providers of a workspace's own. Times are milliseconds. */
import type { ProviderKind } from '../../models/providers.ts'
import { id, integer, json, table, text } from '../table.ts'

/** What the workspace says of one of the provider's models. */
export type StoredModel = {
  id: string
  contextTokens?: number
  seesImages?: boolean
  price?: {
    inputUsdPerMillionTokens: number
    cachedInputUsdPerMillionTokens?: number
    outputUsdPerMillionTokens: number
  }
}

export const modelsTables = {
  /** Of the workspace, not of an environment: the sandbox reaches none. */
  model_providers: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    /** Unique in the workspace: what comes before the slash in the names of its models. */
    name: id(),
    kind: id<ProviderKind>(),
    base_url: text().nullable(),
    /** Encrypted; null if the server needs none. */
    api_key: text().nullable(),
    /** What may be shown of it. */
    api_key_ending: text().nullable(),
    models: json<StoredModel[]>(),
    created_by: id().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with(
    'UNIQUE INDEX model_providers_name (workspace_id, name)',
    'INDEX model_providers_list (workspace_id, id)',
  ),
}
