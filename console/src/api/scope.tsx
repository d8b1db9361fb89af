/** The workspace and environment that this tab is in, the client for it, and what the person may do there. */
import { Atrium } from '@atrium/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import {
  type Access,
  buyToken,
  type Environment,
  type MyWorkspace,
  type Role,
} from '../session/session-client.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Loading } from '../ui/waiting.tsx'

export type Scope = {
  workspace: MyWorkspace
  workspaces: readonly MyWorkspace[]
  environment: Environment
  atrium: Atrium
  role: Role
  permissions: ReadonlySet<string>
  chooseWorkspace(id: string): void
  chooseEnvironment(environment: Environment): void
}

const ScopeContext = createContext<Scope | null>(null)

const workspaceKey = 'atrium.workspace'
const environmentKey = 'atrium.environment'

/** Needs at least one workspace that is not being deleted. */
export function ScopeProvider({
  workspaces,
  children,
}: {
  workspaces: readonly MyWorkspace[]
  children: ReactNode
}) {
  const [chosen, setChosen] = useState(() => localStorage.getItem(workspaceKey))
  const [environment, setEnvironment] = useState<Environment>(() =>
    // Of this tab only: nobody should find a new tab in the sandbox unawares.
    sessionStorage.getItem(environmentKey) === 'test' ? 'test' : 'live',
  )
  const usable = workspaces.filter(({ deletesAt }) => deletesAt === null)
  const workspace = usable.find(({ id }) => id === chosen) ?? usable[0]
  if (workspace === undefined) throw new Error('There is no workspace to work in')

  const chooseWorkspace = useCallback((id: string) => {
    localStorage.setItem(workspaceKey, id)
    setChosen(id)
  }, [])
  const chooseEnvironment = useCallback((wanted: Environment) => {
    sessionStorage.setItem(environmentKey, wanted)
    setEnvironment(wanted)
  }, [])
  const { atrium, access, error, retry } = useAccess(workspace.id, environment)
  const scope = useMemo(
    () => ({ workspace, workspaces: usable, environment, atrium, chooseWorkspace, chooseEnvironment }),
    [workspace, usable, environment, atrium, chooseWorkspace, chooseEnvironment],
  )
  if (access === undefined) {
    return (
      <main className="mx-auto w-full max-w-xl p-6">
        {error === null ? (
          <Loading what="Opening the workspace" />
        ) : (
          <ErrorNotice error={error} onRetry={retry} />
        )}
      </main>
    )
  }
  const permissions = new Set(access.permissions)
  return <ScopeContext value={{ ...scope, role: access.role, permissions }}>{children}</ScopeContext>
}

/** Each token that the client buys also says anew what the person may do. */
function useAccess(workspaceId: string, environment: Environment) {
  const queryClient = useQueryClient()
  const queryKey = useMemo(() => ['access', workspaceId, environment], [workspaceId, environment])
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => buyToken(workspaceId, environment),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const atrium = useMemo(() => {
    let unused = true
    return new Atrium({
      baseUrl: window.location.origin,
      apiKey: async () => {
        const first = unused ? queryClient.getQueryData<Access>(queryKey) : undefined
        unused = false
        if (first !== undefined) return first
        const access = await buyToken(workspaceId, environment)
        queryClient.setQueryData(queryKey, access)
        return access
      },
    })
  }, [queryClient, queryKey, workspaceId, environment])
  return { atrium, access: data, error, retry: () => void refetch() }
}

export function useScope(): Scope {
  const scope = use(ScopeContext)
  if (scope === null) throw new Error('This needs a workspace around it')
  return scope
}

/** The client of the API, for this tab's workspace and environment. */
export const useAtrium = (): Atrium => useScope().atrium

/** Whether the person may do this here; the server refuses it in any case. */
export const useMay = (permission: string): boolean => useScope().permissions.has(permission)
