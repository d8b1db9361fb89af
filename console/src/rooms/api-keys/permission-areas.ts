/** What a key can be allowed, by area, each in words that say what a program can then do. */

export type PermissionArea = { area: string; permissions: readonly { name: string; allows: string }[] }

export const permissionAreas: readonly PermissionArea[] = [
  {
    area: 'Agents',
    permissions: [
      { name: 'agents:read', allows: 'See agents, their runs and conversations' },
      { name: 'agents:run', allows: 'Ask agents, cancel runs and decide their approvals' },
      { name: 'agents:write', allows: 'Make, change and delete agents, models and tools' },
    ],
  },
  {
    area: 'Knowledge',
    permissions: [
      { name: 'knowledge:read', allows: 'Search, and read collections and documents' },
      { name: 'knowledge:write', allows: 'Upload, change and delete documents and collections' },
    ],
  },
  {
    area: 'Integrations',
    permissions: [
      { name: 'integrations:read', allows: 'See what is connected, and in what state' },
      { name: 'integrations:write', allows: 'Connect and disconnect services' },
    ],
  },
  {
    area: 'People',
    permissions: [
      { name: 'members:read', allows: 'See members, invitations and teams' },
      { name: 'members:write', allows: 'Invite people, change their roles, remove them' },
      { name: 'teams:write', allows: 'Make teams and say who belongs to them' },
      { name: 'workspace:write', allows: 'Change the workspace and its monthly budget' },
    ],
  },
  {
    area: 'Webhooks',
    permissions: [
      { name: 'webhooks:read', allows: 'See endpoints and what was delivered to them' },
      { name: 'webhooks:write', allows: 'Make, change and delete endpoints' },
    ],
  },
  {
    area: 'Administration',
    permissions: [
      { name: 'keys:read', allows: 'See API keys, never their secrets' },
      { name: 'keys:write', allows: 'Make, rotate and revoke API keys, up to its own permissions' },
      { name: 'usage:read', allows: 'See what is used, and what it costs' },
      { name: 'audit:read', allows: 'See who has changed what' },
    ],
  },
]

/** Sets for common programs. */
export const presets: readonly { label: string; permissions: readonly string[] }[] = [
  { label: 'Ask agents', permissions: ['agents:read', 'agents:run', 'knowledge:read'] },
  { label: 'Fill the knowledge', permissions: ['knowledge:read', 'knowledge:write'] },
  {
    label: 'Read only',
    permissions: permissionAreas.flatMap(({ permissions }) =>
      permissions.map(({ name }) => name).filter(name => name.endsWith(':read')),
    ),
  },
]

/** `Agents: read, run · Knowledge: read`. */
export function summarise(permissions: readonly string[]): string {
  const areas = new Map<string, string[]>()
  for (const permission of permissions) {
    const [area = '', verb = ''] = permission.split(':')
    areas.set(area, [...(areas.get(area) ?? []), verb])
  }
  return [...areas].map(([area, verbs]) => `${area}: ${verbs.join(', ')}`).join(' · ')
}
