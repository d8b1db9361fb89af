/** The verbs of agents: made, found, changed with a revision each time, deleted, installed from a template. */
import type { Caller } from '../../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { notFound, ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { ModelEntry, Models } from '../../../platform/models/models.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { FindMissing } from '../../api-keys/service.ts'
import type { AuditService } from '../../audit/service.ts'
import { createAgentCheck } from './agent-check.ts'
import type { Agent, AgentChange, AgentInstallation, Model, NewAgent } from './agent-schemas.ts'
import {
  type AgentRow,
  countAgents,
  existingAgentIds,
  findAgent,
  insertAgent,
  insertRevision,
  listAgents,
  lockAgent,
  updateAgent,
} from './agent-store.ts'
import { agentTemplates } from './templates.ts'

export type AgentService = {
  list(caller: Caller, page: PageRequest): Promise<Page<AgentRow>>
  get(caller: Caller, id: string): Promise<AgentRow>
  /** Throws a 400 that names each collection, tool or model that there is not. */
  create(caller: Caller, wanted: NewAgent): Promise<AgentRow>
  /** Throws `not_found` where there is no such template. */
  install(caller: Caller, templateId: string, wanted: AgentInstallation): Promise<AgentRow>
  update(caller: Caller, id: string, change: AgentChange, ifMatch: string | null): Promise<AgentRow>
  /** The agent is gone for everyone; its runs keep their records, and those under way go on to their end. */
  remove(caller: Caller, id: string, options: { ifMatch: string | null; dryRun: boolean }): Promise<void>
  models(caller: Caller): Promise<Model[]>
  /** Those of the ids that are no agents of the scope. */
  missing: FindMissing
}

const maxAgents = 1_000

export function createAgentService(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  models: Models
  tools: readonly Tool[]
  missingCollections: FindMissing
}): AgentService {
  const { database, clock, newId, audit, models } = dependencies
  const check = createAgentCheck(dependencies)

  async function insert(
    caller: Caller,
    wanted: NewAgent,
    details: Record<string, unknown>,
  ): Promise<AgentRow> {
    if (caller.scope.agentIds !== undefined) {
      throw new ServiceError(
        'permission_missing',
        'A key that is narrowed to some agents cannot make another one',
      )
    }
    await check(caller.scope, wanted)
    const now = clock()
    const row: AgentRow = {
      id: newId('agent'),
      workspace_id: caller.scope.workspaceId,
      environment: caller.scope.environment,
      name: wanted.name.trim(),
      description: wanted.description ?? null,
      model: wanted.model ?? 'default',
      instructions: wanted.instructions ?? '',
      collection_ids: encodeJson(wanted.collectionIds ?? []),
      tools: encodeJson(wanted.tools ?? ['search_knowledge']),
      status: wanted.status ?? 'active',
      revision: 1,
      created_at: now,
      updated_at: now,
      deleted_at: null,
      run_count: 0,
    }
    return database.write(async tx => {
      if ((await countAgents(caller.scope, tx)) >= maxAgents) {
        throw new ServiceError('conflict', `A workspace has at most ${maxAgents} agents`)
      }
      await insertAgent(caller.scope, tx, row)
      await keepRevision(caller, tx, row)
      await audit.record(tx, caller, { action: 'agent.create', resourceId: row.id, details })
      return row
    })
  }

  async function keepRevision(caller: Caller, tx: Tx, row: AgentRow): Promise<void> {
    const { name, model, instructions } = row
    const collectionIds = decodeJson(row.collection_ids)
    const content = { name, model, instructions, collectionIds, tools: decodeJson(row.tools) }
    await insertRevision(caller.scope, tx, {
      id: newId('revision'),
      agent_id: row.id,
      workspace_id: row.workspace_id,
      environment: row.environment,
      revision: row.revision,
      content: encodeJson(content),
      created_by: caller.userId,
      created_at: row.updated_at,
    })
  }

  async function lock(caller: Caller, tx: Tx, id: string, ifMatch: string | null): Promise<AgentRow> {
    const agent = (await lockAgent(caller.scope, tx, database.engine, id)) ?? missing()
    checkRevision(ifMatch, agent)
    return agent
  }

  return {
    list: (caller, page) => listAgents(caller.scope, database.read, page),
    async get(caller, id) {
      return (await findAgent(caller.scope, database.read, id)) ?? missing()
    },
    create: (caller, wanted) => insert(caller, wanted, { name: wanted.name.trim() }),
    install(caller, templateId, wanted) {
      const template = agentTemplates.find(({ id }) => id === templateId) ?? missing()
      const { name, description, instructions, tools: names } = template
      const agent = { name, description, instructions, tools: [...names], ...wanted }
      return insert(caller, agent, { name: agent.name.trim(), templateId })
    },
    async update(caller, id, change, ifMatch) {
      await check(caller.scope, change)
      return database.write(async tx => {
        const agent = await lock(caller, tx, id, ifMatch)
        const changed = { ...agent, ...columnsOf(change), revision: agent.revision + 1, updated_at: clock() }
        await updateAgent(caller.scope, tx, id, changed)
        await keepRevision(caller, tx, changed)
        const details = { fields: Object.keys(change), revision: changed.revision }
        await audit.record(tx, caller, { action: 'agent.update', resourceId: id, details })
        return changed
      })
    },
    remove: (caller, id, { ifMatch, dryRun }) =>
      database.write(async tx => {
        const { name, revision } = await lock(caller, tx, id, ifMatch)
        if (dryRun) return
        const now = clock()
        await updateAgent(caller.scope, tx, id, { deleted_at: now, updated_at: now, revision: revision + 1 })
        await audit.record(tx, caller, { action: 'agent.delete', resourceId: id, details: { name } })
      }),
    models: async caller => (await models.list(caller.scope.environment)).map(presentModel),
    async missing(scope, ids) {
      const existing = await existingAgentIds(scope, database.read, ids)
      return ids.filter(id => !existing.has(id))
    },
  }
}

export const presentAgent = (row: AgentRow): Agent => ({
  id: row.id,
  name: row.name,
  description: row.description,
  model: row.model,
  instructions: row.instructions,
  collectionIds: decodeJson(row.collection_ids),
  tools: decodeJson(row.tools),
  status: row.status,
  revision: row.revision,
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

const presentModel = ({ price, ...entry }: ModelEntry): Model => ({
  ...entry,
  price:
    price === null
      ? null
      : {
          inputUsdPerMillionTokens: price.input,
          cachedInputUsdPerMillionTokens: price.cachedInput,
          outputUsdPerMillionTokens: price.output,
        },
})

const missing = (): never => {
  throw notFound()
}

/** The columns of the fields that were sent. */
function columnsOf({ name, collectionIds, tools, ...same }: AgentChange): Partial<AgentRow> {
  return {
    ...same,
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(collectionIds === undefined ? {} : { collection_ids: encodeJson(collectionIds) }),
    ...(tools === undefined ? {} : { tools: encodeJson(tools) }),
  }
}
