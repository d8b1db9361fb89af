/** The order of the roles, and the rule that a caller hands out no more than it has. */
import { type Caller, type Permission, type Role, rolePermissions, roles } from '../../../platform/caller.ts'
import { ServiceError } from '../../../platform/errors.ts'

/** Throws 403 if the caller's role is below `role`, which they want to give, change or take. */
export function checkRoleWithinReach(caller: Caller, role: Role): void {
  // `roles` begins with the highest.
  if (roles.indexOf(caller.role) <= roles.indexOf(role)) return
  throw new ServiceError(
    'permission_missing',
    `The role ${caller.role} cannot give, change or remove the role ${role}`,
  )
}

/**
 * To be called by every verb that gives a role; `present` is the role that the member has by now. Throws 403 if the
 * member would gain a permission that the caller lacks, a reach that the caller's narrowing leaves out, or, from a key,
 * the ownership: an owner can hand the workspace over, which no key can.
 */
export function checkMayGive(caller: Caller, role: Role, present: Role | null = null): void {
  checkRoleWithinReach(caller, role)
  if (role === present) return
  if (role === 'owner') checkIsNoKey(caller, 'make an owner')
  const before: readonly Permission[] = present === null ? [] : rolePermissions[present]
  const gained = rolePermissions[role].filter(permission => !before.includes(permission))
  const missing = gained.filter(permission => !caller.permissions.has(permission))
  if (missing.length > 0) {
    throw new ServiceError(
      'permission_missing',
      `The ${nounOf(caller)} cannot give the role ${role}: it lacks ${permissionList(missing)}. ${remedy(caller)}`,
    )
  }
  if (gained.length > 0) checkIsNotNarrowed(caller, `give the role ${role}`)
}

/** To be called by every verb that puts members into teams. Throws 403 as `checkMayGive` does. */
export function checkMayGiveTeams(caller: Caller): void {
  if (!caller.permissions.has('teams:write')) {
    throw new ServiceError(
      'permission_missing',
      `The ${nounOf(caller)} cannot put a member into a team: it lacks the permission teams:write. ${remedy(caller)}`,
    )
  }
  checkIsNotNarrowed(caller, 'put a member into a team')
}

/** Throws 403 for a key, whatever it may: `what` is for persons. */
export function checkIsNoKey(caller: Caller, what: string): void {
  if (caller.kind !== 'key') return
  throw new ServiceError(
    'permission_missing',
    `A key cannot ${what}: only a person who is an owner can, in the console`,
  )
}

/** The roles that stand above one, highest first. */
export const rolesAbove = (role: Role): readonly Role[] => roles.slice(0, roles.indexOf(role))

/** Throws 403 for a narrowed key. Members are not narrowed, a team may be given anything, and a workspace is all of it. */
export function checkIsNotNarrowed({ scope }: Caller, what: string): void {
  if (scope.agentIds === undefined && scope.collectionIds === undefined) return
  throw new ServiceError(
    'permission_missing',
    `A key that is narrowed to some agents or collections cannot ${what}, which would reach further. Use a key without \`agentIds\` and \`collectionIds\`, or let an owner or admin do it in the console.`,
  )
}

/** Throws 403 for every other role, and for narrowed keys: they would change what they do not reach. */
export function checkOwner(caller: Caller, what: string): void {
  checkIsNotNarrowed(caller, what)
  if (caller.role !== 'owner') throw new ServiceError('permission_missing', `Only an owner can ${what}`)
}

const nounOf = ({ kind, role }: Caller): string => (kind === 'person' ? `role ${role}` : 'key')

const permissionList = (missing: readonly Permission[]): string =>
  `the permission${missing.length === 1 ? '' : 's'} ${missing.join(', ')}`

const remedy = ({ kind }: Caller): string =>
  kind === 'person'
    ? 'Ask an owner or admin.'
    : 'Use a key that has what is missing, or let an owner or admin do it in the console.'
