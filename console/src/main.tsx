/** The console: everything that is true for all of its pages, and the first one drawn. */
import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchConnection } from './api/connection.ts'
import { createQueryClient } from './api/query-client.ts'
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
