/** Settings → Members. */
import { Users } from 'lucide-react'
import type { Room } from '../room.ts'

export const memberRooms: readonly Room[] = [
  {
    path: '/settings/members',
    title: 'Members',
    permission: 'members:read',
    sidebar: { area: 'Settings', icon: Users },
    commands: [{ title: 'Invite a person', to: '/settings/members' }],
    load: () => import('./members.tsx'),
  },
]
