/** Agents with their revisions, conversations, and runs with their steps. Times are milliseconds. */
import type { Access, Environment, PageRunFields } from '../../caller.ts'
import type { ModelParameters } from '../../models/parameters.ts'
import type { Filter } from '../../narrowing.ts'
import { id, integer, json, real, table, text } from '../table.ts'

/** What a model is told of a function that the caller's program runs. */
type StoredFunction = { name: string; description?: string; inputSchema: Record<string, unknown> }

/** `stopped` by the server: `stopped_reason` says why. */
type StarterStatus = 'active' | 'paused' | 'stopped'
type StopReason = 'access_ended' | 'permission_missing' | 'agent_unreachable'
/** Why the last run could not begin. */
type StarterError = { code: string; message: string; at: number }

export type StoredFeedback = { rating: 'positive' | 'negative'; comment: string | null; at: number }

/** What may be used in an hour or a day; null is not limited. */
export type VisitorAllowance = { maxRuns: number; maxTokens: number | null; maxCostUsd: number | null }

type AgentLimit = 'maxSteps' | 'maxCostUsd' | 'timeoutSeconds' | 'maxOutputTokens' | 'maxCostUsdPerMonth'

export const agentsTables = {
  agents: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    name: text(),
    description: text().nullable(),
    model: text(),
    instructions: text(),
    collection_ids: json<string[]>(),
    tools: json<string[]>(),
    status: id<'active' | 'paused'>(),
    /** `teams` keeps it to those of `agent_teams`, besides owners and admins. */
    access: id<Access>().default('workspace'),
    /** 1 where viewers may run it, in conversations of their own. */
    viewers_may_run: integer().default(0),
    /** 1 for the one agent of an environment whose runs have the model that their request names. */
    serves_models: integer().default(0),
    /** The latest, which the columns above show. */
    revision: integer(),
    /** The one that runs. */
    published_revision: integer(),
    /** Changes of the row, publishing included. */
    change_count: integer(),
    fallback_model: text().nullable(),
    approval_tools: json<string[]>(),
    functions: json<StoredFunction[]>().default('[]'),
    http_hosts: json<string[]>(),
    agent_ids: json<string[]>(),
    connection_ids: json<string[]>(),
    variables: json<Record<string, string | null>>(),
    /** What is left out is not limited. */
    limits: json<Partial<Record<AgentLimit, number | null>>>(),
    /** What is left out is the provider's default. */
    model_parameters: json<Partial<ModelParameters & { lenient: boolean }>>().default('{}'),
    created_at: integer(),
    updated_at: integer(),
    /** A deleted agent is hidden. Its row stays, because its runs refer to it. */
    deleted_at: integer().nullable(),
    /** Its runs, counted with each one: a list of very many must not count them. */
    run_count: integer(),
    conversation_count: integer(),
    /** What the texts of its runs take of the storage, counted as each begins, ends and is deleted. */
    run_bytes: integer().default(0),
  }).with(
    'INDEX agents_list (workspace_id, environment, id) WHERE deleted_at IS NULL',
    "INDEX agents_kept (workspace_id) WHERE access = 'teams'",
    'UNIQUE INDEX agents_of_models (workspace_id, environment) WHERE serves_models = 1 AND deleted_at IS NULL',
    // Includes deleted agents: their runs are kept and count for the storage.
    'INDEX agents_of_environment (workspace_id, environment)',
  ),
  agent_teams: table({
    agent_id: id().belongsTo('agents'),
    team_id: id().belongsTo('teams'),
    created_at: integer(),
  }).with('PRIMARY KEY (agent_id, team_id)', 'INDEX agent_teams_of_team (team_id)'),
  agent_revisions: table({
    id: id().primaryKey(),
    agent_id: id().belongsTo('agents'),
    workspace_id: id(),
    environment: id<Environment>(),
    revision: integer(),
    /** What runs of this revision work with; of a field that came later, older rows know nothing. */
    content: json<{
      name: string
      model: string
      instructions: string
      collectionIds: string[]
      tools: string[]
      description?: string | null
      fallbackModel?: string | null
      approvalTools?: string[]
      functions?: StoredFunction[]
      httpHosts?: string[]
      agentIds?: string[]
      connectionIds?: string[]
      variables?: Record<string, string | null>
      limits?: Record<AgentLimit, number | null>
      modelParameters?: ModelParameters & { lenient: boolean }
    }>(),
    created_by: id().nullable(),
    created_at: integer(),
  }).with('UNIQUE (agent_id, revision)'),
  conversations: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    agent_id: id().belongsTo('agents'),
    /** The person whose it is; null if it is the workspace's, as those are that keys begin. */
    owner_id: id().nullable(),
    /** With whom the person shares it: everybody in the workspace, or those of `conversation_teams`. */
    shared_with: id<Access>().nullable(),
    end_user_id: text().nullable(),
    /** As on runs: all runs of a conversation have the same. */
    narrowing: text().nullable(),
    /** What its first run was narrowed to: no run of it reads more. Null for all collections, and all documents. */
    collection_ids: json<string[]>().nullable(),
    filter: json<Filter>().nullable(),
    name: text(),
    /** The conversation that it branched from; null if it did not, or that one has been deleted. */
    parent_id: id().nullable(),
    /** The last run that it remembers of the one that it branched from. */
    branch_run_id: id().nullable(),
    /** The turn of that run: its own turns are counted on from there. 0 without a parent. */
    branch_turn: integer(),
    /** How many conversations it goes back through. */
    depth: integer(),
    /** What is remembered of the turns up to `summary_until_turn`, which no longer fit the model's window. */
    summary: text().nullable(),
    summary_until_run_id: id().nullable(),
    summary_until_turn: integer().nullable(),
    /** Its runs, counted with each one. */
    run_count: integer(),
    /** Those of them that have ended. */
    ended_count: integer(),
    revision: integer(),
    created_at: integer(),
    /** When a run of it was last asked for, or it was renamed. */
    updated_at: integer(),
  }).with(
    'INDEX conversations_list (workspace_id, environment, id)',
    'INDEX conversations_of_agent (agent_id, id)',
    'INDEX conversations_by_update (workspace_id, environment, updated_at, id)',
    'INDEX conversations_of_end_user_by_update (workspace_id, environment, end_user_id, updated_at, id) WHERE end_user_id IS NOT NULL',
    'INDEX conversations_of_end_user (workspace_id, environment, end_user_id, id) WHERE end_user_id IS NOT NULL',
    'INDEX conversations_branched (parent_id) WHERE parent_id IS NOT NULL',
    // Gives the number of those that are not there for a reader.
    'INDEX conversations_of_persons (workspace_id, environment, owner_id, agent_id, id) WHERE owner_id IS NOT NULL',
    'INDEX conversations_shared (workspace_id, environment, id) WHERE shared_with IS NOT NULL',
  ),
  conversation_teams: table({
    conversation_id: id().belongsTo('conversations'),
    team_id: id().belongsTo('teams'),
    created_at: integer(),
  }).with('PRIMARY KEY (conversation_id, team_id)', 'INDEX conversation_teams_of_team (team_id)'),
  /** Each time an owner or admin of the workspace opened another person's conversation, and for how long. */
  conversation_openings: table({
    id: id().primaryKey(),
    conversation_id: id().belongsTo('conversations'),
    workspace_id: id(),
    environment: id<Environment>(),
    user_id: id(),
    reason: text(),
    created_at: integer(),
    expires_at: integer(),
  }).with(
    'INDEX conversation_openings_list (conversation_id, id)',
    'INDEX conversation_openings_of_user (user_id, expires_at)',
  ),
  /** Conversations of clients of OpenAI's protocol: what a client has put in, and which runs have answered. */
  openai_conversations: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    /** The key or the person that made it, for whom alone it exists. */
    author_id: id(),
    metadata: json<Record<string, string | number | boolean>>(),
    /** In the order in which they were said. The words of a run are read from that run. */
    entries:
      json<({ id: string; message: Record<string, unknown> } | { itemId: string } | { runId: string })[]>(),
    /** Of the two above. */
    stored_bytes: integer(),
    created_at: integer(),
    /** It is deleted some time after this. */
    updated_at: integer(),
  }).with(
    'INDEX openai_conversations_of_environment (workspace_id, environment, stored_bytes)',
    'INDEX openai_conversations_of_author (author_id)',
    'INDEX openai_conversations_unused (updated_at)',
  ),
  runs: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    agent_id: id().belongsTo('agents'),
    agent_revision: integer(),
    conversation_id: id(),
    /** That of its conversation. */
    owner_id: id().nullable(),
    /** Its number among the conversation's runs, from 1; those of a branch are counted on from where it branched. */
    turn: integer(),
    end_user_id: text().nullable(),
    status: id<'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled'>(),
    prompt: text(),
    output: text().nullable(),
    citations: json<Record<string, unknown>[]>(),
    /** The model as it really was; null until the run has begun. */
    model: text().nullable(),
    input_tokens: integer(),
    output_tokens: integer(),
    /** Null if the model's price is not known. */
    cost_usd: real().nullable(),
    error_code: id().nullable(),
    error_message: text().nullable(),
    metadata: json<Record<string, unknown>>(),
    /** Where the run's events are sent as well. */
    callback_url: text().nullable(),
    max_steps: integer(),
    max_cost_usd: real().nullable(),
    /** Null leaves it to the model. */
    max_output_tokens: integer().nullable(),
    /** Those that its model takes. What is left out is the provider's default. */
    model_parameters: json<Partial<ModelParameters>>().default('{}'),
    /** Counted from `started_at` without `waited_ms`, also where another process takes the run up. */
    timeout_ms: integer(),
    /** On whose behalf it acts, for the worker that takes it up. */
    caller: json<Record<string, unknown>>(),
    /** The member for whom it acts; null for the operator, and where a version before this column began it. */
    author_id: id().nullable(),
    /** The collections to which the key was narrowed, as `narrowingOf` writes them; null if it was not. */
    narrowing: text().nullable(),
    /** What its tools may read of that: as it was asked for, within what its conversation or its calling run may. */
    collection_ids: json<string[]>().nullable(),
    filter: json<Filter>().nullable(),
    /** A run within another's has the job of that one. */
    /** Empty while the run waits for others of its conversation. */
    job_id: id(),
    /** The run of which this is a part, the call by which it was begun, and the run at the head of them all. */
    parent_run_id: id().nullable(),
    parent_call_id: text().nullable(),
    root_run_id: id().nullable(),
    /** How long it has waited for approvals and results, without the wait that goes on since `waiting_since`. */
    waited_ms: integer(),
    waiting_since: integer().nullable(),
    /** The run whose inputs it repeats. */
    rerun_of: id().nullable(),
    /** The schedule, the trigger or the browser token that began it; null if its caller did. */
    started_by_id: id().nullable(),
    /** The model that a rerun was asked for instead of the revision's. */
    wanted_model: text().nullable(),
    /** The JSON Schema that the answer has to fit; null for an answer in text. */
    response_schema: json<Record<string, unknown>>().nullable(),
    structured_output: json().nullable(),
    /** Those that it was given in place of a prompt, which is the last thing that the user said there. */
    messages: json<Record<string, unknown>[]>().nullable(),
    /** Besides those of its agent. */
    functions: json<StoredFunction[]>().default('[]'),
    /** Null leaves it to the model whether it calls tools. */
    tool_choice: json<'auto' | 'none' | 'required' | { function: string }>().nullable(),
    /** Ids of documents. */
    attachments: json<string[]>(),
    /** As the run gave them; the agent's own values stand in its revision. */
    variables: json<Record<string, string>>(),
    feedback_rating: id<'positive' | 'negative'>().nullable(),
    feedback_comment: text().nullable(),
    feedback_end_user_id: text().nullable(),
    feedback_at: integer().nullable(),
    /** What the end user says, which others of the workspace do not replace. */
    end_user_feedback: json<StoredFeedback>().nullable(),
    /** Changes after its end: feedback, and words of documents that were erased. */
    change_count: integer().default(0),
    /** What its texts take of the storage; of a run in progress, only what it was asked. */
    stored_bytes: integer().default(0),
    created_at: integer(),
    started_at: integer().nullable(),
    finished_at: integer().nullable(),
  }).with(
    // These hold the columns that lists are filtered by, so that the index alone gives the number of runs. SQLite takes the
    // index with the most columns that are given: so an agent's list does not walk through the runs of all.
    'INDEX runs_of_agent (agent_id, workspace_id, environment, id, status, created_at, owner_id)',
    'INDEX runs_list (workspace_id, environment, id, status, created_at, feedback_rating, owner_id)',
    // Gives the number of those that are not there for a reader.
    'INDEX runs_of_persons (workspace_id, environment, agent_id, owner_id, conversation_id) WHERE owner_id IS NOT NULL',
    'INDEX runs_of_end_user (workspace_id, environment, end_user_id, id) WHERE end_user_id IS NOT NULL',
    'INDEX runs_with_feedback (agent_id, workspace_id, environment, feedback_rating, id) WHERE feedback_rating IS NOT NULL',
    'UNIQUE INDEX runs_within (parent_run_id, parent_call_id) WHERE parent_run_id IS NOT NULL',
    'INDEX runs_of_root (root_run_id) WHERE root_run_id IS NOT NULL',
    'UNIQUE INDEX runs_of_conversation (conversation_id, turn)',
    // Gives the number of runs in progress of a workspace, and the next run of a conversation.
    'INDEX runs_under_way (workspace_id, conversation_id, turn) WHERE finished_at IS NULL',
  ),
  agent_schedules: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    agent_id: id().belongsTo('agents'),
    name: text(),
    cron: text(),
    time_zone: text(),
    prompt: text(),
    variables: json<Record<string, string>>(),
    metadata: json<Record<string, unknown>>(),
    missed_runs: id<'skip' | 'runOnce'>(),
    status: id<StarterStatus>(),
    stopped_reason: id<StopReason>().nullable(),
    /** On whose behalf its runs act: who made it, or changed it last. */
    caller: json<Record<string, unknown>>(),
    user_id: id().nullable(),
    /** Null unless it is active. */
    next_run_at: integer().nullable(),
    last_run_id: id().nullable(),
    last_run_at: integer().nullable(),
    last_skipped_at: integer().nullable(),
    last_error: json<StarterError>().nullable(),
    created_at: integer(),
    updated_at: integer(),
    /** Of its settings: a run that it starts changes none. */
    revision: integer(),
  }).with(
    'INDEX agent_schedules_list (agent_id, id)',
    'INDEX agent_schedules_of_workspace (workspace_id)',
    'INDEX agent_schedules_due (next_run_at) WHERE next_run_at IS NOT NULL',
  ),
  agent_triggers: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    agent_id: id().belongsTo('agents'),
    name: text(),
    prompt_template: text(),
    /** Templates too, by the names of the agent's variables. */
    variables: json<Record<string, string>>(),
    metadata: json<Record<string, unknown>>(),
    status: id<StarterStatus>(),
    stopped_reason: id<StopReason>().nullable(),
    caller: json<Record<string, unknown>>(),
    user_id: id().nullable(),
    token_hash: id(),
    require_signature: integer<0 | 1>(),
    /** Sealed. */
    secret: text(),
    /** Both still work until they expire. */
    previous_token_hash: id().nullable(),
    previous_secret: text().nullable(),
    previous_expires_at: integer().nullable(),
    requests_per_minute: integer(),
    last_run_id: id().nullable(),
    last_run_at: integer().nullable(),
    last_error: json<StarterError>().nullable(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with(
    'INDEX agent_triggers_list (agent_id, id)',
    'INDEX agent_triggers_of_workspace (workspace_id)',
    'UNIQUE INDEX agent_triggers_token (token_hash)',
    'UNIQUE INDEX agent_triggers_previous_token (previous_token_hash) WHERE previous_token_hash IS NOT NULL',
  ),
  /** Deliveries to triggers that name themselves, so that a repeated one starts no second run. */
  /** What a page runs one agent with, for one end user: minted by a key, and dead with it. */
  browser_tokens: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    key_id: id().belongsTo('api_keys'),
    agent_id: id().belongsTo('agents'),
    token_hash: id().unique(),
    end_user_id: text(),
    origins: json<string[]>(),
    /** Names of the agent's functions that the page answers. */
    functions: json<string[]>(),
    /** What each of its runs is given, besides the words of the page. */
    run_fields: json<PageRunFields>(),
    max_runs: integer(),
    /** Null is not limited. */
    max_tokens: integer().nullable(),
    max_cost_usd: real().nullable(),
    requests_per_minute: integer(),
    /** Its runs, counted as each begins; what they used, counted as each ends. */
    run_count: integer(),
    used_tokens: integer(),
    used_cost_usd: real(),
    created_at: integer(),
    expires_at: integer(),
    revoked_at: integer().nullable(),
    /** Of the network of an anonymous visitor, to whom a public chat gave the token; null where a key made it. */
    address_hash: id().nullable(),
  }).with(
    'INDEX browser_tokens_of_visitor (agent_id, end_user_id, expires_at) WHERE address_hash IS NOT NULL',
    'INDEX browser_tokens_of_address (agent_id, address_hash, expires_at) WHERE address_hash IS NOT NULL',
    'INDEX browser_tokens_unused (expires_at) WHERE address_hash IS NOT NULL AND run_count = 0',
    'INDEX browser_tokens_list (workspace_id, environment, id)',
    'INDEX browser_tokens_of_servers (workspace_id, environment, address_hash, id) WHERE address_hash IS NULL',
    'INDEX browser_tokens_of_key (key_id, expires_at)',
    'INDEX browser_tokens_of_agent (agent_id, expires_at)',
    'INDEX browser_tokens_age (expires_at)',
  ),
  /** That anonymous visitors may chat with an agent: a key answers for them. */
  public_chats: table({
    agent_id: id().belongsTo('agents').primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    key_id: id().belongsTo('api_keys'),
    origins: json<string[]>(),
    functions: json<string[]>(),
    visitor_per_hour: json<VisitorAllowance>(),
    address_per_hour: json<VisitorAllowance>(),
    per_day: json<VisitorAllowance>(),
    /** The day, by its start in UTC, of which these three are what all visitors have used. */
    day: integer(),
    run_count: integer(),
    used_tokens: integer(),
    used_cost_usd: real(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with('INDEX public_chats_of_key (key_id)', 'INDEX public_chats_of_workspace (workspace_id)'),
  trigger_deliveries: table({
    trigger_id: id().belongsTo('agent_triggers'),
    /** Hashes of the name and of the body. */
    name_hash: id(),
    body_hash: id(),
    run_id: id(),
    created_at: integer(),
  }).with('PRIMARY KEY (trigger_id, name_hash)', 'INDEX trigger_deliveries_age (created_at)'),
  run_steps: table({
    run_id: id().belongsTo('runs'),
    /** Counted from 1; a step that was cut short and begins again keeps its number. */
    seq: integer(),
    type: id<'model' | 'tool'>(),
    name: text(),
    record: json<Record<string, unknown>>(),
    started_at: integer(),
    duration_ms: integer(),
  }).with('PRIMARY KEY (run_id, seq)'),
  /** What happened in a run, for those who follow it; texts that a model wrote, and references to what the record holds. */
  run_events: table({
    run_id: id().belongsTo('runs'),
    position: integer(),
    type: id(),
    data: json<Record<string, unknown>>(),
    created_at: integer(),
  }).with('PRIMARY KEY (run_id, position)'),
  /** Calls that wait for an approval, or for a result of the caller's program, or must not be made a second time. */
  run_tool_calls: table({
    run_id: id().belongsTo('runs'),
    call_id: text(),
    root_run_id: id(),
    name: text(),
    input: json(),
    /** What the run waits for; null if for nothing. */
    awaits: id<'approval' | 'result'>().nullable(),
    /** When that was asked for, and until when it may come. */
    requested_at: integer().nullable(),
    expires_at: integer().nullable(),
    /** What came; a result is an output or an error. */
    decision: id<'approve' | 'reject' | 'output' | 'error'>().nullable(),
    reason: text().nullable(),
    /** The output, or the message of the error. */
    result: json().nullable(),
    decided_by_user_id: id().nullable(),
    decided_by_key_id: id().nullable(),
    decided_at: integer().nullable(),
    /** Kept before a call that is not safe to repeat is made. */
    started_at: integer().nullable(),
  }).with(
    'PRIMARY KEY (run_id, call_id)',
    'INDEX run_tool_calls_undecided (expires_at) WHERE requested_at IS NOT NULL AND decision IS NULL',
    'INDEX run_tool_calls_of_root (root_run_id)',
  ),
  /** Which runs were shown passages of which document. */
  run_documents: table({
    document_id: id(),
    run_id: id().belongsTo('runs'),
  }).with('PRIMARY KEY (document_id, run_id)', 'INDEX run_documents_of_run (run_id)'),
  /** Which runs were shown what a connection's service answered. */
  run_connections: table({
    connection_id: id(),
    run_id: id().belongsTo('runs'),
    /** Where the connection's documents were kept then; empty if it was kept nowhere. */
    collection_id: id(),
  }).with(
    'PRIMARY KEY (connection_id, run_id, collection_id)',
    'INDEX run_connections_of_run (run_id)',
    'INDEX run_connections_of_collection (collection_id)',
  ),
}
