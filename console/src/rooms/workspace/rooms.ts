/** Settings → Workspace. */
import { Building2 } from 'lucide-react'
import type { Room } from '../room.ts'

export const workspaceRooms: readonly Room[] = [
  {
    path: '/settings/workspace',
    title: 'Workspace settings',
    sidebar: { area: 'Settings', icon: Building2 },
    commands: [
      { title: 'Rename the workspace', to: '/settings/workspace' },
      { title: 'Leave the workspace', to: '/settings/workspace' },
    ],
    load: () => import('./workspace.tsx'),
  },
]
