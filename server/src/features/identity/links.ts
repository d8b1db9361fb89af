/** Links that prove something once: a person with the token reads the mailbox, or got it from the operator. */

import type { Insertable, Selectable } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { randomToken } from '../../platform/crypto/tokens.ts'
import type { Database, Query, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { invalidField } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import { linkHash, sealOf } from './auth-models.ts'

export type LinkPurpose = 'setup' | 'reset-password' | 'verify-email'

/** Whom a link was made for, and when: what has changed since then can end it. */
export type Link = { id: string; userId: string; createdAt: number; provesAddress: boolean }

export type Links = ReturnType<typeof createLinks>

type NewLink = {
  purpose: LinkPurpose
  userId: string
  lifetimeMs: number
  provesAddress: boolean
}

const linksAtOnce = 500

export function createLinks(dependencies: {
  database: Database
  keyring: Keyring
  clock: Clock
  newId: NewId
}) {
  const { database, keyring, clock, newId } = dependencies
  const hashOf = (purpose: LinkPurpose, token: string): string => linkHash(keyring, `${purpose}:${token}`)

  const find = async (query: Query, purpose: LinkPurpose, token: string): Promise<Link> => {
    const row = await findLink(query, hashOf(purpose, token), clock())
    if (row === undefined) throw unusable()
    const kept = JSON.parse(keyring.openSystem(sealOf(row.id), row.value)) as Pick<
      Link,
      'userId' | 'provesAddress'
    >
    return { id: row.id, createdAt: row.created_at, ...kept }
  }
  return {
    /** `provesAddress`: the token goes to the person's mailbox and nowhere else. */
    async make(tx: Tx, { purpose, userId, lifetimeMs, provesAddress }: NewLink): Promise<string> {
      const token = randomToken(32)
      const id = newId('verification')
      const now = clock()
      await insertLink(tx, {
        id,
        identifier_hash: hashOf(purpose, token),
        value: keyring.sealSystem(sealOf(id), JSON.stringify({ userId, provesAddress })),
        expires_at: now + lifetimeMs,
        created_at: now,
        updated_at: now,
      })
      return token
    },
    /** Throws a 400 for `token` where it opens nothing, or no longer. */
    find,
    /** Whose second factor is asked for, by the challenge in their cookie; null where there is none, or no longer. */
    async challenged(challenge: string): Promise<string | null> {
      const row = await findLink(database.read, linkHash(keyring, challenge), clock())
      return row === undefined ? null : keyring.openSystem(sealOf(row.id), row.value)
    },
    /** As `find`, and uses it up; of two who come at once, one gets it. */
    async take(tx: Tx, purpose: LinkPurpose, token: string): Promise<Link> {
      const link = await find(tx, purpose, token)
      if (!(await deleteLink(tx, link.id))) throw unusable()
      return link
    },
    tidy: (): Promise<number> =>
      bySlices(limit => database.write(tx => deleteExpiredLinks(tx, clock(), limit)), linksAtOnce),
  }
}

/** The same for a token that never was, was used, or is too old. */
export const unusable = () =>
  invalidField(
    'token',
    'opens nothing any more: the link was used, is too old, or is incomplete. Ask for a new one.',
  )

type LinkRow = Selectable<Tables['verifications']>

async function insertLink(tx: Tx, row: Insertable<Tables['verifications']>): Promise<void> {
  await tx.insertInto('verifications').values(row).execute()
}

const findLink = (query: Query, hash: string, now: number): Promise<LinkRow | undefined> =>
  query
    .selectFrom('verifications')
    .selectAll()
    .where('identifier_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** True for the one that used it. */
async function deleteLink(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('verifications')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

async function deleteExpiredLinks(tx: Tx, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('verifications')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('verifications').select('id').where('expires_at', '<=', now).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
