/** The roles, highest first, and what each may do. */
import type { Role } from '../../session/session-client.ts'

const roles: readonly { value: Role; label: string; hint: string }[] = [
  { value: 'owner', label: 'Owner', hint: 'Everything, also deleting the workspace and naming owners.' },
  { value: 'admin', label: 'Admin', hint: 'Everything but what concerns owners.' },
  { value: 'member', label: 'Member', hint: 'Asks agents, reads everything, and fills the knowledge.' },
  { value: 'viewer', label: 'Viewer', hint: 'Reads, and changes nothing.' },
]

/** The roles that a member of this role may assign: their own role and every lesser one. */
export const rolesWithin = (role: Role) => roles.slice(roles.findIndex(({ value }) => value === role))

export const roleLabel = (role: Role): string => roles.find(({ value }) => value === role)?.label ?? role
