/** The order of the roles, and the rule that nobody hands out more than they have. */
import { type Caller, type Role, roles } from '../../platform/caller.ts'
import { ServiceError } from '../../platform/errors.ts'

/** Throws 403 where the caller's role is below `role`, which they want to give, change or take. */
export function checkRoleWithinReach(caller: Caller, role: Role): void {
  // `roles` begins with the highest.
  if (roles.indexOf(caller.role) <= roles.indexOf(role)) return
  throw new ServiceError(
    'permission_missing',
    `The role ${caller.role} cannot give, change or remove the role ${role}`,
  )
}

/** The roles that stand above one, highest first. */
export const rolesAbove = (role: Role): readonly Role[] => roles.slice(0, roles.indexOf(role))
