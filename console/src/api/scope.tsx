/** The workspace and environment that this tab is in, the client for it, and what the person may do there. */
import { Atrium } from '@atrium/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import {
  type Access,
  buyToken,
  type Environment,
  type MyWorkspace,
  type Role,
} from '../session/session-client.ts'
import { useToasts } from '../ui/toast.tsx'
import { Loading } from '../ui/waiting.tsx'
import { Loaded } from './loaded.tsx'
import { useSearchValue } from './search-values.ts'

export type Scope = {
  workspace: MyWorkspace
  workspaces: readonly MyWorkspace[]
  environment: Environment
  atrium: Atrium
  role: Role
  permissions: ReadonlySet<string>
  /** Resolve with whether it is there now: what cannot be entered leaves the page as it is. */
  chooseWorkspace(id: string): Promise<boolean>
  chooseEnvironment(environment: Environment): Promise<boolean>
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
  const [linked, unlink] = useSearchValue('environment')
  const [environment, setEnvironment] = useState<Environment>(() =>
    // Stored for this tab only, so that a new tab never opens in the sandbox by surprise.
    (linked || sessionStorage.getItem(environmentKey)) === 'test' ? 'test' : 'live',
  )
  useEffect(() => {
    if (linked === '') return
    // A link has led here. From now on the tab remembers: a reload must not undo what a person chooses.
    sessionStorage.setItem(environmentKey, environment)
    unlink('')
  }, [linked, unlink, environment])
  const usable = workspaces.filter(({ deletesAt }) => deletesAt === null)
  const workspace = usable.find(({ id }) => id === chosen) ?? usable[0]
  if (workspace === undefined) throw new Error('There is no workspace to work in')

  const workspaceId = workspace.id
  const enter = useEnter()
  const chooseWorkspace = useCallback(
    async (id: string) => {
      const isThere = await enter(id, environment)
      if (!isThere) return false
      localStorage.setItem(workspaceKey, id)
      setChosen(id)
      return true
    },
    [enter, environment],
  )
  const chooseEnvironment = useCallback(
    async (wanted: Environment) => {
      const isThere = await enter(workspaceId, wanted)
      if (!isThere) return false
      sessionStorage.setItem(environmentKey, wanted)
      setEnvironment(wanted)
      return true
    },
    [enter, workspaceId],
  )
  const { atrium, access } = useAccess(workspace.id, environment)
  const scope = useMemo(
    () => ({ workspace, workspaces: usable, environment, atrium, chooseWorkspace, chooseEnvironment }),
    [workspace, usable, environment, atrium, chooseWorkspace, chooseEnvironment],
  )
  if (access.data === undefined) {
    return (
      <main className="mx-auto w-full max-w-xl p-6">
        <Loaded query={access} waiting={<Loading what="Opening the workspace" />}>
          {() => null}
        </Loaded>
      </main>
    )
  }
  const { role, permissions } = access.data
  return <ScopeContext value={{ ...scope, role, permissions: new Set(permissions) }}>{children}</ScopeContext>
}

/** From the purchase of a token to the page that uses it. */
const handoverMs = 10_000

/** Buys a token for a place before the page goes there. */
function useEnter(): (workspaceId: string, environment: Environment) => Promise<boolean> {
  const queryClient = useQueryClient()
  const toasts = useToasts()
  return useCallback(
    async (workspaceId, environment) => {
      try {
        await queryClient.fetchQuery({
          queryKey: ['access', workspaceId, environment],
          queryFn: () => buyToken(workspaceId, environment),
          staleTime: 0,
          gcTime: handoverMs,
        })
        return true
      } catch (error) {
        toasts.fail(error)
        return false
      }
    },
    [queryClient, toasts],
  )
}

/** The person's permissions, which each new token brings up to date. */
function useAccess(workspaceId: string, environment: Environment) {
  const queryClient = useQueryClient()
  const queryKey = useMemo(() => ['access', workspaceId, environment], [workspaceId, environment])
  const access = useQuery({
    queryKey,
    queryFn: () => buyToken(workspaceId, environment),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: handoverMs,
  })
  const atrium = useMemo(() => {
    let unused = true
    return new Atrium({
      baseUrl: window.location.origin,
      // Streams and uploads are no queries: whatever way a call goes, it tells of a session that has ended.
      fetch: async (address, init) => {
        // The API lets a browser keep what it reads: on a computer that people share, that would outlast the session.
        const response = await fetch(address, { ...init, cache: 'no-store' })
        if (response.status === 401) void queryClient.invalidateQueries({ queryKey: ['session'] })
        return response
      },
      apiKey: async () => {
        const first = unused ? queryClient.getQueryData<Access>(queryKey) : undefined
        unused = false
        if (first !== undefined) return first
        const renewed = await buyToken(workspaceId, environment)
        queryClient.setQueryData(queryKey, renewed)
        return renewed
      },
    })
  }, [queryClient, queryKey, workspaceId, environment])
  return { atrium, access }
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
