/** Audit log: who has changed what. */
import { ScrollText } from 'lucide-react'
import type { Room } from '../room.ts'

export const auditRooms: readonly Room[] = [
  {
    path: '/audit-log',
    title: 'Audit log',
    permission: 'audit:read',
    sidebar: { area: 'Observe', icon: ScrollText },
    load: () => import('./audit-log.tsx'),
  },
]
