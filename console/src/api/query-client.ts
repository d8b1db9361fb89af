/** How reads behave everywhere: the SDK has retried already, and an ended session leads to the sign-in. */
import { ApiError } from '@atrium/sdk'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { onReturn, reportFailure } from './connection.ts'
import { usualStaleTime } from './queries.ts'

export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    reportFailure(error)
    if (!(error instanceof ApiError) || error.statusCode !== 401) return
    // The shell refetches the session, finds that the person is signed out, and shows the sign-in page.
    void client.invalidateQueries({ queryKey: ['session'] })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => (query.queryKey[0] === 'session' ? reportFailure(error) : onError(error)),
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // A server on this machine or in this house is there without the internet: the call itself tells.
      queries: { networkMode: 'always', retry: false, staleTime: usualStaleTime, refetchOnWindowFocus: true },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  onReturn(() => void client.invalidateQueries())
  return client
}
