/** Usage: what the plan allows, and what is used, by whom and when. */
import { ChartColumn } from 'lucide-react'
import type { Room } from '../room.ts'

export const usageRooms: readonly Room[] = [
  {
    path: '/usage',
    title: 'Usage',
    permission: 'usage:read',
    sidebar: { area: 'Observe', icon: ChartColumn },
    load: () => import('./usage.tsx'),
  },
]
