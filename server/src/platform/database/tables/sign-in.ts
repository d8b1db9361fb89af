/** How people prove who they are. Nothing here opens anything by itself: it is hashed or encrypted. Times are milliseconds. */

export type SignInTables = {
  sessions: {
    id: string
    user_id: string
    /** Keyed hash of the cookie's token. */
    token_hash: string
    expires_at: number
    ip_address: string | null
    user_agent: string | null
    created_at: number
    updated_at: number
  }
  /** One way of signing in: a password of ours, or the account at a single sign-on server. */
  accounts: {
    id: string
    user_id: string
    issuer: string
    account_id: string
    provider_id: string
    scope: string | null
    /** Scrypt hash with its salt; null where somebody else asks for the password. */
    password: string | null
    created_at: number
    updated_at: number
  }
  /** What was sent to prove something once: a reset link, the state of a single sign-on. */
  verifications: {
    id: string
    /** Keyed hash of what is sent. */
    identifier_hash: string
    /** Encrypted. */
    value: string
    expires_at: number
    created_at: number
    updated_at: number
  }
  two_factors: {
    id: string
    user_id: string
    /** Encrypted. */
    secret: string
    /** Encrypted. */
    backup_codes: string
    verified: number
    failed_verification_count: number
    locked_until: number | null
  }
}
