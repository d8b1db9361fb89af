/** The verbs of agents: made, found, changed with a revision each time, deleted, installed from a template. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { takeTurn } from '../../../platform/database/take-turns.ts'
import { notFound, ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import { etagOf } from '../../../platform/revision.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { FindMissing } from '../../api-keys/service.ts'
import type { AuditService } from '../../audit/service.ts'
import type { FindConnections } from '../../integrations/connections/bound-connections-service.ts'
import type { WorkspaceModels } from '../../models/models-service.ts'
import { type AccessService, accessChange, type TeamsOf } from '../../workspaces/teams/access-service.ts'
import { type AgentChanges, createAgentChanges, keepRevision } from './agent-changes.ts'
import { checkTogether, createAgentCheck, createConnectionCheck } from './agent-check.ts'
import { columnsOf, contentOf, newContent } from './agent-content.ts'
import type { AgentContent } from './agent-fields.ts'
import type { Agent, AgentInstallation, NewAgent } from './agent-schemas.ts'
import {
  type AgentRow,
  countAgents,
  existingAgentIds,
  findAgent,
  insertAgent,
  listAgents,
} from './agent-store.ts'
import { createReachedContents, type ReachedContents } from './reached-content.ts'
import { agentTemplates } from './templates.ts'

export type AgentService = AgentChanges & {
  list(caller: Caller, page: PageRequest): Promise<Page<AgentRow>>
  get(caller: Caller, id: string): Promise<AgentRow>
  /** Throws a 400 that names each collection, tool or model that there is not. */
  create(caller: Caller, wanted: NewAgent): Promise<AgentRow>
  /** Throws `not_found` where there is no such template. */
  install(caller: Caller, templateId: string, wanted: AgentInstallation): Promise<AgentRow>
  /** Those of the ids that are no agents of the scope. */
  missing: FindMissing
  /** As it goes over the wire. */
  present(caller: Caller, row: AgentRow): Promise<Agent>
  presentAll(caller: Caller, rows: readonly AgentRow[]): Promise<Agent[]>
  /** What agents name, as far as it exists for a scope. */
  reachedContents: ReachedContents
}

const maxAgents = 1_000
export function createAgentService(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  models: Pick<WorkspaceModels, 'check'>
  tools: readonly Tool[]
  access: AccessService
  missingCollections: FindMissing
  findConnections: FindConnections
}): AgentService {
  const { database, clock, newId, audit, access } = dependencies
  const check = createAgentCheck({ ...dependencies, missingAgents: missing })
  const checkConnections = createConnectionCheck(dependencies)
  const reachedContents = createReachedContents({ ...dependencies, missingAgents: missing })

  async function missing(scope: Scope, ids: readonly string[], query = database.read): Promise<string[]> {
    const existing = await existingAgentIds(scope, query, ids)
    return ids.filter(id => !existing.has(id))
  }

  async function insert(
    caller: Caller,
    { status = 'active', access: wantedAccess, teamIds, ...given }: NewAgent,
    details: Record<string, unknown>,
  ): Promise<AgentRow> {
    if (caller.scope.agentIds !== undefined) {
      throw new ServiceError(
        'permission_missing',
        'A key that is narrowed to some agents cannot make another one',
      )
    }
    await check(caller.scope, given, null)
    const content = newContent(given)
    checkTogether(content)
    await checkConnections(caller.scope, database.read, content)
    const now = clock()
    const row: AgentRow = {
      id: newId('agent'),
      workspace_id: caller.scope.workspaceId,
      environment: caller.scope.environment,
      ...columnsOf(content),
      status,
      access: 'workspace',
      revision: 1,
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
      await takeTurn(tx, database.engine, `agents ${workspaceId} ${environment}`)
      if ((await countAgents(caller.scope, tx)) >= maxAgents) {
        throw new ServiceError('conflict', `A workspace has at most ${maxAgents} agents`)
      }
      const wanted = accessChange(wantedAccess, teamIds)
      const kept = await access.prepare(caller, tx, wanted, async () => null)
      const made = { ...row, access: kept?.access ?? row.access }
      await insertAgent(caller.scope, tx, made)
      if (kept?.access === 'teams') {
        await access.write(tx, 'agent', row.id, kept)
      }
      await keepRevision(newId, caller, tx, made)
      await audit.record(tx, caller, {
        action: 'agent.create',
        resourceId: row.id,
        details: { ...details, ...kept },
      })
      return made
    })
  }

  return {
    list: (caller, page) => listAgents(caller.scope, database.read, page),
    async get(caller, id) {
      return (await findAgent(caller.scope, database.read, id)) ?? noAgent()
    },
    create: (caller, wanted) => insert(caller, wanted, { name: wanted.name.trim() }),
    install(caller, templateId, wanted) {
      const template = agentTemplates.find(({ id }) => id === templateId) ?? noAgent()
      const { name, description, instructions, tools: names } = template
      const agent = { name, description, instructions, tools: [...names], ...wanted }
      return insert(caller, agent, { name: agent.name.trim(), templateId })
    },
    ...createAgentChanges({ ...dependencies, check, checkConnections, reachedContents }),
    missing,
    async present({ scope }, row) {
      const teamsOf = await access.teamsOf(database.read, 'agent', [row])
      const [content = contentOf(row)] = await reachedContents(scope, [contentOf(row)])
      return presentAgent(row, content, teamsOf)
    },
    async presentAll({ scope }, rows) {
      const teamsOf = await access.teamsOf(database.read, 'agent', rows)
      const contents = await reachedContents(scope, rows.map(contentOf))
      return rows.map((row, place) => presentAgent(row, contents[place] ?? contentOf(row), teamsOf))
    },
    reachedContents,
  }
}

/** Publishing changes an agent without a new revision, so its ETag counts changes. */
export const agentEtag = ({ id, change_count: revision }: AgentRow) => etagOf({ id, revision })

const presentAgent = (row: AgentRow, content: AgentContent, teamsOf: TeamsOf): Agent => ({
  id: row.id,
  ...content,
  status: row.status,
  access: row.access,
  teamIds: teamsOf(row.id),
  revision: row.revision,
  publishedRevision: row.published_revision,
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

const noAgent = (): never => {
  throw notFound()
}
