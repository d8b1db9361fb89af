/** How much of everything there is, as far as the person may know. */
import type { Atrium } from '@atrium/sdk'
import { useApiQuery } from '../../api/queries.ts'
import { type Scope, useScope } from '../../api/scope.tsx'

/** Null where the person may not see it. */
export type Contents = {
  agents: number | null
  collections: number | null
  documents: number | null
  members: number | null
  keys: number | null
  /** Documents that search finds. */
  readyDocuments: number
  /** Whether any agent has been asked something. */
  hasRun: boolean
  /** Keys of this environment that work: neither revoked nor expired. Live shows test keys too. */
  workingKeys: number
  /** Members that are people, and those who are still to answer an invitation. */
  people: number
  invited: number
}

export function useContents() {
  const scope = useScope()
  return useApiQuery(
    ['overview'],
    (atrium, options) => readContents(atrium, scope, options),
    // A person who comes back from a step sees it done.
    { staleTime: 0 },
  )
}

const one = { pageSize: 1 }
const many = { pageSize: 100 }

async function readContents(
  { agents, knowledge, workspace, apiKeys }: Atrium,
  { permissions, environment }: Scope,
  options: { signal: AbortSignal },
): Promise<Contents> {
  const ifMay = async <Value>(permission: string, read: () => Promise<Value>): Promise<Value | null> =>
    permissions.has(permission) ? read() : null
  const { documents, collections } = knowledge
  const [runs, collectionPage, documentPage, ready, memberPage, people, invited, keyPage] = await Promise.all(
    [
      ifMay('agents:read', () => agents.lastRuns(many, options).page()),
      ifMay('knowledge:read', () => collections.list(one, options).page()),
      ifMay('knowledge:read', () => documents.list(one, options).page()),
      ifMay('knowledge:read', () => documents.list({ ...one, status: 'ready' }, options).page()),
      ifMay('members:read', () => workspace.members.list(one, options).page()),
      ifMay('members:read', () => workspace.members.list({ ...one, kind: 'person' }, options).page()),
      ifMay('members:read', () => workspace.invitations.list({ ...one, status: 'pending' }, options).page()),
      ifMay('keys:read', () => apiKeys.list(many, options).page()),
    ],
  )
  return {
    agents: runs?.total ?? null,
    collections: collectionPage?.total ?? null,
    documents: documentPage?.total ?? null,
    members: memberPage?.total ?? null,
    keys: keyPage?.total ?? null,
    readyDocuments: ready?.total ?? 0,
    hasRun: runs?.items.some(({ run }) => run !== null) ?? false,
    workingKeys:
      keyPage?.items.filter(key => key.status === 'active' && key.environment === environment).length ?? 0,
    people: people?.total ?? 0,
    invited: invited?.total ?? 0,
  }
}
