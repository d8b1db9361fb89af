/** The operations on agents: create, find, change with a revision each time, publish, delete, install a template. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Caller, isNarrowed, isViewer, type Scope, systemCaller } from '../../../platform/caller.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import { takeTurn } from '../../../platform/database/between-processes.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import {
  forbidden,
  invalidField,
  limitReached,
  notFound,
  type ServiceError,
} from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision, etagOf } from '../../../platform/revision.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { FindMissing } from '../../api-keys/service.ts'
import type { AuditService } from '../../audit/service.ts'
import type { RemoteTools } from '../../integrations/connections/remote-tools-service.ts'
import type { FindConnections } from '../../integrations/connections/service.ts'
import type { WorkspaceModels } from '../../models/models-service.ts'
import { type AccessService, accessChange, type TeamsOf } from '../../workspaces/teams/access-service.ts'
import type { AccessChange } from '../../workspaces/teams/teams-schemas.ts'
import {
  type AgentCheck,
  type ConnectionCheck,
  checkTogether,
  createAgentCheck,
  createConnectionCheck,
  createParameterCheck,
  type ParameterCheck,
} from './agent-check.ts'
import {
  type ContentChange,
  changed,
  columnsOf,
  contentOf,
  createReachedContents,
  decodeContent,
  newContent,
  type RevisionReach,
  revisionToRun,
} from './agent-content.ts'
import type { AgentContent } from './agent-fields.ts'
import { checkOrigins, frameOfAgent, presentFrame } from './agent-frame.ts'
import { type AgentReach, createAgentReach, reachWrittenBy } from './agent-reach.ts'
import type { Agent, AgentChange, AgentInstallation, NewAgent, Publication } from './agent-schemas.ts'
import {
  type AgentName,
  type AgentRow,
  countAgents,
  deleteStarters,
  existingAgentIds,
  findAgent,
  findModelsAgent,
  findOffered,
  freeRevision,
  insertAgent,
  insertRevision,
  listAgentNames,
  listAgents,
  listOffered,
  lockAgent,
  type OfferedRow,
  type ShownAgentRow,
  type StarterIds,
  starterIdsOf,
  updateAgent,
} from './agent-store.ts'
import { agentTemplates } from './templates.ts'

export type AgentService = ReturnType<typeof createAgentService>

const maxAgents = 1_000
/** Each revision may hold instructions of 50,000 characters, and none can be deleted because runs name them. */
const maxRevisions = 10_000

type Dependencies = Pick<Platform, 'database' | 'clock' | 'newId' | 'schemas'> & {
  audit: AuditService
  models: Pick<WorkspaceModels, 'check' | 'find'>
  tools: readonly Tool[]
  remoteTools: RemoteTools
  access: AccessService
  missingCollections: FindMissing
  findConnections: FindConnections
}

export function createAgentService(dependencies: Dependencies) {
  const { database, clock, newId, audit, access, tools, remoteTools } = dependencies
  const check = createAgentCheck({ ...dependencies, missingAgents: missing })
  const checkConnections = createConnectionCheck(dependencies)
  const checkParameters = createParameterCheck(dependencies)
  const reachedContents = createReachedContents({ ...dependencies, missingAgents: missing })
  const reach = createAgentReach(dependencies)

  async function missing(scope: Scope, ids: readonly string[], query = database.read): Promise<string[]> {
    const existing = await existingAgentIds(scope, query, ids)
    return ids.filter(id => !existing.has(id))
  }

  async function presentAll({ scope }: Caller, rows: readonly ShownAgentRow[]): Promise<Agent[]> {
    const teamsOf = await access.teamsOf(database.read, 'agent', rows)
    const contents = await reachedContents(scope, rows.map(contentOf))
    const names = new Set(contents.flatMap(content => content.tools))
    const known = [...tools, ...(await remoteTools.known(scope, [...names]))]
    const toolsByName = new Map(known.map(tool => [tool.name, tool]))
    return rows.map((row, index) =>
      presentAgent(row, contents[index] ?? contentOf(row), { teamsOf, tools: toolsByName }),
    )
  }

  async function insert(
    caller: Caller,
    { status = 'active', viewersMayRun = false, frame = {}, access: newAccess, teamIds, ...given }: NewAgent,
    details: Record<string, unknown>,
    servesModels = false,
  ): Promise<AgentRow> {
    if (caller.scope.agentIds !== undefined) {
      throw forbidden('whole_workspace', 'A key that is narrowed to some agents cannot make another one')
    }
    checkOrigins(frame.origins ?? [], 'frame.origins')
    await check(caller.scope, given, null)
    const content = newContent(given)
    checkTogether(content)
    await checkConnections(caller.scope, database.read, content)
    await checkParameters(caller.scope, content)
    const now = clock()
    const row: AgentRow = {
      id: newId('agent'),
      workspace_id: caller.scope.workspaceId,
      environment: caller.scope.environment,
      ...columnsOf(content),
      status,
      access: 'workspace',
      viewers_may_run: Number(viewersMayRun),
      frame: encodeJson(frame),
      serves_models: Number(servesModels),
      revision: 1,
      reach: encodeReach(reachWrittenBy(caller, null)),
      published_revision: 1,
      change_count: 1,
      created_at: now,
      updated_at: now,
      deleted_at: null,
      run_count: 0,
      conversation_count: 0,
      run_bytes: 0,
    }
    return database.write(async tx => {
      const { workspaceId, environment } = caller.scope
      await takeTurn(tx, `agents ${workspaceId} ${environment}`)
      const known = servesModels ? await findModelsAgent(caller.scope, tx) : undefined
      if (known !== undefined) return known
      if ((await countAgents(caller.scope, tx)) >= maxAgents) {
        throw limitReached('agents', maxAgents, `A workspace has at most ${maxAgents} agents`)
      }
      const granted = await access.prepare(caller, tx, accessChange(newAccess, teamIds), async () => null)
      const made = { ...row, access: granted?.access ?? row.access }
      await insertAgent(caller.scope, tx, made)
      if (granted?.access === 'teams') await access.write(tx, 'agent', row.id, granted)
      await insertLatestRevision(newId, caller, tx, made)
      await audit.record(tx, caller, {
        action: 'agent.create',
        resourceId: row.id,
        details: { ...details, ...granted },
      })
      return made
    })
  }

  return {
    ...createAgentDirectory(dependencies),
    ...createModelsAgent(dependencies, insert),
    ...createAgentChanges(dependencies, { check, checkConnections, checkParameters, reach }),
    /** Returns contents with only the ids that exist for a scope. */
    reachedContents,
    reach,
    /** Returns the ids that name no agent of the scope. */
    missing,
    frameOf: (id: string) => frameOfAgent(database.read, id),
    list: ({ scope }: Caller, page: PageRequest): Promise<Page<ShownAgentRow>> =>
      listAgents(scope, database.read, page),
    async get({ scope }: Caller, id: string): Promise<AgentRow> {
      return (await findAgent(scope, database.read, id)) ?? noAgent()
    },
    /** Throws a 400 that names each unknown collection, tool or model. */
    create: (caller: Caller, newAgent: NewAgent): Promise<AgentRow> =>
      insert(caller, newAgent, { name: newAgent.name.trim() }),
    /** Throws `not_found` if there is no such template. */
    install(caller: Caller, templateId: string, installation: AgentInstallation): Promise<AgentRow> {
      const template = agentTemplates.find(({ id }) => id === templateId) ?? noAgent()
      const { name, description, instructions, tools } = template
      const agent = { name, description, instructions, tools: [...tools], ...installation }
      return insert(caller, agent, { name: agent.name.trim(), templateId })
    },
    async present(caller: Caller, row: AgentRow): Promise<Agent> {
      const [agent] = await presentAll(caller, [row])
      return agent ?? noAgent()
    },
    presentAll,
  }
}

const modelsAgent: NewAgent = {
  name: 'Models without an agent',
  description:
    'Runs models that programs name at /v1 in place of an agent, and counts embeddings. Its budget, its limits and its teams hold for these; while it is paused, no such model runs.',
}

/** The agent of models: the one of an environment whose runs use the model that their request names. */
function createModelsAgent(
  { database: { read } }: Dependencies,
  insert: (
    caller: Caller,
    agent: NewAgent,
    details: Record<string, unknown>,
    servesModels: boolean,
  ) => Promise<AgentRow>,
) {
  /** The server makes this agent if it is missing, because the caller may not reach it. */
  async function ofModels({ scope, requestId, userId }: Caller): Promise<AgentRow> {
    const { workspaceId, environment } = scope
    const author = systemCaller({ workspaceId, environment }, requestId, userId)
    const present = await findModelsAgent(scope, read)
    return present ?? (await insert(author, modelsAgent, { name: modelsAgent.name }, true))
  }

  return {
    ofModels,
    /** The id of this agent; undefined before the first model is used. */
    idOfModels: async ({ scope }: Caller): Promise<string | undefined> =>
      (await findModelsAgent(scope, read))?.id,
    /** The agent that pays for models used without a run, with the limit of its published revision. */
    async spenderOfModels(caller: Caller) {
      const agent = await ofModels(caller)
      const { content } = await revisionToRun(caller.scope, read, agent)
      const { id: agent_id, workspace_id, environment } = agent
      return { workspace_id, environment, agent_id, agentLimitUsd: content.limits.maxCostUsdPerMonth }
    },
  }
}

/** Agents for other doors, such as MCP. */
const createAgentDirectory = ({ database: { read } }: Dependencies) => ({
  /** Active agents that the caller may run, oldest first, after the id `after`; none if the caller may run none. */
  async offered(caller: Caller, page: { after: string | null; limit: number }): Promise<OfferedAgent[]> {
    if (!mayRunSome(caller)) return []
    const rows = await listOffered(caller.scope, read, { ...page, toViewers: isViewer(caller) })
    return rows.map(offeredOf)
  },
  /** The active agent that the caller may run and whose id ends with these letters and digits. */
  async findOffered(caller: Caller, idEnd: string): Promise<OfferedAgent | undefined> {
    if (!mayRunSome(caller)) return undefined
    const row = await findOffered(caller.scope, read, { idEnd, toViewers: isViewer(caller) })
    return row && offeredOf(row)
  },
  /** The names of all agents of the scope, without their content. */
  names: ({ scope }: Caller): Promise<AgentName[]> => listAgentNames(scope, read, maxAgents),
})

/** What other doors show of an agent: its published revision, not its draft, and without its instructions. */
type OfferedAgent = { id: string } & Pick<
  AgentContent,
  'name' | 'description' | 'tools' | 'functions' | 'agentIds' | 'variables'
>

function offeredOf({ id, published, ...row }: OfferedRow): OfferedAgent {
  const latest = {
    ...row,
    tools: decodeJson(row.tools),
    functions: decodeJson(row.functions),
    agentIds: decodeJson(row.agent_ids),
    variables: decodeJson(row.variables),
  }
  const shown = published === null ? latest : decodeContent(published)
  const { name, description, tools, functions, agentIds, variables } = shown
  return { id, name, description, tools, functions, agentIds, variables }
}

/** Only callers who may read agents are shown any. Viewers are included, because they may run some agents. */
const mayRunSome = (caller: Caller): boolean =>
  caller.permissions.has('agents:read') && (caller.permissions.has('agents:run') || isViewer(caller))

type Revising = { change: ContentChange; fromRevision: number | undefined; publish: boolean | undefined }

type Checks = {
  check: AgentCheck
  checkConnections: ConnectionCheck
  checkParameters: ParameterCheck
  reach: AgentReach
}

/** The operations on an existing agent. */
function createAgentChanges(
  { database, clock, newId, audit, access }: Dependencies,
  { check, checkConnections, checkParameters, reach }: Checks,
) {
  const changedNow = (agent: AgentRow) => ({ change_count: agent.change_count + 1, updated_at: clock() })

  /** Stores a new revision and returns the changed row, which is not stored yet. */
  async function revise(
    caller: Caller,
    tx: Tx,
    agent: AgentRow,
    { change, fromRevision, publish = true }: Revising,
  ): Promise<AgentRow> {
    if (agent.revision >= maxRevisions) throw tooManyRevisions()
    const basis = await revisionToRun(caller.scope, tx, agent, fromRevision ?? agent.revision, 'fromRevision')
    await reach.checkAgent(caller, tx, agent, [basis])
    const content = changed(basis.content, change)
    checkTogether(content)
    // A bound connection that has ended since must not block changes to other fields.
    const isBoundAgain = basis.revision !== agent.revision || 'tools' in change || 'connectionIds' in change
    if (isBoundAgain) await checkConnections(caller.scope, tx, content)
    const revision = agent.revision + 1
    const published = publish ? { published_revision: revision } : {}
    const isFreed = publish && !isNarrowed(caller.scope)
    const written = isFreed ? null : reachWrittenBy(caller, basis.reach)
    // An empty list means all collections again.
    await reach.checkRevisions(caller.scope, tx, [{ content, reach: written }])
    const next = { ...agent, ...columnsOf(content), revision, reach: encodeReach(written), ...published }
    await insertLatestRevision(newId, caller, tx, next)
    return next
  }

  async function lock(caller: Caller, tx: Tx, id: string, ifMatch: string | null): Promise<AgentRow> {
    const agent = (await lockAgent(caller.scope, tx, id)) ?? noAgent()
    checkRevision(ifMatch, { id, revision: agent.change_count })
    return agent
  }

  return {
    /** A change of the status, the access, `viewersMayRun` or `frame` makes no revision, and publishes none. */
    async update(
      caller: Caller,
      id: string,
      { access: newAccess, teamIds, fromRevision, publish, ...given }: AgentChange,
      ifMatch: string | null,
    ): Promise<AgentRow> {
      const { status, viewersMayRun, frame, ...change } = given
      const isRevised = fromRevision !== undefined || Object.keys(change).length > 0
      if (!isRevised && publish !== undefined) throw nothingToPublish()
      checkOrigins(frame?.origins ?? [], 'frame.origins')
      const own =
        change.collectionIds === undefined ? undefined : await findAgent(caller.scope, database.read, id)
      await check(caller.scope, change, id, own === undefined ? [] : contentOf(own).collectionIds)
      if (change.model !== undefined || change.modelParameters !== undefined) {
        // Before the transaction, because finding a model may ask its server. Each run checks the parameters again.
        const present = contentOf((await findAgent(caller.scope, database.read, id)) ?? noAgent())
        await checkParameters(caller.scope, changed(present, change))
      }
      return database.write(async tx => {
        const reached = await changeAccess(access, caller, tx, id, accessChange(newAccess, teamIds))
        const agent = await lock(caller, tx, id, ifMatch)
        await reach.checkAgent(caller, tx, agent)
        const switches = withoutUndefined({ status, viewersMayRun, frame })
        const switched = { ...agent, ...switchesOf(agent, switches), ...reached, ...changedNow(agent) }
        const next = isRevised
          ? await revise(caller, tx, switched, { change, fromRevision, publish })
          : switched
        await updateAgent(caller.scope, tx, id, next)
        const fields = [change, switches, reached].flatMap(part => Object.keys(part))
        const details = { fields, revision: next.revision, publishedRevision: next.published_revision }
        await audit.record(tx, caller, { action: 'agent.update', resourceId: id, details })
        return next
      })
    },
    /**
     * Throws a 400 that names `revision` if the agent has no revision of this number. A caller that is not narrowed
     * answers for the revision, whose runs then reach what their callers do.
     */
    publish: (
      caller: Caller,
      id: string,
      { revision }: Publication,
      ifMatch: string | null,
    ): Promise<AgentRow> =>
      database.write(async tx => {
        const agent = await lock(caller, tx, id, ifMatch)
        const published = await revisionToRun(caller.scope, tx, agent, revision)
        await reach.checkAgent(caller, tx, agent, [published])
        const isFreed = published.reach !== null && !isNarrowed(caller.scope)
        if (isFreed) await freeRevision(caller.scope, tx, id, revision)
        const freed = isFreed && revision === agent.revision ? { reach: null } : {}
        const next = { ...agent, ...changedNow(agent), ...freed, published_revision: revision }
        await updateAgent(caller.scope, tx, id, next)
        const details = { revision, before: agent.published_revision }
        await audit.record(tx, caller, { action: 'agent.publish', resourceId: id, details })
        return next
      }),
    /** Deletes the agent with its starters, and returns the starters' ids. Its runs stay; runs in progress go on. */
    remove: (
      caller: Caller,
      id: string,
      { ifMatch, dryRun }: { ifMatch: string | null; dryRun: boolean },
    ): Promise<StarterIds> =>
      database.write(async tx => {
        const agent = await lock(caller, tx, id, ifMatch)
        await reach.checkAgent(caller, tx, agent)
        const starters = await starterIdsOf(caller.scope, tx, id)
        if (dryRun) return starters
        await updateAgent(caller.scope, tx, id, { ...changedNow(agent), deleted_at: clock() })
        await deleteStarters(caller.scope, tx, starters)
        const { name } = agent
        await audit.record(tx, caller, { action: 'agent.delete', resourceId: id, details: { name } })
        return starters
      }),
  }
}

const switchesOf = (
  agent: AgentRow,
  { status, viewersMayRun, frame }: Pick<AgentChange, 'status' | 'viewersMayRun' | 'frame'>,
): Pick<AgentRow, 'status' | 'viewers_may_run' | 'frame'> => ({
  status: status ?? agent.status,
  viewers_may_run: viewersMayRun === undefined ? agent.viewers_may_run : Number(viewersMayRun),
  frame: frame === undefined ? agent.frame : encodeJson(frame),
})

/** Changes the access, and returns the changed column of the agent's row. A failed `If-Match` undoes the change. */
async function changeAccess(
  access: AccessService,
  caller: Caller,
  tx: Tx,
  id: string,
  change: AccessChange,
): Promise<Partial<Pick<AgentRow, 'access'>>> {
  const after = await access.prepare(caller, tx, change, async () => {
    const agent = (await findAgent(caller.scope, tx, id)) ?? noAgent()
    const teamsOf = await access.teamsOf(tx, 'agent', [agent])
    return { access: agent.access, teamIds: teamsOf(id) }
  })
  if (after === null) return {}
  await access.write(tx, 'agent', id, after)
  return { access: after.access }
}

/** Stores the content of the agent's row as its latest revision. */
async function insertLatestRevision(newId: NewId, caller: Caller, tx: Tx, row: AgentRow): Promise<void> {
  await insertRevision(caller.scope, tx, {
    id: newId('revision'),
    agent_id: row.id,
    workspace_id: row.workspace_id,
    environment: row.environment,
    revision: row.revision,
    content: encodeJson(contentOf(row)),
    created_by: caller.userId,
    created_at: row.updated_at,
    reach: row.reach,
  })
}

const encodeReach = (reach: RevisionReach) => (reach === null ? null : encodeJson([...reach]))

const nothingToPublish = (): ServiceError =>
  invalidField(
    'publish',
    'needs fields to change; POST /agents/:id/publish publishes a revision that is there',
  )

const tooManyRevisions = (): ServiceError =>
  limitReached(
    'revisions',
    maxRevisions,
    `An agent has at most ${maxRevisions} revisions; make a new agent of it`,
  )

/** Publishing changes an agent without a new revision, so its ETag counts changes. */
export const agentEtag = ({ id, change_count: revision }: AgentRow) => etagOf({ id, revision })

type ToolsByName = ReadonlyMap<string, Tool>

const presentAgent = (
  row: ShownAgentRow,
  content: AgentContent,
  { teamsOf, tools }: { teamsOf: TeamsOf; tools: ToolsByName },
): Agent => ({
  id: row.id,
  ...content,
  approvals: approvalsOf(content, tools),
  status: row.status,
  viewersMayRun: row.viewers_may_run === 1,
  frame: presentFrame(decodeJson(row.frame)),
  access: row.access,
  teamIds: teamsOf(row.id),
  revision: row.revision,
  publishedRevision: row.published_revision,
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

/** A tool of an integration that the server no longer offers is not called, so none of its calls waits. */
const approvalsOf = ({ tools: names, approvalTools }: AgentContent, tools: ToolsByName): Agent['approvals'] =>
  names.map(name => {
    const tool = tools.get(name)
    if (tool?.needsApproval === true || approvalTools.includes(name)) return { tool: name, calls: 'all' }
    return { tool: name, calls: tool?.callNeedsApproval === undefined ? 'none' : 'some' }
  })

const noAgent = (): never => {
  throw notFound()
}
