/** Agents with their revisions, conversations, and runs with their steps. Times are milliseconds. */
import type { Generated } from 'kysely'
import type { Access, Environment } from '../../caller.ts'
import type { Json } from '../json.ts'

type AgentLimit = 'maxSteps' | 'maxCostUsd' | 'timeoutSeconds' | 'maxOutputTokens' | 'maxCostUsdPerMonth'

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
    /** `teams` keeps it to those of `agent_teams`, besides owners and admins. */
    access: Generated<Access>
    /** The latest, which the columns above show. */
    revision: number
    /** The one that runs. */
    published_revision: number
    /** Changes of the row, publishing included. */
    change_count: number
    fallback_model: string | null
    approval_tools: Json<string[]>
    http_hosts: Json<string[]>
    agent_ids: Json<string[]>
    connection_ids: Json<string[]>
    variables: Json<Record<string, string | null>>
    /** What is left out is not limited. */
    limits: Json<Partial<Record<AgentLimit, number | null>>>
    created_at: number
    updated_at: number
    /** A deleted agent is hidden. Its row stays, because its runs refer to it. */
    deleted_at: number | null
    /** Its runs, counted with each one: a list of very many must not count them. */
    run_count: number
    conversation_count: number
    /** What the texts of its runs take of the storage, counted as each begins, ends and is deleted. */
    run_bytes: Generated<number>
  }
  agent_teams: {
    agent_id: string
    team_id: string
    created_at: number
  }
  agent_revisions: {
    id: string
    agent_id: string
    workspace_id: string
    environment: Environment
    revision: number
    /** What runs of this revision work with; of a field that came later, older rows know nothing. */
    content: Json<{
      name: string
      model: string
      instructions: string
      collectionIds: string[]
      tools: string[]
      description?: string | null
      fallbackModel?: string | null
      approvalTools?: string[]
      httpHosts?: string[]
      agentIds?: string[]
      connectionIds?: string[]
      variables?: Record<string, string | null>
      limits?: Record<AgentLimit, number | null>
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
    /** Its number among the conversation's runs, from 1; those of a branch are counted on from where it branched. */
    turn: number
    end_user_id: string | null
    status: 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled'
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
    /** Null leaves it to the model. */
    max_output_tokens: number | null
    /** Counted from `started_at` without `waited_ms`, also where another process takes the run up. */
    timeout_ms: number
    /** On whose behalf it acts, for the worker that takes it up. */
    caller: Json<Record<string, unknown>>
    /** The member for whom it acts; null for the operator, and where a version before this column began it. */
    author_id: Generated<string | null>
    /** The collections to which the key was narrowed, as `narrowingOf` writes them; null where it was not. */
    narrowing: string | null
    /** A run within another's has the job of that one. */
    /** Empty while the run waits for others of its conversation. */
    job_id: string
    /** The run of which this is a part, the call by which it was begun, and the run at the head of them all. */
    parent_run_id: string | null
    parent_call_id: string | null
    root_run_id: string | null
    /** How long it has waited for approvals, without the wait that goes on since `waiting_since`. */
    waited_ms: number
    waiting_since: number | null
    /** The run whose inputs it repeats. */
    rerun_of: string | null
    /** The model that a rerun was asked for instead of the revision's. */
    wanted_model: string | null
    /** The JSON Schema that the answer has to fit; null for an answer in text. */
    response_schema: Json<Record<string, unknown>> | null
    structured_output: Json<unknown> | null
    /** Ids of documents. */
    attachments: Json<string[]>
    /** As the run gave them; the agent's own values stand in its revision. */
    variables: Json<Record<string, string>>
    feedback_rating: 'positive' | 'negative' | null
    feedback_comment: string | null
    feedback_end_user_id: string | null
    feedback_at: number | null
    /** Changes after its end: feedback, and words of documents that were erased. */
    change_count: Generated<number>
    /** What its texts take of the storage; of a run under way, only what it was asked. */
    stored_bytes: Generated<number>
    created_at: number
    started_at: number | null
    finished_at: number | null
  }
  /** Which runs were shown passages of which document. */
  run_documents: {
    document_id: string
    run_id: string
  }
  /** Which runs were shown what a connection's service answered. */
  run_connections: {
    connection_id: string
    run_id: string
    /** Where the connection's documents were kept then; empty where it was kept nowhere. */
    collection_id: string
  }
  /** What happened in a run, for those who follow it; texts that a model wrote, and references to what the record holds. */
  run_events: {
    run_id: string
    position: number
    type: string
    data: Json<Record<string, unknown>>
    created_at: number
  }
  /** Calls of tools that wait for an approval, or must not be made a second time. */
  run_tool_calls: {
    run_id: string
    call_id: string
    root_run_id: string
    name: string
    input: Json<unknown>
    /** When an approval was asked for, and until when there may be one; null where none is needed. */
    requested_at: number | null
    expires_at: number | null
    decision: 'approve' | 'reject' | null
    reason: string | null
    decided_by_user_id: string | null
    decided_by_key_id: string | null
    decided_at: number | null
    /** Kept before a call that is not safe to repeat is made. */
    started_at: number | null
  }
  run_steps: {
    run_id: string
    /** Counted from 1; a step that was cut short and begins again keeps its number. */
    seq: number
    type: 'model' | 'tool'
    name: string
    record: Json<Record<string, unknown>>
    started_at: number
    duration_ms: number
  }
  conversations: {
    id: string
    workspace_id: string
    environment: Environment
    agent_id: string
    end_user_id: string | null
    /** As on runs: all runs of a conversation have the same. */
    narrowing: string | null
    name: string
    /** The conversation that it branched from; null where it did not, or that one has been deleted. */
    parent_id: string | null
    /** The last run that it remembers of the one that it branched from. */
    branch_run_id: string | null
    /** The turn of that run: its own turns are counted on from there. 0 without a parent. */
    branch_turn: number
    /** How many conversations it goes back through. */
    depth: number
    /** What is remembered of the turns up to `summary_until_turn`, which no longer fit the model's window. */
    summary: string | null
    summary_until_run_id: string | null
    summary_until_turn: number | null
    /** Its runs, counted with each one. */
    run_count: number
    /** Those of them that have ended. */
    ended_count: number
    revision: number
    created_at: number
    /** When a run of it was last asked for, or it was renamed. */
    updated_at: number
  }
}
