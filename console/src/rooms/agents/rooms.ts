/** Agents: their list, one to talk to, to edit and to take back, and their runs. */
import { Bot } from 'lucide-react'
import type { Room } from '../room.ts'

export const agentRooms: readonly Room[] = [
  {
    path: '/agents',
    title: 'Agents',
    permission: 'agents:read',
    sidebar: { area: 'Workspace', icon: Bot },
    load: () => import('./agents.tsx'),
  },
  {
    path: '/agents/new',
    title: 'New agent',
    permission: 'agents:write',
    commands: [{ title: 'Create an agent', to: '/agents/new' }],
    load: () => import('./new-agent.tsx'),
  },
  {
    path: '/agents/$agentId',
    title: 'Playground',
    permission: 'agents:read',
    load: () => import('./playground/playground.tsx'),
  },
  {
    path: '/agents/$agentId/edit',
    title: 'Edit the agent',
    permission: 'agents:read',
    load: () => import('./editor/editor.tsx'),
  },
  {
    path: '/agents/$agentId/runs',
    title: 'Runs',
    permission: 'agents:read',
    load: () => import('./runs/run-history.tsx'),
  },
  {
    path: '/agents/$agentId/revisions',
    title: 'Revisions',
    permission: 'agents:read',
    load: () => import('./revisions/revisions.tsx'),
  },
  {
    path: '/runs/$runId',
    title: 'Run',
    permission: 'agents:read',
    load: () => import('./runs/run.tsx'),
  },
  {
    path: '/runs/$runId/compare',
    title: 'Compare runs',
    permission: 'agents:read',
    load: () => import('./runs/comparison.tsx'),
  },
]
