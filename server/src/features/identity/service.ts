/** People: one row for each person in any number of workspaces. Sign-in uses the same rows. */
import type { Clock } from '../../platform/clock.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import { findUserByEmail, insertUser, type UserRow } from './store.ts'

/** The address of the first workspace's owner, until the first owner is named. */
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
    /** Throws 409 `already_exists` if the address is taken. */
    async create(tx: Tx, person: NewPerson): Promise<UserRow> {
      const row = await insert(tx, person)
      if (row === null) throw taken(person.email)
      return row
    },
    /** Returns the person who has the address, or makes a new person. */
    async findOrCreate(tx: Tx, person: NewPerson): Promise<UserRow> {
      // The insert waits for another transaction with the same address, which a search would not find.
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
