/** How people prove who they are. Nothing here opens anything by itself: it is hashed or encrypted. Times are milliseconds. */
import { id, integer, table, text } from '../table.ts'

export const signInTables = {
  sessions: table({
    id: id().primaryKey(),
    user_id: id().belongsTo('users'),
    /** Keyed hash of the cookie's token. */
    token_hash: id().unique(),
    expires_at: integer(),
    ip_address: text().nullable(),
    user_agent: text().nullable(),
    created_at: integer(),
    updated_at: integer(),
  }).with('INDEX sessions_of_user (user_id)', 'INDEX sessions_expiry (expires_at)'),
  /** One way of signing in: a password of ours, or the account at a single sign-on server. */
  accounts: table({
    id: id().primaryKey(),
    user_id: id().belongsTo('users'),
    issuer: id(),
    account_id: id(),
    provider_id: id(),
    scope: text().nullable(),
    /** Scrypt hash with its salt; null if somebody else asks for the password. */
    password: text().nullable(),
    created_at: integer(),
    updated_at: integer(),
  }).with('UNIQUE (issuer, account_id)', 'INDEX accounts_of_user (user_id)'),
  /** What was sent to prove something once: a reset link, the state of a single sign-on. */
  verifications: table({
    id: id().primaryKey(),
    /** Keyed hash of what is sent. */
    identifier_hash: id(),
    /** Encrypted. */
    value: text(),
    expires_at: integer(),
    created_at: integer(),
    updated_at: integer(),
  }).with('INDEX verifications_find (identifier_hash)', 'INDEX verifications_expiry (expires_at)'),
  two_factors: table({
    id: id().primaryKey(),
    user_id: id().unique().belongsTo('users'),
    /** Encrypted. */
    secret: text(),
    /** Encrypted. */
    backup_codes: text(),
    verified: integer(),
    failed_verification_count: integer(),
    locked_until: integer().nullable(),
  }),
}
