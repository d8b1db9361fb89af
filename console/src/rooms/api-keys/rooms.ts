/** Settings → API keys. */
import { KeyRound } from 'lucide-react'
import type { Room } from '../room.ts'

export const apiKeyRooms: readonly Room[] = [
  {
    path: '/settings/api-keys',
    title: 'API keys',
    permission: 'keys:read',
    sidebar: { area: 'Settings', icon: KeyRound },
    load: () => import('./api-keys.tsx'),
  },
  {
    path: '/settings/api-keys/new',
    title: 'New API key',
    permission: 'keys:write',
    commands: [{ title: 'Create an API key', to: '/settings/api-keys/new' }],
    load: () => import('./new-key.tsx'),
  },
]
