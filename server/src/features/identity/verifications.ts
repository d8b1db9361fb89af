/** One-time tokens that prove something: a row under the token's keyed hash, with a sealed value and an end. */
import { type Selectable, sql } from 'kysely'
import { randomToken } from '../../platform/crypto/tokens.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { bySlices } from '../../platform/schedules/rounds.ts'
import { deleteExpired } from './store.ts'

/** The value behind a token, by purpose; a token for one purpose never works for another. */
type Values = {
  /** The token itself, so that it can be shown until it is used, and what else is shown with it. */
  setup: LinkValue & { token: string; kept: Kept }
  'reset-password': LinkValue
  'verify-email': LinkValue
  /** A person who gave the right password and still has to give a code. */
  'second-step': { userId: string; rememberMe: boolean; wrongCodes: number }
  /** A browser that was sent to the single sign-on server. */
  'single-sign-on': { nonce: string; verifier: string; callbackURL: string }
}

/** `provesAddress`: the token is sent only to the person's mailbox. */
type LinkValue = { userId: string; provesAddress: boolean }

/** Texts that are erased with the link. */
export type Kept = Readonly<Record<string, string>>

type Purpose = keyof Values

/** `createdAt` is when it was made: a later change, such as a new password, can end it. */
export type Verification<P extends Purpose> = Values[P] & { id: string; createdAt: number; expiresAt: number }

export type Verifications = ReturnType<typeof createVerifications>

const rowsAtOnce = 500

export function createVerifications(
  dependencies: Pick<Platform, 'database' | 'keyring' | 'clock' | 'newId'>,
) {
  const { database, keyring, clock, newId } = dependencies

  const hashOf = (purpose: Purpose, token: string): string =>
    keyring.keyedHash('token', `${purpose}:${token}`)
  const isOpenedBy = (purpose: Purpose, token: string) =>
    sql<boolean>`identifier_hash = ${hashOf(purpose, token)} AND expires_at > ${clock()}`
  // Bound to its row: a value that is moved to another row cannot be opened.
  const seal = (id: string, value: object): string => keyring.sealSystem(`${id}.value`, JSON.stringify(value))
  const open = <P extends Purpose>(
    row: Selectable<Tables['verifications']> | undefined,
  ): Verification<P> | null => {
    if (row === undefined) return null
    // Only `make` and `replace` write values that open, and the hash that finds a row includes the purpose.
    const value = JSON.parse(keyring.openSystem(`${row.id}.value`, row.value)) as Values[P]
    return { ...value, id: row.id, createdAt: row.created_at, expiresAt: row.expires_at }
  }

  const insert = async (
    tx: Tx,
    purpose: Purpose,
    { token, lifetimeMs, value }: { token: string; lifetimeMs: number; value: object },
  ): Promise<string> => {
    const id = newId('verification')
    const now = clock()
    await tx
      .insertInto('verifications')
      .values({
        id,
        identifier_hash: hashOf(purpose, token),
        value: seal(id, value),
        expires_at: now + lifetimeMs,
        created_at: now,
        updated_at: now,
      })
      .execute()
    return id
  }

  return {
    /** Returns the token. */
    async make<P extends Exclude<Purpose, 'setup'>>(
      tx: Tx,
      purpose: P,
      { lifetimeMs, ...value }: Values[P] & { lifetimeMs: number },
    ): Promise<string> {
      const token = randomToken(32)
      await insert(tx, purpose, { token, lifetimeMs, value })
      return token
    },
    /** Makes the setup link, which `findSetup` finds again by its id. */
    async makeSetup(tx: Tx, userId: string, kept: Kept, lifetimeMs: number): Promise<string> {
      const token = randomToken(32)
      const value: Values['setup'] = { userId, provesAddress: false, token, kept }
      return insert(tx, 'setup', { token, lifetimeMs, value })
    },
    /** Null once the setup link is used or expired. */
    findSetup: async (query: Query, id: string) =>
      open<'setup'>(
        await query
          .selectFrom('verifications')
          .selectAll()
          .where('id', '=', id)
          .where('expires_at', '>', clock())
          .executeTakeFirst(),
      ),
    /** Null if the token is unknown, used or expired. */
    find: async <P extends Purpose>(query: Query, purpose: P, token: string) =>
      open<P>(
        await query
          .selectFrom('verifications')
          .selectAll()
          .where(isOpenedBy(purpose, token))
          .executeTakeFirst(),
      ),
    /** Like `find`; other transactions that lock the same token wait for the end of this one. */
    async lock<P extends Purpose>(tx: Tx, purpose: P, token: string) {
      const wanted = tx.selectFrom('verifications').selectAll().where(isOpenedBy(purpose, token))
      return open<P>(await wanted.forNoKeyUpdate().executeTakeFirst())
    },
    /** Like `find`, and uses the token up: if two requests come at once, only one gets it. */
    async take<P extends Purpose>(tx: Tx, purpose: P, token: string) {
      const taking = tx.deleteFrom('verifications').where(isOpenedBy(purpose, token))
      return open<P>(await taking.returningAll().executeTakeFirst())
    },
    async replace<P extends Purpose>(tx: Tx, id: string, value: Values[P]): Promise<void> {
      const changed = { value: seal(id, value), updated_at: clock() }
      await tx.updateTable('verifications').set(changed).where('id', '=', id).execute()
    },
    async remove(tx: Tx, id: string): Promise<void> {
      await tx.deleteFrom('verifications').where('id', '=', id).execute()
    },
    /** Deletes expired rows; returns how many. */
    tidy: (): Promise<number> =>
      bySlices(limit => database.write(tx => deleteExpired(tx, 'verifications', clock(), limit)), rowsAtOnce),
  }
}

/** Throws a 400 for `token`. */
export function usable<Found>(verification: Found | null): Found {
  if (verification === null) throw unusable()
  return verification
}

/** The same error for a token that is unknown, used or too old. */
export const unusable = () =>
  invalidField(
    'token',
    'opens nothing any more: the link was used, is too old, or is incomplete. Ask for a new one.',
  )
