/** Agents and their runs. */

import { type Filtered, withFilterText } from './documents.ts'
import { bodyOf, createAnswering, type RunRequest } from './functions.ts'
import { followRun, type StreamOptions, streamRun } from './run-events.ts'
import { call, get, patch, path, post, previewRemove, remove } from './transport/calls.ts'
import { listOf, rankedListOf } from './transport/list.ts'
import type { Body, Data, Item, QueryOf } from './transport/operations.ts'
import type { CallOptions, Transport } from './transport/transport.ts'
import { waitUntil } from './transport/wait-until.ts'

type Run = Data<'getRun'>

export const createAgents = (transport: Transport) => ({
  list: (query: QueryOf<'listAgents'> = {}, options?: CallOptions) =>
    listOf<Item<'listAgents'>>(transport, '/agents', query, options),
  get: (id: string, options?: CallOptions) => get<'getAgent'>(transport, path`/agents/${id}`, options),
  create: (agent: Body<'createAgent'>, options?: CallOptions) =>
    post<'createAgent'>(transport, '/agents', agent, options),
  update: (id: string, change: Body<'updateAgent'>, options?: CallOptions) =>
    patch<'updateAgent'>(transport, path`/agents/${id}`, change, options),
  delete: (id: string, options?: CallOptions) => remove(transport, path`/agents/${id}`, options),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/agents/${id}`, options),
  /** Lets runs use this revision from now on: a draft, or an earlier one to go back to. */
  publish: (id: string, revision: number, options?: CallOptions) =>
    post<'publishAgent'>(transport, path`/agents/${id}/publish`, { revision }, options),
  revisions: {
    list: (id: string, query: QueryOf<'listAgentRevisions'> = {}, options?: CallOptions) =>
      listOf<Item<'listAgentRevisions'>>(transport, path`/agents/${id}/revisions`, query, options),
    /** What it holds, and what it changed against the one before. */
    get: (id: string, revision: number, options?: CallOptions) =>
      get<'getAgentRevision'>(transport, path`/agents/${id}/revisions/${String(revision)}`, options),
  },
  /** Run the agent by the clock. */
  schedules: createSchedules(transport),
  /** URLs that run the agent for what is sent to them. */
  triggers: createTriggers(transport),
  /** Lets anonymous visitors of pages without a server chat with the agent; off unless it is set. */
  publicChat: createPublicChat(transport),
  /** Tools that agents can be given. */
  tools: (query: QueryOf<'listAgentTools'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listAgentTools'>>(transport, '/agents/tools', query, options),
  /** Templates that can be installed. */
  catalog: (query: QueryOf<'listAgentTemplates'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listAgentTemplates'>>(transport, '/agents/catalog', query, options),
  install: (templateId: string, installation: Body<'installAgent'> = {}, options?: CallOptions) =>
    post<'installAgent'>(transport, path`/agents/catalog/${templateId}/install`, installation, options),
  /**
   * Resolves once the run has ended, `succeeded` or `failed` alike, or waits for what `tools` do not answer, such as an
   * approval: look at `status` and `error`. Calls of `tools` are carried out here, at the same time. Throws `TimeoutError`
   * if the model takes longer than `timeoutMs` to an end or a call, ten minutes unless given.
   */
  run: async (id: string, run: RunRequest, options: CallOptions = {}): Promise<Run> => {
    const begun = await post<'runAgent'>(transport, path`/agents/${id}/run`, bodyOf(run), options)
    const answer = createAnswering(transport, run.tools ?? {}, options)
    for (let current = begun; ; ) {
      current = await untilOver(transport, current, options)
      if (current.status !== 'waiting' || !(await answer(current))) return current
      current = await get<'getRun'>(transport, path`/runs/${begun.id}`, { signal: options.signal })
    }
  },
  /** Begins a run in the background and answers at once. */
  start: (id: string, run: Body<'runAgent'>, options?: CallOptions) =>
    call<'runAgent'>(
      transport,
      {
        method: 'POST',
        path: path`/agents/${id}/run`,
        body: run,
        headers: { prefer: 'respond-async' },
      },
      options,
    ),
  /**
   * Begins a run and yields its events as they happen: `for await (const event of atrium.agents.stream(…))`. Its last
   * one holds the run. A connection that breaks is taken up again; leaving the loop does not stop the run. Calls of
   * `tools` are carried out as by `run`: the loop goes on behind `run.waiting`.
   */
  stream: (id: string, run: RunRequest, options?: StreamOptions) => streamRun(transport, id, run, options),
  /** The newest run of each agent, page by page as `list` lists them. */
  lastRuns: (query: QueryOf<'listLastRuns'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listLastRuns'>>(transport, '/agents/last-runs', query, options),
  runs: (id: string, query: Filtered<QueryOf<'listRuns'>> = {}, options?: CallOptions) =>
    listOf<Item<'listRuns'>>(transport, path`/agents/${id}/runs`, withFilterText(query), options),
})

const createSchedules = (transport: Transport) => ({
  list: (agentId: string, query: QueryOf<'listSchedules'> = {}, options?: CallOptions) =>
    listOf<Item<'listSchedules'>>(transport, path`/agents/${agentId}/schedules`, query, options),
  get: (agentId: string, id: string, options?: CallOptions) =>
    get<'getSchedule'>(transport, path`/agents/${agentId}/schedules/${id}`, options),
  /** Its runs act for the caller, as long as the caller may run the agent. */
  create: (agentId: string, schedule: Body<'createSchedule'>, options?: CallOptions) =>
    post<'createSchedule'>(transport, path`/agents/${agentId}/schedules`, schedule, options),
  /** Any change but a pause makes it act for the caller. */
  update: (agentId: string, id: string, change: Body<'updateSchedule'>, options?: CallOptions) =>
    patch<'updateSchedule'>(transport, path`/agents/${agentId}/schedules/${id}`, change, options),
  delete: (agentId: string, id: string, options?: CallOptions) =>
    remove(transport, path`/agents/${agentId}/schedules/${id}`, options),
  previewDelete: (agentId: string, id: string, options?: CallOptions) =>
    previewRemove(transport, path`/agents/${agentId}/schedules/${id}`, options),
})

const createTriggers = (transport: Transport) => ({
  list: (agentId: string, query: QueryOf<'listTriggers'> = {}, options?: CallOptions) =>
    listOf<Item<'listTriggers'>>(transport, path`/agents/${agentId}/triggers`, query, options),
  get: (agentId: string, id: string, options?: CallOptions) =>
    get<'getTrigger'>(transport, path`/agents/${agentId}/triggers/${id}`, options),
  /** The reply holds the URL and the secret, this once. Its runs act for the caller. */
  create: (agentId: string, trigger: Body<'createTrigger'>, options?: CallOptions) =>
    post<'createTrigger'>(transport, path`/agents/${agentId}/triggers`, trigger, options),
  /** Any change but a pause makes it act for the caller. */
  update: (agentId: string, id: string, change: Body<'updateTrigger'>, options?: CallOptions) =>
    patch<'updateTrigger'>(transport, path`/agents/${agentId}/triggers/${id}`, change, options),
  /** Makes a new URL and a new secret; for the overlap the old ones work too. */
  rotate: (agentId: string, id: string, rotation: Body<'rotateTrigger'> = {}, options?: CallOptions) =>
    post<'rotateTrigger'>(transport, path`/agents/${agentId}/triggers/${id}/rotate`, rotation, options),
  delete: (agentId: string, id: string, options?: CallOptions) =>
    remove(transport, path`/agents/${agentId}/triggers/${id}`, options),
  previewDelete: (agentId: string, id: string, options?: CallOptions) =>
    previewRemove(transport, path`/agents/${agentId}/triggers/${id}`, options),
  /** Starts a run as a sender outside does; `token` is the last part of the URL. */
  send: (token: string, payload: Body<'sendToTrigger'>, options?: CallOptions) =>
    post<'sendToTrigger'>(transport, path`/triggers/${token}`, payload, options),
})

const createPublicChat = (transport: Transport) => ({
  get: (agentId: string, options?: CallOptions) =>
    get<'getPublicChat'>(transport, path`/agents/${agentId}/public-chat`, options),
  /** Turns it on, or replaces what was set. */
  set: (agentId: string, chat: Body<'setPublicChat'>, options?: CallOptions) =>
    call<'setPublicChat'>(
      transport,
      { method: 'PUT', path: path`/agents/${agentId}/public-chat`, body: chat },
      options,
    ),
  /** Turns it off at once, with what its visitors have in progress. */
  delete: (agentId: string, options?: CallOptions) =>
    remove(transport, path`/agents/${agentId}/public-chat`, options),
  previewDelete: (agentId: string, options?: CallOptions) =>
    previewRemove(transport, path`/agents/${agentId}/public-chat`, options),
  /** As a page does it, without a key: a browser token, and what the page keeps to be the same visitor again. */
  admit: (agentId: string, visitor: Body<'admitVisitor'> = {}, options?: CallOptions) =>
    post<'admitVisitor'>(transport, path`/agents/${agentId}/public-chat/visitors`, visitor, options),
})

export const createRuns = (transport: Transport) => ({
  /** Of all agents. */
  list: (query: Filtered<QueryOf<'listAllRuns'>> = {}, options?: CallOptions) =>
    listOf<Item<'listAllRuns'>>(transport, '/runs', withFilterText(query), options),
  get: (id: string, options?: CallOptions) => get<'getRun'>(transport, path`/runs/${id}`, options),
  /**
   * Yields a run's events, from its beginning or behind `lastEventId`, until it has ended or waits for what `tools` do not
   * answer.
   */
  follow: (id: string, options?: Parameters<typeof followRun>[2]) => followRun(transport, id, options),
  /** Resolves once the run has stopped; what it used until then is on its record. */
  cancel: (id: string, options?: CallOptions) =>
    post<'cancelRun'>(transport, path`/runs/${id}/cancel`, undefined, options),
  /** Approves or rejects tool calls for which the run waits; once all are decided, it goes on in the background. */
  decide: (id: string, decisions: Body<'decideRun'>['decisions'], options?: CallOptions) =>
    post<'decideRun'>(transport, path`/runs/${id}/approvals`, { decisions }, options),
  /** Sends results of functions for which the run waits; once none is missing, it goes on in the background. */
  sendToolResults: (id: string, results: Body<'sendToolResults'>['results'], options?: CallOptions) =>
    post<'sendToolResults'>(transport, path`/runs/${id}/tool-results`, { results }, options),
  /** Runs the same inputs again, on the published revision unless another is named; resolves as `agents.run` does. */
  rerun: async (id: string, rerun: Body<'rerunRun'> = {}, options: CallOptions = {}): Promise<Run> => {
    const begun = await post<'rerunRun'>(transport, path`/runs/${id}/rerun`, rerun, options)
    return untilOver(transport, begun, options)
  },
  /** Two runs of one agent side by side: a rerun and its original, unless another is named. */
  compare: (id: string, otherId?: string, options?: CallOptions) =>
    call<'compareRuns'>(
      transport,
      { method: 'GET', path: path`/runs/${id}/comparison`, query: { with: otherId } },
      options,
    ),
  /** Replaces what was said of the run before. */
  giveFeedback: (id: string, feedback: Body<'giveRunFeedback'>, options?: CallOptions) =>
    post<'giveRunFeedback'>(transport, path`/runs/${id}/feedback`, feedback, options),
  deleteFeedback: (id: string, options?: CallOptions) =>
    remove(transport, path`/runs/${id}/feedback`, options),
  previewDeleteFeedback: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/runs/${id}/feedback`, options),
  /** Resolves with the run once it has ended, however, or waits for an approval or a result. Throws `TimeoutError` after `timeoutMs`, ten minutes unless given. */
  waitUntilEnded: (id: string, options: Pick<CallOptions, 'signal' | 'timeoutMs'> = {}) =>
    waitUntilEnded(transport, id, options),
})

const isOver = (run: Run): boolean => run.finishedAt !== null || run.status === 'waiting'

const untilOver = async (transport: Transport, begun: Run, options: CallOptions): Promise<Run> =>
  isOver(begun) ? begun : await waitUntilEnded(transport, begun.id, options)

const waitUntilEnded = (
  transport: Transport,
  id: string,
  { timeoutMs = 600_000, signal }: Pick<CallOptions, 'signal' | 'timeoutMs'>,
): Promise<Run> =>
  waitUntil(
    headers => call<'getRun'>(transport, { method: 'GET', path: path`/runs/${id}`, headers }, { signal }),
    { isOver, heldSeconds: 50, timeoutMs },
  )

/** They begin with a run that names none, and go on by runs that name them: `agents.run`. */
export const createConversations = (transport: Transport) => ({
  list: (query: QueryOf<'listConversations'> = {}, options?: CallOptions) =>
    listOf<Item<'listConversations'>>(transport, '/conversations', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getConversation'>(transport, path`/conversations/${id}`, options),
  /** The latest first. */
  runs: (id: string, query: QueryOf<'listConversationRuns'> = {}, options?: CallOptions) =>
    listOf<Item<'listConversationRuns'>>(transport, path`/conversations/${id}/runs`, query, options),
  update: (id: string, change: Body<'updateConversation'>, options?: CallOptions) =>
    patch<'updateConversation'>(transport, path`/conversations/${id}`, change, options),
  /** Returns a new conversation that remembers this one up to and including a run. */
  branch: (id: string, branch: Body<'branchConversation'>, options?: CallOptions) =>
    post<'branchConversation'>(transport, path`/conversations/${id}/branch`, branch, options),
  /** For owners and admins: reads a conversation of another person for an hour. That person sees the reason. */
  open: (id: string, opening: Body<'openConversation'>, options?: CallOptions) =>
    post<'openConversation'>(transport, path`/conversations/${id}/openings`, opening, options),
  openings: (id: string, query: QueryOf<'listConversationOpenings'> = {}, options?: CallOptions) =>
    listOf<Item<'listConversationOpenings'>>(transport, path`/conversations/${id}/openings`, query, options),
  /** Erases it with its runs for good. */
  delete: (id: string, options?: CallOptions) => remove(transport, path`/conversations/${id}`, options),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/conversations/${id}`, options),
})
