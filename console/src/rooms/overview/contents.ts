/** How much of everything there is, as far as the person may know. */
import type { Atrium } from '@atrium/sdk'
import { useApiQuery } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'

/** Null where the person may not see it. */
export type Contents = {
  agents: number | null
  collections: number | null
  documents: number | null
  members: number | null
  keys: number | null
  /** Whether any of the newest agents has been asked something. */
  hasRun: boolean
}

export function useContents() {
  const { permissions } = useScope()
  return useApiQuery(['overview'], (atrium, options) => readContents(atrium, permissions, options))
}

const one = { pageSize: 1 }

async function readContents(
  { agents, knowledge, workspace, apiKeys }: Atrium,
  permissions: ReadonlySet<string>,
  options: { signal: AbortSignal },
): Promise<Contents> {
  const ifMay = async <Value>(permission: string, read: () => Promise<Value>): Promise<Value | null> =>
    permissions.has(permission) ? read() : null
  const [agentPage, collectionPage, documentPage, memberPage, keyPage] = await Promise.all([
    ifMay('agents:read', () => agents.list(one, options).page()),
    ifMay('knowledge:read', () => knowledge.collections.list(one, options).page()),
    ifMay('knowledge:read', () => knowledge.documents.list(one, options).page()),
    ifMay('members:read', () => workspace.members.list(one, options).page()),
    ifMay('keys:read', () => apiKeys.list(one, options).page()),
  ])
  const newest = agentPage?.items[0]
  const runs = newest === undefined ? null : await agents.runs(newest.id, one, options).page()
  return {
    agents: agentPage?.total ?? null,
    collections: collectionPage?.total ?? null,
    documents: documentPage?.total ?? null,
    members: memberPage?.total ?? null,
    keys: keyPage?.total ?? null,
    hasRun: (runs?.total ?? 0) > 0,
  }
}
