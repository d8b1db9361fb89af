/** The first page after signing in. */
import { LayoutDashboard } from 'lucide-react'
import type { Room } from '../room.ts'

export const overviewRooms: readonly Room[] = [
  {
    path: '/',
    title: 'Overview',
    sidebar: { area: 'Workspace', icon: LayoutDashboard },
    load: () => import('./overview.tsx'),
  },
]
