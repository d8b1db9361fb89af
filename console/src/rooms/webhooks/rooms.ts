/** Webhooks: whom the workspace tells of what happens. */
import { Webhook } from 'lucide-react'
import type { Room } from '../room.ts'

export const webhookRooms: readonly Room[] = [
  {
    path: '/webhooks',
    title: 'Webhooks',
    permission: 'webhooks:read',
    sidebar: { area: 'Observe', icon: Webhook },
    load: () => import('./webhooks.tsx'),
  },
  {
    path: '/webhooks/new',
    title: 'New endpoint',
    permission: 'webhooks:write',
    commands: [{ title: 'Create a webhook endpoint', to: '/webhooks/new' }],
    load: () => import('./new-webhook.tsx'),
  },
  {
    path: '/webhooks/$webhookId',
    title: 'Webhook endpoint',
    permission: 'webhooks:read',
    load: () => import('./webhook.tsx'),
  },
  {
    path: '/webhooks/$webhookId/deliveries/$deliveryId',
    title: 'Delivery',
    permission: 'webhooks:read',
    load: () => import('./delivery.tsx'),
  },
]
