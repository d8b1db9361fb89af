/** The model providers of a workspace's own. Times are milliseconds. */
import type { ProviderKind } from '../../models/providers.ts'
import type { Json } from '../json.ts'

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

export type ModelTables = {
  /** Of the workspace, not of an environment: the sandbox reaches none. */
  model_providers: {
    id: string
    workspace_id: string
    /** Unique in the workspace: what comes before the slash in the names of its models. */
    name: string
    kind: ProviderKind
    base_url: string | null
    /** Encrypted; null where the server needs none. */
    api_key: string | null
    /** What may be shown of it. */
    api_key_ending: string | null
    models: Json<StoredModel[]>
    created_by: string | null
    created_at: number
    updated_at: number
    revision: number
  }
}
