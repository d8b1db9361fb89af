/** Sessions, accounts and second factors, as the sign-in library reads and writes them. */
import type { Ddl } from '../ddl.ts'

export const signInSchema = ({ id, text, integer }: Ddl): string[] => [
  `CREATE TABLE sessions (
    id ${id} PRIMARY KEY,
    user_id ${id} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash ${id} NOT NULL UNIQUE,
    expires_at ${integer} NOT NULL,
    ip_address ${text},
    user_agent ${text},
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL
  )`,
  'CREATE INDEX sessions_of_user ON sessions (user_id)',
  'CREATE INDEX sessions_expiry ON sessions (expires_at)',
  `CREATE TABLE accounts (
    id ${id} PRIMARY KEY,
    user_id ${id} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    issuer ${id} NOT NULL,
    account_id ${id} NOT NULL,
    provider_id ${id} NOT NULL,
    scope ${text},
    password ${text},
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    UNIQUE (issuer, account_id)
  )`,
  'CREATE INDEX accounts_of_user ON accounts (user_id)',
  `CREATE TABLE verifications (
    id ${id} PRIMARY KEY,
    identifier_hash ${id} NOT NULL,
    value ${text} NOT NULL,
    expires_at ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL
  )`,
  'CREATE INDEX verifications_find ON verifications (identifier_hash)',
  'CREATE INDEX verifications_expiry ON verifications (expires_at)',
  `CREATE TABLE two_factors (
    id ${id} PRIMARY KEY,
    user_id ${id} NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    secret ${text} NOT NULL,
    backup_codes ${text} NOT NULL,
    verified ${integer} NOT NULL,
    failed_verification_count ${integer} NOT NULL,
    locked_until ${integer}
  )`,
]
