/** The console: everything that is true for all of its pages, and the first one drawn. */
import './styles.css'
import { ApiError } from '@atrium/sdk'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onReturn, reportFailure, watchConnection } from './api/connection.ts'
import { usualStaleTime } from './api/queries.ts'
import { createConsoleRouter } from './router.tsx'
import { Announcer } from './ui/announcer.tsx'
import { ToastProvider } from './ui/toast.tsx'
import { TooltipProvider } from './ui/tooltip.tsx'

watchConnection()

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the console')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <Announcer>
          <ToastProvider>
            <RouterProvider router={createConsoleRouter()} />
          </ToastProvider>
        </Announcer>
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
)

/** How reads behave everywhere: the SDK has retried already, and an ended session leads to the sign-in. */
function createQueryClient(): QueryClient {
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
