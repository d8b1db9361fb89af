/** People: one row a person, whatever the number of workspaces. Sign-in stands on the same rows. */
import type { Clock } from '../../platform/clock.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import { findUserByEmail, insertUser, type UserRow } from './store.ts'

/** Of the owner of the first workspace, until the first owner is named. */
export const firstOwnerEmail = 'owner@localhost'

type NewPerson = { email: string; name: string; emailVerified: boolean }

export type IdentityService = ReturnType<typeof createIdentityService>

export function createIdentityService(dependencies: { clock: Clock; newId: NewId }) {
  const { clock, newId } = dependencies

  const insert = async (tx: Tx, { email, name, emailVerified }: NewPerson): Promise<UserRow | null> => {
    const now = clock()
    const row: UserRow = {
      id: newId('user'),
      name,
      email: normaliseEmail(email),
      email_verified: emailVerified ? 1 : 0,
      image: null,
      two_factor_enabled: 0,
      created_at: now,
      updated_at: now,
    }
    return (await insertUser(tx, row)) ? row : null
  }
  return {
    findByEmail: (query: Query, email: string): Promise<UserRow | undefined> =>
      findUserByEmail(query, normaliseEmail(email)),
    /** An address that is taken is a 409 `already_exists`. */
    async create(tx: Tx, person: NewPerson): Promise<UserRow> {
      const row = await insert(tx, person)
      if (row === null) throw taken(person.email)
      return row
    },
    /** The person who has the address; a new one where there is none. */
    async findOrCreate(tx: Tx, person: NewPerson): Promise<UserRow> {
      // The insert waits for another one with the same address, which a look would not find.
      const row = (await insert(tx, person)) ?? (await findUserByEmail(tx, normaliseEmail(person.email)))
      if (row === undefined) throw taken(person.email)
      return row
    },
  }
}

const taken = (email: string): ServiceError =>
  new ServiceError('already_exists', `There is a user with the address ${normaliseEmail(email)} already`, {
    details: { resource: 'user', field: 'email', id: null },
  })

/** Addresses are compared without regard to case, as every mail service in use does. */
const normaliseEmail = (email: string): string => email.trim().toLowerCase()
