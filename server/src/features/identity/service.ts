/** People: one row a person, whatever the number of workspaces. Sign-in will stand on the same rows. */
import type { Clock } from '../../platform/clock.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import { findUserByEmail, insertUser, type UserRow } from './store.ts'

export type IdentityService = {
  findByEmail(query: Query, email: string): Promise<UserRow | undefined>
  /** An address that somebody has already is a 409 `conflict`. */
  create(tx: Tx, person: { email: string; name: string; emailVerified: boolean }): Promise<UserRow>
}

export function createIdentityService(dependencies: { clock: Clock; newId: NewId }): IdentityService {
  const { clock, newId } = dependencies
  return {
    findByEmail: (query, email) => findUserByEmail(query, normaliseEmail(email)),
    async create(tx, { email, name, emailVerified }) {
      const address = normaliseEmail(email)
      if ((await findUserByEmail(tx, address)) !== undefined) {
        throw new ServiceError('conflict', `There is a user with the address ${address} already`)
      }
      const now = clock()
      const row: UserRow = {
        id: newId('user'),
        name,
        email: address,
        email_verified: emailVerified ? 1 : 0,
        image: null,
        created_at: now,
        updated_at: now,
      }
      await insertUser(tx, row)
      return row
    },
  }
}

/** Addresses are compared without regard to case, as every mail service in use does. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase()
