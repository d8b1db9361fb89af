/** The content of an agent: in its row, in its revisions' rows, as a change, and as far as a caller reaches it. */
import type { Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson, encodeUnusual, type Json } from '../../../platform/database/json.ts'
import { invalidField } from '../../../platform/errors.ts'
import { searchToolName } from '../../../platform/models/extractive/model.ts'
import { bothNarrowings, type RunNarrowing } from '../../../platform/narrowing.ts'
import type { FindMissing } from '../../api-keys/service.ts'
import type { FindConnections } from '../../integrations/connections/service.ts'
import {
  type AgentContent,
  type AgentLimits,
  type AgentParameters,
  type idFields,
  noLimits,
  usualParameters,
} from './agent-fields.ts'
import { type AgentRow, findRevision, type ShownAgentRow } from './agent-store.ts'

/** The fields to change. `limits` and `modelParameters` replace all their fields: one that is left out is removed. */
export type ContentChange = Partial<Omit<AgentContent, 'limits' | 'modelParameters'>> & {
  limits?: Partial<AgentLimits>
  modelParameters?: Partial<AgentParameters>
}

/** The content of an agent that is created with a name only. */
const defaults: Omit<AgentContent, 'name'> = {
  description: null,
  model: 'default',
  fallbackModel: null,
  instructions: '',
  collectionIds: [],
  tools: ['search_knowledge'],
  approvalTools: [],
  functions: [],
  httpHosts: [],
  agentIds: [],
  connectionIds: [],
  variables: {},
  limits: noLimits,
  modelParameters: usualParameters,
}

export const newContent = (given: ContentChange & { name: string }): AgentContent =>
  changed({ ...defaults, name: given.name }, given)

export const changed = (
  content: AgentContent,
  { limits, modelParameters, ...change }: ContentChange,
): AgentContent => ({
  ...content,
  ...change,
  name: (change.name ?? content.name).trim(),
  limits: limits === undefined ? content.limits : { ...noLimits, ...limits },
  modelParameters:
    modelParameters === undefined ? content.modelParameters : { ...usualParameters, ...modelParameters },
})

/** Revisions from older versions of the server lack newer fields. */
export const decodeContent = (json: Json<{ name: string } & Partial<AgentContent>>): AgentContent => ({
  ...defaults,
  ...decodeJson(json),
})

/** The content of a run. `isBare` means that the model reads what the request said, and no words of ours. */
export type RunContent = AgentContent & { isBare: boolean }

/**
 * The content with `model`, and then without a fallback. If `model` is null, nothing changes. A model that is named in
 * place of an agent has the limits and instructions of the agent of models, and searches only in collections that the
 * request names.
 */
export function contentToRun(
  content: AgentContent,
  {
    model,
    servesModels,
    narrowing,
  }: { model: string | null; servesModels: boolean; narrowing: RunNarrowing },
): RunContent {
  if (model === null) return { ...content, isBare: false }
  if (!servesModels) return { ...content, model, fallbackModel: null, isBare: false }
  const { instructions, limits, modelParameters, variables } = content
  const tools = narrowing.collectionIds === null ? [] : [searchToolName]
  const own = { instructions, limits, modelParameters, variables, tools }
  return { ...defaults, ...own, name: content.name, model, isBare: true }
}

/** The content of the latest revision, which the agent's row holds as well. */
export const contentOf = (row: ShownAgentRow): AgentContent => ({
  name: row.name,
  description: row.description,
  model: row.model,
  fallbackModel: row.fallback_model,
  instructions: row.instructions,
  collectionIds: decodeJson(row.collection_ids),
  tools: decodeJson(row.tools),
  approvalTools: decodeJson(row.approval_tools),
  functions: decodeJson(row.functions),
  httpHosts: decodeJson(row.http_hosts),
  agentIds: decodeJson(row.agent_ids),
  connectionIds: decodeJson(row.connection_ids),
  variables: decodeJson(row.variables),
  limits: { ...noLimits, ...decodeJson(row.limits) },
  modelParameters: { ...usualParameters, ...decodeJson(row.model_parameters) },
})

export const columnsOf = (content: AgentContent) => ({
  name: content.name,
  description: content.description,
  model: content.model,
  fallback_model: content.fallbackModel,
  instructions: content.instructions,
  collection_ids: encodeJson(content.collectionIds),
  tools: encodeJson(content.tools),
  approval_tools: encodeJson(content.approvalTools),
  functions: encodeJson(content.functions),
  http_hosts: encodeJson(content.httpHosts),
  agent_ids: encodeJson(content.agentIds),
  connection_ids: encodeJson(content.connectionIds),
  variables: encodeJson(content.variables),
  limits: encodeUnusual(content.limits, noLimits),
  model_parameters: encodeUnusual(content.modelParameters, usualParameters),
})

/** The collections that the runs of a revision reach at most; null means all that their callers reach. */
export type RevisionReach = readonly string[] | null

export type RevisionToRun = { revision: number; content: AgentContent; reach: RevisionReach }

/** The narrowing of a run of the revision: no further than its writer may read. */
export const withinReach = (narrowing: RunNarrowing, { reach }: Pick<RevisionToRun, 'reach'>): RunNarrowing =>
  bothNarrowings(narrowing, { collectionIds: reach, filter: null })

export const reachOf = ({ reach }: { reach: Json<string[]> | null }): RevisionReach =>
  reach === null ? null : decodeJson(reach)

/** The revision `named`, or else the published one. Throws a 400 that names `field` if it does not exist. */
export async function revisionToRun(
  scope: Scope,
  query: Query,
  agent: AgentRow,
  named?: number,
  field = 'revision',
): Promise<RevisionToRun> {
  const revision = named ?? agent.published_revision
  // The agent's row holds the latest revision, which needs no query.
  if (revision === agent.revision) return { revision, content: contentOf(agent), reach: reachOf(agent) }
  const row = await findRevision(scope, query, agent.id, revision)
  if (row === undefined) throw invalidField(field, 'The agent has no revision of this number')
  return { revision, content: decodeContent(row.content), reach: reachOf(row) }
}

// The ids that an agent names and the caller reaches. Ids beyond the reach are not shown.

export type ReachedContents = ReturnType<typeof createReachedContents>

/** The function returns the contents in the same order, with only the ids that the scope reaches. */
export function createReachedContents(dependencies: {
  missingCollections: FindMissing
  missingAgents: FindMissing
  findConnections: FindConnections
}) {
  const { missingCollections, missingAgents, findConnections } = dependencies
  return async (scope: Scope, contents: readonly AgentContent[], query?: Query): Promise<AgentContent[]> => {
    const { agentIds, collectionIds, withheld } = scope
    if (agentIds === undefined && collectionIds === undefined && withheld === undefined) return [...contents]
    const named = (field: (typeof idFields)[number]) => [
      ...new Set(contents.flatMap(content => content[field])),
    ]
    const collections = new Set(await missingCollections(scope, named('collectionIds'), query))
    const agents = new Set(await missingAgents(scope, named('agentIds'), query))
    const found = await findConnections(scope, named('connectionIds'), query)
    const connections = new Set(found.map(({ id }) => id))
    return contents.map(content => ({
      ...content,
      collectionIds: content.collectionIds.filter(id => !collections.has(id)),
      agentIds: content.agentIds.filter(id => !agents.has(id)),
      connectionIds: content.connectionIds.filter(id => connections.has(id)),
    }))
  }
}
