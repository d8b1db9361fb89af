/** Agents with their revisions, runs with their steps. Times are milliseconds. */
import type { Environment } from '../../caller.ts'
import type { Json } from '../json.ts'

export type AgentTables = {
  agents: {
    id: string
    workspace_id: string
    environment: Environment
    name: string
    description: string | null
    model: string
    instructions: string
    collection_ids: Json<string[]>
    tools: Json<string[]>
    status: 'active' | 'paused'
    revision: number
    created_at: number
    updated_at: number
    /** A deleted agent stays as what its runs refer to; nobody sees it any more. */
    deleted_at: number | null
    /** Its runs, counted with each one: a list of very many must not count them. */
    run_count: number
  }
  agent_revisions: {
    id: string
    agent_id: string
    workspace_id: string
    environment: Environment
    revision: number
    /** What runs of this revision work with. */
    content: Json<{
      name: string
      model: string
      instructions: string
      collectionIds: string[]
      tools: string[]
    }>
    created_by: string | null
    created_at: number
  }
  runs: {
    id: string
    workspace_id: string
    environment: Environment
    agent_id: string
    agent_revision: number
    conversation_id: string
    end_user_id: string | null
    status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
    prompt: string
    output: string | null
    citations: Json<Record<string, unknown>[]>
    /** The model as it really was; null until the run has begun. */
    model: string | null
    input_tokens: number
    output_tokens: number
    /** Null where the model's price is not known. */
    cost_usd: number | null
    error_code: string | null
    error_message: string | null
    metadata: Json<Record<string, unknown>>
    max_steps: number
    max_cost_usd: number | null
    /** Counted from `started_at`, also where another process takes the run up. */
    timeout_ms: number
    /** On whose behalf it acts, for the worker that takes it up. */
    caller: Json<Record<string, unknown>>
    /** The collections to which the key was narrowed, as `narrowingOf` writes them; null where it was not. */
    narrowing: string | null
    job_id: string
    created_at: number
    started_at: number | null
    finished_at: number | null
  }
  /** Which runs were shown passages of which document. */
  run_documents: {
    document_id: string
    run_id: string
  }
  run_steps: {
    run_id: string
    /** Counted from 1; a step that was cut short and begun anew keeps its number. */
    seq: number
    type: 'model' | 'tool'
    name: string
    record: Json<Record<string, unknown>>
    started_at: number
    duration_ms: number
  }
}
