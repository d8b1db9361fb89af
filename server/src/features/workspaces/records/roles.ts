/** The order of the roles, and the rule that a caller gives no more than it has. */
import { type Caller, type Permission, type Role, rolePermissions, roles } from '../../../platform/caller.ts'
import { forbidden } from '../../../platform/errors.ts'

/** Throws 403 if the caller's role is below `role`, which the caller wants to give, change or take. */
export function checkRoleWithinReach(caller: Caller, role: Role): void {
  // `roles` begins with the highest role.
  if (roles.indexOf(caller.role) <= roles.indexOf(role)) return
  throw forbidden('role', `The role ${caller.role} cannot give, change or remove the role ${role}`, {
    role: caller.role,
  })
}

/**
 * To be called by every method that gives a role; `present` is the member's current role. Throws 403 if the member
 * would gain a permission that the caller lacks. Throws 403 if a key would make an owner: an owner can hand the
 * workspace over, which no key can. The routes of such methods are closed to narrowed keys.
 */
export function checkMayGive(caller: Caller, role: Role, present: Role | null = null): void {
  checkRoleWithinReach(caller, role)
  if (role === present) return
  if (role === 'owner') checkIsNoKey(caller, 'make an owner')
  const before: readonly Permission[] = present === null ? [] : rolePermissions[present]
  const gained = rolePermissions[role].filter(permission => !before.includes(permission))
  const missing = gained.filter(permission => !caller.permissions.has(permission))
  if (missing.length > 0) {
    throw forbidden(
      'permission',
      `The ${nounOf(caller)} cannot give the role ${role}: it lacks ${permissionList(missing)}. ${remedy(caller)}`,
    )
  }
}

/** To be called by every method that puts members into teams. Throws 403 like `checkMayGive`. */
export function checkMayGiveTeams(caller: Caller): void {
  if (!caller.permissions.has('teams:write')) {
    throw forbidden(
      'permission',
      `The ${nounOf(caller)} cannot put a member into a team: it lacks the permission teams:write. ${remedy(caller)}`,
      { permission: 'teams:write' },
    )
  }
}

/** Throws 403 for every key: `what` is only for people. */
export function checkIsNoKey(caller: Caller, what: string): void {
  if (caller.kind !== 'key') return
  throw forbidden('person', `A key cannot ${what}: only a person who is an owner can, in the console`)
}

/** The roles above this one, highest first. */
export const rolesAbove = (role: Role): readonly Role[] => roles.slice(0, roles.indexOf(role))

/** Throws 403 for every other role. */
export function checkOwner(caller: Caller, what: string): void {
  if (caller.role !== 'owner') throw forbidden('role', `Only an owner can ${what}`, { role: caller.role })
}

const nounOf = ({ kind, role }: Caller): string => (kind === 'person' ? `role ${role}` : 'key')

const permissionList = (missing: readonly Permission[]): string =>
  `the permission${missing.length === 1 ? '' : 's'} ${missing.join(', ')}`

const remedy = ({ kind }: Caller): string =>
  kind === 'person'
    ? 'Ask an owner or admin.'
    : 'Use a key that has what is missing, or let an owner or admin do it in the console.'
