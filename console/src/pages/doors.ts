/** The pages outside of the shell: those by which people come in. */
import type { ReactNode } from 'react'

type Door = { path: string; load: () => Promise<{ Door: () => ReactNode }> }

export const doors: readonly Door[] = [
  { path: '/sign-in', load: () => import('./sign-in.tsx') },
  { path: '/sign-up', load: () => import('./sign-up.tsx') },
  { path: '/setup', load: () => import('./setup.tsx') },
  { path: '/forgot-password', load: () => import('./forgot-password.tsx') },
  { path: '/reset-password', load: () => import('./reset-password.tsx') },
]
