/** Whom a new key acts for: the caller, or a service account that may do no more than the caller. */
import { type Caller, rolePermissions, roles } from '../../platform/caller.ts'
import type { Query } from '../../platform/database/database.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import type { NewApiKey } from './schemas.ts'
import { findServiceAccount } from './store.ts'

/** Answers the user; throws a 400 that names `memberId`, or each permission that the account's role does not have. */
export async function findHolder(
  query: Query,
  caller: Caller,
  { memberId, permissions }: NewApiKey,
): Promise<string> {
  if (memberId === undefined) {
    if (caller.userId === null) throw new ServiceError('conflict', 'A key needs a member who makes it')
    return caller.userId
  }
  const account = await findServiceAccount(caller.scope, query, memberId)
  if (account === undefined) throw invalidField('memberId', 'There is no service account with this id')
  const { role } = account
  if (roles.indexOf(role) < roles.indexOf(caller.role)) {
    const message = `The role ${caller.role} cannot make a key for a service account with the role ${role}`
    throw new ServiceError('permission_missing', message)
  }
  const held = rolePermissions[role]
  const errors = permissions.flatMap((permission, index) =>
    held.includes(permission)
      ? []
      : [{ field: `permissions.${index}`, message: `is more than the role ${role} has: ${permission}` }],
  )
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  return account.userId
}
