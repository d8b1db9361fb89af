/** How reads behave everywhere: the SDK has retried already, and an ended session leads to the sign-in. */
import { ApiError } from '@atrium/sdk'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    if (!(error instanceof ApiError) || error.statusCode !== 401) return
    // The shell reads it anew, finds nobody signed in, and asks for the sign-in.
    void client.invalidateQueries({ queryKey: ['session'] })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => query.queryKey[0] !== 'session' && onError(error),
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
  return client
}
