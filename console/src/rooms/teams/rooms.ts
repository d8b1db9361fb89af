/** Settings → Teams. */
import { UsersRound } from 'lucide-react'
import type { Room } from '../room.ts'

export const teamRooms: readonly Room[] = [
  {
    path: '/settings/teams',
    title: 'Teams',
    permission: 'members:read',
    sidebar: { area: 'Settings', icon: UsersRound },
    load: () => import('./teams.tsx'),
  },
  {
    path: '/settings/teams/$teamId',
    title: 'Team',
    permission: 'members:read',
    load: () => import('./team.tsx'),
  },
]
