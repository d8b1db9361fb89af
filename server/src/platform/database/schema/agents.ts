/** Agents with their revisions, conversations, and runs with their steps. Times are milliseconds. */
import type { Access, Environment, PageRunFields } from '../../caller.ts'
import type { ModelParameters } from '../../models/parameters.ts'
import type { Filter } from '../../narrowing.ts'
import { id, integer, json, real, table, text } from '../table.ts'

/** A function that the caller's program runs, as the model is told of it. */
type StoredFunction = { name: string; description?: string; inputSchema: Record<string, unknown> }

/** The server sets `stopped`; `stopped_reason` says why. */
type StarterStatus = 'active' | 'paused' | 'stopped'
type StopReason = 'access_ended' | 'permission_missing' | 'agent_unreachable'
/** Why the last run could not begin. */
type StarterError = { code: string; message: string; at: number }

export type StoredFeedback = { rating: 'positive' | 'negative'; comment: string | null; at: number }

/** The most that visitors may use in an hour or a day; null means no limit. */
export type VisitorAllowance = { maxRuns: number; maxTokens: number | null; maxCostUsd: number | null }

/** Of the page of a frame; a field that is left out is null or empty. */
export type StoredFrame = { origins?: string[]; heading?: string | null; welcome?: string | null }

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
    /** `teams` keeps the agent to the teams of `agent_teams`, besides owners and admins. */
    access: id<Access>().default('workspace'),
    /** 1 if viewers may run the agent, in their own conversations. */
    viewers_may_run: integer().default(0),
    frame: json<StoredFrame>().default('{}'),
    /** 1 for the one agent of an environment whose runs use the model that their request names. */
    serves_models: integer().default(0),
    /** The latest revision, whose content the other columns hold. */
    revision: integer(),
    /** The reach of the latest revision, as in its own row. */
    reach: json<string[]>().nullable(),
    /** The revision that runs use. */
    published_revision: integer(),
    /** How often the row was changed, publishing included. */
    change_count: integer(),
    fallback_model: text().nullable(),
    approval_tools: json<string[]>(),
    functions: json<StoredFunction[]>().default('[]'),
    http_hosts: json<string[]>(),
    agent_ids: json<string[]>(),
    connection_ids: json<string[]>(),
    variables: json<Record<string, string | null>>(),
    /** A limit that is left out does not apply. */
    limits: json<Partial<Record<AgentLimit, number | null>>>(),
    /** A parameter that is left out has the provider's default. */
    model_parameters: json<Partial<ModelParameters & { lenient: boolean }>>().default('{}'),
    created_at: integer(),
    updated_at: integer(),
    /** A deleted agent is hidden. Its row stays, because its runs refer to it. */
    deleted_at: integer().nullable(),
    /** The number of its runs, kept up to date, because a list of very many agents must not count their runs. */
    run_count: integer(),
    conversation_count: integer(),
    /** Bytes of storage that the texts of its runs take, kept up to date as runs begin, end and are deleted. */
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
    /** The settings that runs of this revision use. Older rows lack the fields that came later. */
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
    /**
     * The collections that its writer was narrowed to; its runs reach no others. Null means that they reach what their
     * callers do: the writer reached all, or a caller who does has published the revision.
     */
    reach: json<string[]>().nullable(),
  }).with('UNIQUE (agent_id, revision)'),
  conversations: table({
    id: id().primaryKey(),
    workspace_id: id().belongsTo('workspaces'),
    environment: id<Environment>(),
    agent_id: id().belongsTo('agents'),
    /** The person who owns the conversation; null if the workspace owns it, as it does if a key began it. */
    owner_id: id().nullable(),
    /** Who the owner shares it with: all of the workspace, or the teams of `conversation_teams`; null for no one. */
    shared_with: id<Access>().nullable(),
    end_user_id: text().nullable(),
    /** The narrowing of its runs, which is the same for all, as `narrowingOf` writes it; null if there is none. */
    narrowing: text().nullable(),
    /** The narrowing of its first run, which no later run may exceed. Null means all collections or documents. */
    collection_ids: json<string[]>().nullable(),
    filter: json<Filter>().nullable(),
    name: text(),
    /** The conversation that it branched from; null if it did not branch, or that conversation was deleted. */
    parent_id: id().nullable(),
    /** The last run that it remembers of the conversation that it branched from. */
    branch_run_id: id().nullable(),
    /** The turn of `branch_run_id`, from which its own turns are counted on; 0 without a parent. */
    branch_turn: integer(),
    /** How many parents it goes back through. */
    depth: integer(),
    /** The summary of the turns up to `summary_until_turn`, which no longer fit the model's window. */
    summary: text().nullable(),
    summary_until_run_id: id().nullable(),
    summary_until_turn: integer().nullable(),
    /** The number of its runs, kept up to date with each run. */
    run_count: integer(),
    /** The number of its runs that have ended. */
    ended_count: integer(),
    revision: integer(),
    created_at: integer(),
    /** When its last run was asked for, or it was renamed. */
    updated_at: integer(),
  }).with(
    'INDEX conversations_list (workspace_id, environment, id)',
    'INDEX conversations_of_agent (agent_id, id)',
    'INDEX conversations_by_update (workspace_id, environment, updated_at, id)',
    'INDEX conversations_of_end_user_by_update (workspace_id, environment, end_user_id, updated_at, id) WHERE end_user_id IS NOT NULL',
    'INDEX conversations_of_end_user (workspace_id, environment, end_user_id, id) WHERE end_user_id IS NOT NULL',
    'INDEX conversations_branched (parent_id) WHERE parent_id IS NOT NULL',
    // Counts the conversations that do not exist for a reader.
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
    /** The key or the person that made the conversation. It exists for this author only. */
    author_id: id(),
    metadata: json<Record<string, string | number | boolean>>(),
    /** The entries in the order of the conversation. The words of a run are read from the run itself. */
    entries:
      json<({ id: string; message: Record<string, unknown> } | { itemId: string } | { runId: string })[]>(),
    /** The bytes of `metadata` and `entries`. */
    stored_bytes: integer(),
    created_at: integer(),
    /** The conversation is deleted some time after this. */
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
    /** The owner of its conversation. */
    owner_id: id().nullable(),
    /** The run's number in its conversation, from 1. A branch counts on from where it branched. */
    turn: integer(),
    end_user_id: text().nullable(),
    status: id<'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled'>(),
    prompt: text(),
    output: text().nullable(),
    citations: json<Record<string, unknown>[]>(),
    /** The model that was really used; null until the run has begun. */
    model: text().nullable(),
    input_tokens: integer(),
    output_tokens: integer(),
    /** Null if the model's price is not known. */
    cost_usd: real().nullable(),
    error_code: id().nullable(),
    error_message: text().nullable(),
    metadata: json<Record<string, unknown>>(),
    /** The address that the run's events are sent to as well. */
    callback_url: text().nullable(),
    max_steps: integer(),
    max_cost_usd: real().nullable(),
    /** Null lets the model decide. */
    max_output_tokens: integer().nullable(),
    /** The parameters that its model takes. A parameter that is left out has the provider's default. */
    model_parameters: json<Partial<ModelParameters>>().default('{}'),
    /** Counted from `started_at` without `waited_ms`, also if another process takes the run up. */
    timeout_ms: integer(),
    /** The caller that the run acts for, kept for the worker that takes the run up. */
    caller: json<Record<string, unknown>>(),
    /** The member that the run acts for; null for the operator, and if an older version began the run. */
    author_id: id().nullable(),
    /** The collections that the key was narrowed to, as `narrowingOf` writes them; null if it was not narrowed. */
    narrowing: text().nullable(),
    /** What its tools may read within that: as requested, and no more than its conversation or calling run. */
    collection_ids: json<string[]>().nullable(),
    filter: json<Filter>().nullable(),
    /** The run's job, or the job of the run that it is within. Empty while the run waits for its conversation. */
    job_id: id(),
    /** The run that this run is a part of, the call that began it, and the run at the head of them all. */
    parent_run_id: id().nullable(),
    parent_call_id: text().nullable(),
    root_run_id: id().nullable(),
    /** How long the run has waited for approvals and results, without the present wait since `waiting_since`. */
    waited_ms: integer(),
    waiting_since: integer().nullable(),
    /** The run whose inputs this run repeats. */
    rerun_of: id().nullable(),
    /** The schedule, the trigger or the browser token that began the run; null if its caller began it. */
    started_by_id: id().nullable(),
    /** The model that a rerun, or a request to the agent of models, asked for instead of the revision's. */
    wanted_model: text().nullable(),
    /** The JSON Schema that the answer must fit; null for an answer in text. */
    response_schema: json<Record<string, unknown>>().nullable(),
    structured_output: json().nullable(),
    /** The messages that were given in place of a prompt. The prompt is then the last thing that the user said. */
    messages: json<Record<string, unknown>[]>().nullable(),
    /** Functions of the run, in addition to the functions of its agent. */
    functions: json<StoredFunction[]>().default('[]'),
    /** Null lets the model decide whether it calls tools. */
    tool_choice: json<'auto' | 'none' | 'required' | { function: string }>().nullable(),
    /** Ids of documents. */
    attachments: json<string[]>(),
    /** The values that the run gave. The agent's own values are in its revision. */
    variables: json<Record<string, string>>(),
    feedback_rating: id<'positive' | 'negative'>().nullable(),
    feedback_comment: text().nullable(),
    feedback_end_user_id: text().nullable(),
    feedback_at: integer().nullable(),
    /** The end user's feedback, which feedback of others in the workspace does not replace. */
    end_user_feedback: json<StoredFeedback>().nullable(),
    /** How often the run changed after its end: by feedback, and when words of documents were erased. */
    change_count: integer().default(0),
    /** The storage that its texts take, in bytes; until the run ends, only the texts of its request. */
    stored_bytes: integer().default(0),
    created_at: integer(),
    started_at: integer().nullable(),
    finished_at: integer().nullable(),
  }).with(
    // These indexes hold the columns that lists are filtered by, so that the index alone gives the number of runs.
    // SQLite takes the index with the most columns that are given, so an agent's list does not walk through the runs
    // of all agents.
    'INDEX runs_of_agent (agent_id, workspace_id, environment, id, status, created_at, owner_id)',
    'INDEX runs_list (workspace_id, environment, id, status, created_at, feedback_rating, owner_id)',
    // Counts the runs that do not exist for a reader.
    'INDEX runs_of_persons (workspace_id, environment, agent_id, owner_id, conversation_id) WHERE owner_id IS NOT NULL',
    'INDEX runs_of_end_user (workspace_id, environment, end_user_id, id) WHERE end_user_id IS NOT NULL',
    'INDEX runs_with_feedback (agent_id, workspace_id, environment, feedback_rating, id) WHERE feedback_rating IS NOT NULL',
    'UNIQUE INDEX runs_within (parent_run_id, parent_call_id) WHERE parent_run_id IS NOT NULL',
    'INDEX runs_of_root (root_run_id) WHERE root_run_id IS NOT NULL',
    'UNIQUE INDEX runs_of_conversation (conversation_id, turn)',
    // Counts the runs in progress of a workspace, and finds the next run of a conversation.
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
    /** The caller that its runs act for: the one who made the schedule, or changed it last. */
    caller: json<Record<string, unknown>>(),
    user_id: id().nullable(),
    /** Null unless the schedule is active. */
    next_run_at: integer().nullable(),
    last_run_id: id().nullable(),
    last_run_at: integer().nullable(),
    last_skipped_at: integer().nullable(),
    last_error: json<StarterError>().nullable(),
    created_at: integer(),
    updated_at: integer(),
    /** The revision of its settings, which a run does not change. */
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
    /** Templates for the agent's variables, by their names. */
    variables: json<Record<string, string>>(),
    metadata: json<Record<string, unknown>>(),
    status: id<StarterStatus>(),
    stopped_reason: id<StopReason>().nullable(),
    caller: json<Record<string, unknown>>(),
    user_id: id().nullable(),
    token_hash: id(),
    require_signature: integer<0 | 1>(),
    /** Encrypted. */
    secret: text(),
    /** The earlier token and secret, which work until they expire. */
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
  /** A token with which a page runs one agent for one end user. A key makes the token, and it ends with the key. */
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
    /** The fields that each of its runs gets, besides the words of the page. */
    run_fields: json<PageRunFields>(),
    max_runs: integer(),
    /** Null means no limit. */
    max_tokens: integer().nullable(),
    max_cost_usd: real().nullable(),
    requests_per_minute: integer(),
    /** `run_count` is raised when a run begins; the used tokens and cost are raised when a run ends. */
    run_count: integer(),
    used_tokens: integer(),
    used_cost_usd: real(),
    created_at: integer(),
    expires_at: integer(),
    revoked_at: integer().nullable(),
    /** Hash of an anonymous visitor's network, if a public chat gave the token; null if a key made it. */
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
  /** Lets anonymous visitors chat with an agent. A key answers for them. */
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
    /** The start of the UTC day for which the next three columns say what all visitors used. */
    day: integer(),
    run_count: integer(),
    used_tokens: integer(),
    used_cost_usd: real(),
    created_at: integer(),
    updated_at: integer(),
    revision: integer(),
  }).with('INDEX public_chats_of_key (key_id)', 'INDEX public_chats_of_workspace (workspace_id)'),
  /** Deliveries to triggers that carry a name, so that a repeated delivery starts no second run. */
  trigger_deliveries: table({
    trigger_id: id().belongsTo('agent_triggers'),
    /** Hashes of the delivery's name and of its body. */
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
  /** The events of a run, for those who follow it: texts that a model wrote, and references to the record. */
  run_events: table({
    run_id: id().belongsTo('runs'),
    position: integer(),
    type: id(),
    data: json<Record<string, unknown>>(),
    created_at: integer(),
  }).with('PRIMARY KEY (run_id, position)'),
  /** Calls that wait for an approval or a result of the caller's program, or that must not be made twice. */
  run_tool_calls: table({
    run_id: id().belongsTo('runs'),
    call_id: text(),
    root_run_id: id(),
    name: text(),
    input: json(),
    /** What the run waits for; null if it waits for nothing. */
    awaits: id<'approval' | 'result'>().nullable(),
    /** When the approval or the result was asked for, and until when it may come. */
    requested_at: integer().nullable(),
    expires_at: integer().nullable(),
    /** The answer that came: an approval, a rejection, or a result, which is an output or an error. */
    decision: id<'approve' | 'reject' | 'output' | 'error'>().nullable(),
    reason: text().nullable(),
    /** The output, or the message of the error. */
    result: json().nullable(),
    decided_by_user_id: id().nullable(),
    decided_by_key_id: id().nullable(),
    decided_at: integer().nullable(),
    /** Set before the call is made, if it is not safe to repeat. */
    started_at: integer().nullable(),
  }).with(
    'PRIMARY KEY (run_id, call_id)',
    'INDEX run_tool_calls_undecided (expires_at) WHERE requested_at IS NOT NULL AND decision IS NULL',
    'INDEX run_tool_calls_of_root (root_run_id)',
  ),
  /** Which runs were shown passages of which document; of which collection, once the document is erased. */
  run_documents: table({
    document_id: id(),
    run_id: id().belongsTo('runs'),
  }).with('PRIMARY KEY (document_id, run_id)', 'INDEX run_documents_of_run (run_id)'),
  /** Which runs were shown what a connection's service answered. */
  run_connections: table({
    connection_id: id(),
    run_id: id().belongsTo('runs'),
    /** The collection that held the connection's documents then; empty if there was none. */
    collection_id: id(),
  }).with(
    'PRIMARY KEY (connection_id, run_id, collection_id)',
    'INDEX run_connections_of_run (run_id)',
    'INDEX run_connections_of_collection (collection_id)',
  ),
}
