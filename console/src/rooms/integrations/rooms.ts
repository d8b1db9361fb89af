/** Integrations: outside services, and the connections to them. */
import { Plug } from 'lucide-react'
import type { Room } from '../room.ts'

export const integrationRooms: readonly Room[] = [
  {
    path: '/integrations',
    title: 'Integrations',
    permission: 'integrations:read',
    sidebar: { area: 'Workspace', icon: Plug },
    load: () => import('./integrations.tsx'),
  },
  {
    path: '/integrations/connect/$integrationId',
    title: 'Connect a service',
    permission: 'integrations:write',
    load: () => import('./connect.tsx'),
  },
  {
    path: '/integrations/$connectionId',
    title: 'Connection',
    permission: 'integrations:read',
    load: () => import('./connection.tsx'),
  },
  {
    path: '/integrations/$connectionId/reconnect',
    title: 'Reconnect',
    permission: 'integrations:write',
    load: () => import('./reconnect.tsx'),
  },
]
