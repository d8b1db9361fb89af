/** Whether a run may begin: everything that can be told before its row is written, for that may ask models and documents. */
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { invalidField, notFound, ServiceError } from '../../../platform/errors.ts'
import type { StrangersSchemas } from '../../../platform/json-schema/strangers-schemas.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { ResolvedModel } from '../../../platform/models/models.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { WorkspaceModels } from '../../models/models-service.ts'
import type { Budgets } from '../budgets/budgets.ts'
import { onModel } from '../definitions/agent-content.ts'
import { type AgentRow, findAgent } from '../definitions/agent-store.ts'
import { type RevisionToRun, revisionToRun } from '../definitions/agent-to-run.ts'
import type { Attachments } from '../inputs/attachments.ts'
import { checkVariables } from '../inputs/variables.ts'
import { limitsOf } from '../records/run-limits.ts'
import type { NewRun } from '../records/run-schemas.ts'

export type CheckedStart = { agent: AgentRow; toRun: RevisionToRun }

/** `model` takes the place of the agent's. */
export type CheckStart = (
  caller: Caller,
  agentId: string,
  wanted: NewRun,
  model: string | null,
) => Promise<CheckedStart>

export function createStartCheck(dependencies: {
  database: Database
  models: WorkspaceModels
  tools: readonly Tool[]
  budgets: Budgets
  attachments: Attachments
  schemas: StrangersSchemas
}): CheckStart {
  const { database, models, tools, budgets, attachments, schemas } = dependencies

  async function checkSchema({ responseSchema }: NewRun, { workspaceId }: Scope): Promise<void> {
    const fault = responseSchema === undefined ? null : await schemas.faultOf(responseSchema, workspaceId)
    if (fault === null) return
    const { field, message } = fault
    throw invalidField(['responseSchema', field].filter(part => part !== '').join('.'), message)
  }

  /** A limit on an unknown cost could not be kept. */
  async function checkPrice(
    wanted: NewRun,
    isLimited: boolean,
    model: () => Promise<ResolvedModel | null>,
  ): Promise<void> {
    if (!isLimited) return
    const resolved = await model()
    if (resolved === null || resolved.price !== null) return
    const unknown = `The price of ${resolved.name} is not known, so`
    if (wanted.limits?.maxCostUsd !== undefined) {
      throw invalidField('limits.maxCostUsd', `${unknown} its cost cannot be limited; use limits.maxSteps`)
    }
    throw new ServiceError(
      'conflict',
      `${unknown} what the agent or the workspace may cost cannot be kept to: the operator can name the price (ATRIUM_MODEL_PRICES)`,
    )
  }

  return async (caller, agentId, wanted, otherModel) => {
    const { scope } = caller
    const agent = (await findAgent(scope, database.read, agentId)) ?? missing()
    const found = await revisionToRun(scope, database.read, agent, wanted.revision)
    const toRun = { ...found, content: onModel(found.content, otherModel) }
    checkDraft(caller, agent, toRun)
    checkTools(caller, toRun, tools)
    if (agent.status === 'paused') throw new ServiceError('conflict', 'The agent is paused')
    const { content } = toRun
    const model = () => resolve(models, scope, content.model)
    const limits = limitsOf(content.limits, wanted.limits)
    checkVariables(content.variables, wanted.variables ?? {})
    await checkSchema(wanted, scope)
    await attachments.check(caller, wanted.attachments ?? [], model)
    const { isLimited } = await budgets.checkStart({
      workspace_id: scope.workspaceId,
      environment: scope.environment,
      agent_id: agent.id,
      agentLimitUsd: content.limits.maxCostUsdPerMonth,
    })
    await checkPrice(wanted, isLimited || limits.maxCostUsd !== null, model)
    return { agent, toRun }
  }
}

const missing = (): never => {
  throw notFound()
}

/** Null where it is not configured: then the run itself says so. */
async function resolve(models: WorkspaceModels, scope: Scope, name: string): Promise<ResolvedModel | null> {
  try {
    return await models.resolve(scope, name)
  } catch (error) {
    if (error instanceof ModelError) return null
    throw error
  }
}

/** What an author has not published, or has taken back, only those may run who could publish it. */
function checkDraft(caller: Caller, agent: AgentRow, { revision }: RevisionToRun): void {
  if (revision === agent.published_revision || caller.permissions.has('agents:write')) return
  throw new ServiceError(
    'permission_missing',
    `Revision ${revision} is not the published one; to run it the key needs the permission agents:write`,
  )
}

/** A tool acts as the caller does; a caller who may not do that is told so before anything runs. */
export function checkTools(caller: Caller, { content }: RevisionToRun, tools: readonly Tool[]): void {
  const refused = tools.find(
    tool => content.tools.includes(tool.name) && !caller.permissions.has(tool.permission),
  )
  if (refused === undefined) return
  throw new ServiceError(
    'permission_missing',
    `The key lacks the permission ${refused.permission}, which the agent's tool ${refused.name} needs`,
  )
}
