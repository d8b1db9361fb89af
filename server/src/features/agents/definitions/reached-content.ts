/** What an agent names, as far as the caller reaches: ids beyond that are neither shown nor removed. */
import type { Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import type { FindMissing } from '../../api-keys/service.ts'
import type { FindConnections } from '../../integrations/connections/service.ts'
import type { ContentChange } from './agent-content.ts'
import { type AgentContent, idFields } from './agent-fields.ts'

export type ReachedContents = ReturnType<typeof createReachedContents>

/** Returns a function that returns the same contents, in their order. */
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

export const idsOf = ({ collectionIds, agentIds, connectionIds }: AgentContent) => ({
  collectionIds,
  agentIds,
  connectionIds,
})

/** A change, with those ids in each list that the content names and its author was not shown. */
export function withUnreached(
  change: ContentChange,
  content: AgentContent,
  reached: AgentContent,
): ContentChange {
  const lists = idFields.flatMap(field => {
    const ids = change[field]
    if (ids === undefined) return []
    const unreached = content[field].filter(id => !reached[field].includes(id))
    return [[field, [...ids, ...unreached]] as const]
  })
  return { ...change, ...Object.fromEntries(lists) }
}
