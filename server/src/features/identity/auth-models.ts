/** better-auth's models and our columns: what each field is called there and here, and in which form it is kept. */
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { sessionTokenHash } from './sessions-service.ts'

export type Row = Record<string, unknown>

/** `session` and `link` are kept as keyed hashes, `sealed` encrypted, and never come back as they are. */
type Field = { column: string; kind: 'plain' | 'time' | 'flag' | 'session' | 'link' | 'sealed' }

export type Model = {
  table: 'users' | 'sessions' | 'accounts' | 'verifications' | 'two_factors'
  fields: Readonly<Record<string, Field>>
}

const plain = (column: string): Field => ({ column, kind: 'plain' })
const time = (column: string): Field => ({ column, kind: 'time' })
const flag = (column: string): Field => ({ column, kind: 'flag' })

const times = { createdAt: time('created_at'), updatedAt: time('updated_at') }

const models: Readonly<Record<string, Model>> = {
  user: {
    table: 'users',
    fields: {
      id: plain('id'),
      name: plain('name'),
      email: plain('email'),
      emailVerified: flag('email_verified'),
      image: plain('image'),
      twoFactorEnabled: flag('two_factor_enabled'),
      ...times,
    },
  },
  session: {
    table: 'sessions',
    fields: {
      id: plain('id'),
      userId: plain('user_id'),
      token: { column: 'token_hash', kind: 'session' },
      expiresAt: time('expires_at'),
      ipAddress: plain('ip_address'),
      userAgent: plain('user_agent'),
      ...times,
    },
  },
  account: {
    table: 'accounts',
    fields: {
      id: plain('id'),
      userId: plain('user_id'),
      issuer: plain('issuer'),
      accountId: plain('account_id'),
      providerId: plain('provider_id'),
      scope: plain('scope'),
      password: plain('password'),
      ...times,
    },
  },
  verification: {
    table: 'verifications',
    fields: {
      id: plain('id'),
      identifier: { column: 'identifier_hash', kind: 'link' },
      value: { column: 'value', kind: 'sealed' },
      expiresAt: time('expires_at'),
      ...times,
    },
  },
  // Its secret and its codes come encrypted already, under a key that is derived from the master secret.
  twoFactor: {
    table: 'two_factors',
    fields: {
      id: plain('id'),
      userId: plain('user_id'),
      secret: plain('secret'),
      backupCodes: plain('backup_codes'),
      verified: flag('verified'),
      failedVerificationCount: plain('failed_verification_count'),
      lockedUntil: time('locked_until'),
    },
  },
}

export function modelOf(name: string): Model {
  const model = models[name]
  if (model === undefined) throw new Error(`better-auth asks for a model ${name} that has no table`)
  return model
}

/** What is stored; fields that have no column, such as the tokens of a single sign-on server, are not kept. */
export function toRow(keyring: Keyring, model: Model, data: Row): Row {
  const known = Object.entries(data).filter(([name]) => model.fields[name] !== undefined)
  return Object.fromEntries(
    known.map(([name, value]) => {
      const field = model.fields[name] as Field
      return [field.column, stored(keyring, model, field, value, data)]
    }),
  )
}

/** What better-auth is given back. A hashed field is only known where the row was asked for by it. */
export function toRecord(
  keyring: Keyring,
  model: Model,
  row: Row,
  where: readonly { field: string; value: unknown }[],
): Row {
  const entries = Object.entries(model.fields).map(([name, field]) => {
    const value = row[field.column]
    switch (field.kind) {
      case 'plain':
        return [name, value]
      case 'time':
        return [name, value === null ? null : new Date(Number(value))]
      case 'flag':
        return [name, Number(value) === 1]
      case 'sealed':
        return [name, keyring.openSystem(sealOf(row.id), String(value))]
      default:
        return [name, where.find(condition => condition.field === name)?.value ?? '']
    }
  })
  return Object.fromEntries(entries)
}

/** A value as a statement compares it. */
export function whereValue(keyring: Keyring, model: Model, field: string, value: unknown): unknown {
  const known = model.fields[field]
  if (known === undefined || known.kind === 'sealed')
    throw new Error(`No statement compares ${model.table}.${field}`)
  return stored(keyring, model, known, value, {})
}

function stored(keyring: Keyring, model: Model, { column, kind }: Field, value: unknown, data: Row): unknown {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'plain':
      return value
    case 'time':
      return value instanceof Date ? value.getTime() : value
    case 'flag':
      return value === true ? 1 : 0
    case 'session':
      return sessionTokenHash(keyring, String(value))
    case 'link':
      return linkHash(keyring, String(value))
    case 'sealed':
      // Bound to its row: moved to another one it opens no more.
      if (typeof data.id !== 'string')
        throw new Error(`${model.table}.${column} is written with its row only`)
      return keyring.sealSystem(sealOf(data.id), String(value))
  }
}

export const sealOf = (id: unknown): string => `${String(id)}.value`

/** What is kept of a link's token, with what it is for. */
export const linkHash = (keyring: Keyring, identifier: string): string =>
  keyring.keyedHash('token', identifier)
