/** Every room of the console, in the order of the sidebar. Their code is loaded when a person goes there. */
import {
  BookOpen,
  Bot,
  Building2,
  ChartColumn,
  KeyRound,
  LayoutDashboard,
  Plug,
  ScrollText,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react'
import type { Room } from './room.ts'

export const rooms: readonly Room[] = [
  // The first page after signing in.
  {
    path: '/',
    title: 'Overview',
    sidebar: { area: 'Workspace', icon: LayoutDashboard },
    load: () => import('./overview/overview.tsx'),
  },
  // Agents: their list, one to talk to, to edit and to take back, and their runs.
  {
    path: '/agents',
    title: 'Agents',
    permission: 'agents:read',
    sidebar: { area: 'Workspace', icon: Bot },
    load: () => import('./agents/agents.tsx'),
  },
  {
    path: '/agents/new',
    title: 'New agent',
    permission: 'agents:write',
    commands: [{ title: 'Create an agent', to: '/agents/new' }],
    load: () => import('./agents/new-agent.tsx'),
  },
  {
    path: '/agents/$agentId',
    title: 'Playground',
    permission: 'agents:read',
    load: () => import('./agents/playground/playground.tsx'),
  },
  {
    path: '/agents/$agentId/edit',
    title: 'Edit the agent',
    permission: 'agents:read',
    load: () => import('./agents/editor/editor.tsx'),
  },
  {
    path: '/agents/$agentId/runs',
    title: 'Runs',
    permission: 'agents:read',
    load: () => import('./agents/runs/run-history.tsx'),
  },
  {
    path: '/agents/$agentId/revisions',
    title: 'Revisions',
    permission: 'agents:read',
    load: () => import('./agents/revisions.tsx'),
  },
  {
    path: '/agents/$agentId/starters',
    title: 'Schedules and triggers',
    permission: 'agents:read',
    load: () => import('./agents/starters.tsx'),
  },
  {
    path: '/agents/$agentId/embed',
    title: 'In your page',
    permission: 'agents:read',
    load: () => import('./agents/embed.tsx'),
  },
  {
    path: '/runs/$runId',
    title: 'Run',
    permission: 'agents:read',
    load: () => import('./agents/runs/run.tsx'),
  },
  {
    path: '/runs/$runId/compare',
    title: 'Compare runs',
    permission: 'agents:read',
    load: () => import('./agents/runs/comparison.tsx'),
  },
  // Knowledge: collections, documents, search and the trash.
  {
    path: '/knowledge',
    title: 'Knowledge',
    permission: 'knowledge:read',
    sidebar: { area: 'Workspace', icon: BookOpen },
    load: () => import('./knowledge/collections.tsx'),
  },
  {
    path: '/knowledge/new',
    title: 'New collection',
    permission: 'knowledge:write',
    commands: [{ title: 'Create a collection', to: '/knowledge/new' }],
    load: () => import('./knowledge/new-collection.tsx'),
  },
  {
    path: '/knowledge/collections/$collectionId',
    title: 'Collection',
    permission: 'knowledge:read',
    load: () => import('./knowledge/collection.tsx'),
  },
  {
    path: '/knowledge/documents/$documentId',
    title: 'Document',
    permission: 'knowledge:read',
    load: () => import('./knowledge/document.tsx'),
  },
  {
    path: '/knowledge/search',
    title: 'Search the knowledge',
    permission: 'knowledge:read',
    commands: [{ title: 'Search the knowledge', to: '/knowledge/search' }],
    load: () => import('./knowledge/search.tsx'),
  },
  {
    path: '/knowledge/trash',
    title: 'Trash',
    permission: 'knowledge:read',
    commands: [{ title: 'Restore from the trash', to: '/knowledge/trash' }],
    load: () => import('./knowledge/trash.tsx'),
  },
  // Integrations: outside services, and the connections to them.
  {
    path: '/integrations',
    title: 'Integrations',
    permission: 'integrations:read',
    sidebar: { area: 'Workspace', icon: Plug },
    load: () => import('./integrations/integrations.tsx'),
  },
  {
    path: '/integrations/connect/$integrationId',
    title: 'Connect a service',
    permission: 'integrations:write',
    load: () => import('./integrations/connect.tsx'),
  },
  {
    path: '/integrations/$connectionId',
    title: 'Connection',
    permission: 'integrations:read',
    load: () => import('./integrations/connection.tsx'),
  },
  {
    path: '/integrations/$connectionId/reconnect',
    title: 'Reconnect',
    permission: 'integrations:write',
    load: () => import('./integrations/reconnect.tsx'),
  },
  // Webhooks: whom the workspace tells of what happens.
  {
    path: '/webhooks',
    title: 'Webhooks',
    permission: 'webhooks:read',
    sidebar: { area: 'Observe', icon: Webhook },
    load: () => import('./webhooks/webhooks.tsx'),
  },
  {
    path: '/webhooks/new',
    title: 'New endpoint',
    permission: 'webhooks:write',
    commands: [{ title: 'Create a webhook endpoint', to: '/webhooks/new' }],
    load: () => import('./webhooks/new-webhook.tsx'),
  },
  {
    path: '/webhooks/$webhookId',
    title: 'Webhook endpoint',
    permission: 'webhooks:read',
    load: () => import('./webhooks/webhook.tsx'),
  },
  {
    path: '/webhooks/$webhookId/deliveries/$deliveryId',
    title: 'Delivery',
    permission: 'webhooks:read',
    load: () => import('./webhooks/delivery.tsx'),
  },
  // Usage: what the plan allows, and what is used, by whom and when.
  {
    path: '/usage',
    title: 'Usage',
    permission: 'usage:read',
    sidebar: { area: 'Observe', icon: ChartColumn },
    load: () => import('./usage/usage.tsx'),
  },
  // Audit log: who has changed what.
  {
    path: '/audit-log',
    title: 'Audit log',
    permission: 'audit:read',
    sidebar: { area: 'Observe', icon: ScrollText },
    load: () => import('./audit/audit-log.tsx'),
  },
  // Settings → Workspace.
  {
    path: '/settings/workspace',
    title: 'Workspace settings',
    sidebar: { area: 'Settings', icon: Building2 },
    commands: [
      { title: 'Rename the workspace', to: '/settings/workspace' },
      { title: 'Leave the workspace', to: '/settings/workspace' },
    ],
    load: () => import('./workspace/workspace.tsx'),
  },
  // Settings → Members.
  {
    path: '/settings/members',
    title: 'Members',
    permission: 'members:read',
    sidebar: { area: 'Settings', icon: Users },
    commands: [{ title: 'Invite a person', to: '/settings/members' }],
    load: () => import('./members/members.tsx'),
  },
  // Settings → Teams.
  {
    path: '/settings/teams',
    title: 'Teams',
    permission: 'members:read',
    sidebar: { area: 'Settings', icon: UsersRound },
    load: () => import('./teams/teams.tsx'),
  },
  {
    path: '/settings/teams/$teamId',
    title: 'Team',
    permission: 'members:read',
    load: () => import('./teams/team.tsx'),
  },
  // Settings → API keys.
  {
    path: '/settings/api-keys',
    title: 'API keys',
    permission: 'keys:read',
    sidebar: { area: 'Settings', icon: KeyRound },
    load: () => import('./api-keys/api-keys.tsx'),
  },
  {
    path: '/settings/api-keys/new',
    title: 'New API key',
    permission: 'keys:write',
    commands: [{ title: 'Create an API key', to: '/settings/api-keys/new' }],
    load: () => import('./api-keys/new-key.tsx'),
  },
  // The person's own account: it belongs to them, not to a workspace.
  {
    path: '/account',
    title: 'Your account',
    commands: [
      { title: 'Your account', to: '/account' },
      { title: 'Change your password', to: '/account' },
    ],
    load: () => import('./account/account.tsx'),
  },
]
