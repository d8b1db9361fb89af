/** What an agent names, as far as it exists for the reader: ids of what they do not reach are left out. */
import type { Scope } from '../../../platform/caller.ts'
import type { FindMissing } from '../../api-keys/service.ts'
import type { FindConnections } from '../../integrations/bound-connections-service.ts'
import type { AgentContent } from './agent-fields.ts'

/** The same contents, in their order. */
export type ReachedContents = (scope: Scope, contents: readonly AgentContent[]) => Promise<AgentContent[]>

export function createReachedContents(dependencies: {
  missingCollections: FindMissing
  missingAgents: FindMissing
  findConnections: FindConnections
}): ReachedContents {
  const { missingCollections, missingAgents, findConnections } = dependencies
  return async (scope, contents) => {
    const { agentIds, collectionIds, withheld } = scope
    if (agentIds === undefined && collectionIds === undefined && withheld === undefined) return [...contents]
    const named = (field: 'agentIds' | 'collectionIds' | 'connectionIds') => [
      ...new Set(contents.flatMap(content => content[field])),
    ]
    const collections = new Set(await missingCollections(scope, named('collectionIds')))
    const agents = new Set(await missingAgents(scope, named('agentIds')))
    const connections = new Set((await findConnections(scope, named('connectionIds'))).map(({ id }) => id))
    return contents.map(content => ({
      ...content,
      collectionIds: content.collectionIds.filter(id => !collections.has(id)),
      agentIds: content.agentIds.filter(id => !agents.has(id)),
      connectionIds: content.connectionIds.filter(id => connections.has(id)),
    }))
  }
}
