/** Who is signed in, as one query that everything reads. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createContext, useCallback, useContext, useEffect } from 'react'
import { fetchSession, type Person, signOut } from './session-client.ts'

const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => fetchSession(signal),
  staleTime: 60_000,
})

export const useSession = () => useQuery(sessionQuery)

/** Leads to the first owner's page or to the sign-in, and back to this address afterwards. */
export function useSignInIfNeeded(session: ReturnType<typeof useSession>['data']): boolean {
  const navigate = useNavigate()
  const isAway = session !== undefined && session.person === null
  const setupRequired = session?.setupRequired === true
  useEffect(() => {
    if (!isAway) return
    // Not the router's location, which is the sign-in's already while its code is still being loaded.
    const { pathname, search } = window.location
    const next = pathname === '/' ? undefined : pathname + search
    if (setupRequired) void navigate({ to: '/setup', replace: true })
    else void navigate({ to: '/sign-in', search: { next }, replace: true })
  }, [isAway, setupRequired, navigate])
  return isAway
}

/** The shell's person. A page that read the session itself could render between its end and the shell's own render. */
export const PersonContext = createContext<Person | null>(null)

/** Within the shell, where a person is signed in. */
export function usePerson(): Person {
  const person = useContext(PersonContext)
  if (person === null) throw new Error('This needs a signed-in person')
  return person
}

/** Refetches the session after a sign-in, a change or a sign-out. */
export function useRefreshSession(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(() => client.refetchQueries({ queryKey: sessionQuery.queryKey }), [client])
}

/** Ends the session, and leaves nothing of it in this page. */
export async function endSession(): Promise<void> {
  await signOut()
  sessionStorage.clear()
  window.location.assign('/sign-in')
}

/** Pages that the server makes itself, so that they have to be loaded. */
const servedPages = /^\/(invitations|oauth|docs)(\/|$)/

/** Where to go after signing in: `next` where it is an address of this server, else the overview. */
export function safeNext(next: string | null | undefined, origin: string): string {
  if (next == null || !next.startsWith('/')) return '/'
  // `//host` and `/\host` are other servers to a browser.
  const url = URL.canParse(next, origin) ? new URL(next, origin) : null
  return url === null || url.origin !== origin ? '/' : url.pathname + url.search + url.hash
}

export const isServedPage = (address: string): boolean => servedPages.test(address)
