/**
 * The operations of OpenAI's protocol: find the agent or model of a name, and start, follow, stop and erase its run.
 */
import type { Caller, RequestCaller, WholeScope } from '../../platform/caller.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { invalidField, lacksPermission, notFound, ServiceError } from '../../platform/errors.ts'
import { idPrefixes } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { ConversationService } from '../agents/conversations/conversation-service.ts'
import type { AgentService } from '../agents/definitions/agent-service.ts'
import { beginning, type RunEvent } from '../agents/events/run-event-schemas.ts'
import type { NewRun, Run } from '../agents/records/run-schemas.ts'
import type { RunStep } from '../agents/records/step-schemas.ts'
import type { RunService } from '../agents/runs/run-service.ts'
import type { DocumentService } from '../knowledge/documents/documents-service.ts'
import type { WorkspaceModels } from '../models/models-service.ts'
import { keptModel, keptOneCall, type LinkTo } from './answer.ts'
import type { Conversations } from './conversations.ts'
import { type EarlierResponses, nullWhereNotFound } from './earlier-responses.ts'
import { readFiles, showsSearches } from './file-search.ts'
import { responseIdOf, runIdOf } from './items.ts'
import type { Asked, Said } from './requests/reading.ts'
import { includesResults, responseMetadata, type Sources } from './response-reply.ts'

export type OpenAiService = ReturnType<typeof createOpenAiService>

/** A run that was started for a request. */
export type Begun = { runId: string; model: string }

export function createOpenAiService({
  agents,
  runs,
  conversations,
  talks,
  earlier,
  models,
  documents,
  linksFor,
  log,
  checkRun,
}: {
  agents: AgentService
  runs: RunService
  conversations: ConversationService
  talks: Conversations
  earlier: EarlierResponses
  models: WorkspaceModels
  documents: DocumentService
  linksFor: (scope: WholeScope) => LinkTo
  log: Log
  /** Throws a `validation_failed` that names the fields of the run. */
  checkRun: (run: NewRun) => void
}) {
  const naming = createNaming(agents, models)
  async function stop(caller: Caller, runId: string): Promise<void> {
    try {
      await runs.cancel(caller, runId, { waitMs: 0, signal: AbortSignal.abort() })
    } catch (error) {
      log.warn('A run whose client has gone could not be cancelled', { runId, error })
    }
  }

  /** Ends runs that wait for results, if another run was given the results: they will get no results. */
  async function endContinued(caller: Caller, said: readonly Said[]): Promise<void> {
    for (const runId of continuedRuns(said)) {
      const found = await runs.show(caller, runId).catch(nullWhereNotFound)
      const isContinued = found?.run.status === 'waiting' && found.run.pendingApprovals.length === 0
      if (isContinued) await stop(caller, runId)
    }
  }

  return {
    linksFor,
    stop,

    /** How the sources of these steps are shown; `results` asks for those of searches. */
    async sources(
      caller: Caller,
      run: Pick<Run, 'collectionIds' | 'metadata'>,
      steps: readonly RunStep[],
      results = false,
    ): Promise<Sources> {
      const shown = showsSearches(run) ? steps : []
      return {
        linkTo: linksFor(caller.scope),
        fileOf: await readFiles(documents, caller, shown),
        withResults: results || includesResults(run),
      }
    },

    models: naming.models,
    model: naming.model,

    /** Starts a run. Throws like the start of a run; faults name the request's parameters. */
    async ask(caller: RequestCaller, asked: Asked): Promise<Begun> {
      const { agent, model } = await naming.named(caller, asked.model)
      const { conversationId } = asked
      const nothing = { said: [], runIds: [], seenIds: [] }
      const history = conversationId === null ? nothing : await talks.history(caller, conversationId)
      const { all: said, rest, runIds: earlierIds } = await earlier.saidIn(caller, asked, history)
      const kept = { ...responseMetadata(asked), ...keptModel(model), ...keptOneCall(asked.hasOneCall) }
      const metadata = { ...asked.run.metadata, ...kept }
      leaveOut(decodeJson(agent.functions), asked)
      const newRun: NewRun = { ...asked.run, metadata, messages: said.map(({ message }) => message) }
      const most = decodeJson(agent.limits).maxOutputTokens ?? null
      // If both limits apply, the lower one counts.
      if (most !== null && (newRun.limits?.maxOutputTokens ?? 0) > most)
        newRun.limits = { maxOutputTokens: most }
      try {
        const { searches } = asked
        const start = async (newRun: NewRun) => {
          checkRun(newRun)
          return await runs.start(caller, { agentId: agent.id, newRun, model, earlierIds, searches })
        }
        const runId = await start(newRun).catch(error => start(withoutSchemas(newRun, error)))
        await endContinued(caller, said)
        if (conversationId !== null) {
          await talks
            .append(caller, conversationId, { rest, runId, seenIds: history.seenIds })
            .catch(async error => {
              await stop(caller, runId)
              throw error
            })
        }
        return { runId, model: model ?? agent.id }
      } catch (error) {
        throw inParameters(error, asked, said)
      }
    },

    async *follow(caller: Caller, runId: string, signal: AbortSignal): AsyncGenerator<RunEvent> {
      for await (const { data } of runs.follow(caller, runId, beginning, signal)) yield data
    },

    /** Throws `not_found`. */
    show: async (caller: Caller, id: string) => await runs.show(caller, responseRun(id)),

    cancel: async (caller: Caller, id: string, signal: AbortSignal): Promise<Run> => {
      const runId = responseRun(id)
      await runs.cancel(caller, runId, { waitMs: longestCancelMs, signal })
      return (await runs.show(caller, runId)).run
    },

    /** Erases the response with its run. Throws `conversation_busy` while it is in progress. */
    async remove(caller: Caller, id: string): Promise<void> {
      const { run } = await runs.show(caller, responseRun(id))
      const conversation = await conversations.get(caller, run.conversationId)
      if (conversation.run_count > 1) {
        throw invalidField('response_id', 'is one of several runs of a conversation: delete the conversation')
      }
      if (run.status === 'waiting') {
        await runs.cancel(caller, run.id, { waitMs: longestCancelMs, signal: new AbortController().signal })
      }
      await conversations.remove(caller, run.conversationId, { ifMatch: null, dryRun: false })
    },
  }
}

/** The same limit as for an agent's model. */
const mostOfModelName = 200

/** Resolves names: agents, and the workspace's models. */
function createNaming(agents: AgentService, models: WorkspaceModels) {
  /** Returns an agent, or a model with the agent that runs models. An agent's name has precedence. */
  async function named(caller: Caller, name: string): Promise<Named> {
    const agent = await agentNamed(caller, name)
    if (agent !== null) return { agent, model: null }
    if (!(await isModel(caller, name)) || !(await reachesModels(caller))) noModel(name)
    // Checked here, because otherwise a refused request would still make the agent that runs models.
    if (!caller.permissions.has('agents:run') && (await agents.idOfModels(caller)) === undefined) {
      throw lacksPermission(caller, 'agents:run')
    }
    const { id } = await agents.ofModels(caller)
    return { agent: (await agents.get(caller, id).catch(nullWhereNotFound)) ?? noModel(name), model: name }
  }

  async function isModel({ scope }: Caller, name: string): Promise<boolean> {
    if (name.length > mostOfModelName || (await models.check(scope, name)) !== null) return false
    return (await models.find(scope, name)) !== null
  }

  /** Whether the caller reaches the agent that runs models. Before it exists: any caller not narrowed to agents. */
  async function reachesModels(caller: Caller): Promise<boolean> {
    const id = await agents.idOfModels(caller)
    if (id === undefined) return caller.scope.agentIds === undefined
    return (await agents.missing(caller.scope, [id])).length === 0
  }

  async function agentNamed(caller: Caller, model: string): Promise<AgentRow | null> {
    if (model.startsWith(`${idPrefixes.agent}_`)) {
      return (await agents.get(caller, model).catch(nullWhereNotFound)) ?? noModel(model)
    }
    const named = (await agents.names(caller)).filter(({ name }) => isNamed(model, name))
    const [one, other] = named
    if (one === undefined) return null
    if (other !== undefined) {
      const ids = named.slice(0, 5).map(({ id }) => id)
      throw invalidField(
        'model',
        `is the name of several agents: send the id of one of them, such as ${ids.join(', ')}`,
      )
    }
    return await agents.get(caller, one.id)
  }

  return {
    named,
    /** Every agent that the caller reaches, then the models whose names no agent has. */
    async models(caller: Caller) {
      const named = await agents.names(caller)
      const hidden = new Set(named.flatMap(({ name }) => [name, slugOf(name)]))
      const entries = (await reachesModels(caller)) ? await models.list(caller) : []
      const shown = entries.filter(({ id, purposes }) => purposes.includes('chat') && !hidden.has(id))
      return [...named.map(presentAgent), ...shown.map(({ id }) => presentModel(id))]
    },
    /** Throws `not_found`. */
    async model(caller: Caller, name: string) {
      const agent = await agentNamed(caller, name).catch(nullWhereNotFound)
      if (agent !== null) return presentAgent(agent)
      if (!(await isModel(caller, name)) || !(await reachesModels(caller))) throw notFound()
      return presentModel(name)
    },
  }
}

/**
 * Drops declared functions that the agent has anyway. A client declares them because it can only run functions that
 * it declares.
 */
function leaveOut(present: readonly { name: string }[], { run, params }: Asked): void {
  const names = new Set(present.map(({ name }) => name))
  const { functions = [] } = run
  if (!functions.some(({ name }) => names.has(name))) return
  const kept = functions.flatMap((one, index) => (names.has(one.name) ? [] : [{ one, index }]))
  for (const [at, { index }] of kept.entries()) {
    for (const field of ['', '.inputSchema']) {
      params.set(`functions.${at}${field}`, params.get(`functions.${index}${field}`) ?? 'tools')
    }
  }
  run.functions = kept.map(({ one }) => one)
}

const ofSchema = /^functions\.(\d+)\.inputSchema/

/** The run in which each function whose schema cannot be used takes any arguments. Throws the error for other faults. */
function withoutSchemas(run: NewRun, error: unknown): NewRun {
  const faults = error instanceof ServiceError && error.code === 'validation_failed' ? error.errors : []
  const odd = new Set(faults.map(({ field }) => Number(ofSchema.exec(field)?.[1] ?? -1)))
  if (odd.size === 0 || odd.has(-1)) throw error
  const functions = (run.functions ?? []).map((one, index) =>
    odd.has(index) ? { ...one, inputSchema: { type: 'object', properties: {} } } : one,
  )
  return { ...run, functions }
}

/** As long as the cancellation of a run waits. */
const longestCancelMs = 10_000

/** The agent of a request; `model` is null if the agent's own model runs. */
type Named = { agent: AgentRow; model: string | null }
type AgentRow = Awaited<ReturnType<AgentService['get']>>

/** The model's creation time is unknown. */
const presentModel = (id: string) => ({ id, object: 'model', created: 0, owned_by: providerOf(id), name: id })

const providerOf = (model: string): string =>
  model.includes('/') ? model.slice(0, model.indexOf('/')) : 'atrium'

const presentAgent = ({ id, name, created_at: createdAt }: Pick<AgentRow, 'id' | 'name' | 'created_at'>) => ({
  id,
  object: 'model',
  created: Math.floor(createdAt / 1_000),
  owned_by: 'atrium',
  name,
})

/** Matches the name itself, or its form in addresses: `Leave & holidays` is `leave-holidays`. */
const isNamed = (model: string, name: string): boolean =>
  model === name || (slugOf(name) !== '' && model === slugOf(name))

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

function noModel(model: string): never {
  throw new ServiceError('not_found', `There is no model ${model.slice(0, 200)}; GET /v1/models lists them`, {
    errors: [{ field: 'model', message: 'There is no such agent or model' }],
  })
}

function responseRun(id: string): string {
  const runId = runIdOf(id)
  if (runId === null || responseIdOf(runId) !== id) throw notFound()
  return runId
}

/** One answer has the calls of one run, so few runs are named. */
const mostContinued = 20

/** The runs whose calls the last messages answer. */
function continuedRuns(said: readonly Said[]): string[] {
  const last = said.findLastIndex(({ message }) => message.role === 'assistant')
  const answered = said.slice(last + 1).flatMap(({ message }) => {
    const runId = message.role === 'tool' ? runIdOf(message.toolCallId) : null
    return runId === null ? [] : [runId]
  })
  return [...new Set(answered)].slice(0, mostContinued)
}

/** Names a run's faults after the parameters of the request. */
function inParameters(error: unknown, { params }: Asked, said: readonly Said[]): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'validation_failed') return error
  const errors = error.errors.map(fault => ({ ...fault, field: parameterOf(fault.field, params, said) }))
  return new ServiceError('validation_failed', error.message, { errors })
}

function parameterOf(field: string, params: ReadonlyMap<string, string>, said: readonly Said[]): string {
  const [, at, within = ''] = /^messages\.(\d+)(.*)$/.exec(field) ?? []
  const one = at === undefined ? undefined : said[Number(at)]
  if (one !== undefined) return `${one.param}${within}`
  const parts = field.split('.')
  for (let length = parts.length; length > 0; length--) {
    const param = params.get(parts.slice(0, length).join('.'))
    if (param !== undefined) return [param, ...parts.slice(length)].join('.')
  }
  return field
}
