/** Sign-in of people, and the apps that they connect. Secrets are hashed or encrypted. Times are milliseconds. */

import type { Permission } from '../../caller.ts'
import { id, integer, json, table, text } from '../table.ts'

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
    /** Scrypt hash with its salt; null if a single sign-on server asks for the password. */
    password: text().nullable(),
    created_at: integer(),
    updated_at: integer(),
  }).with('UNIQUE (issuer, account_id)', 'INDEX accounts_of_user (user_id)'),
  /** Proofs that are sent out and used once: a reset link, the state of a single sign-on. */
  verifications: table({
    id: id().primaryKey(),
    /** Keyed hash of the text that is sent. */
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

export const appTables = {
  /** Apps that registered themselves. */
  app_clients: table({
    id: id().primaryKey(),
    name: text(),
    redirect_uris: json<string[]>(),
    /** Soon, unless a person connects the app. */
    expires_at: integer(),
    /** 1 once a person has connected the app. */
    is_used: integer<0 | 1>(),
    created_at: integer(),
  }).with('INDEX app_clients_expiry (is_used, expires_at)'),
  /** Codes that a browser brings to an app, once. Used codes are kept for a time, so that a second use is noticed. */
  app_codes: table({
    /** Keyed hash. */
    code_hash: id().primaryKey(),
    key_id: id().belongsTo('api_keys'),
    client_id: text(),
    redirect_uri: text(),
    /** SHA-256 of the verifier, in base64url. */
    code_challenge: text(),
    used_at: integer().nullable(),
    expires_at: integer(),
  }).with('INDEX app_codes_of_key (key_id)', 'INDEX app_codes_expiry (expires_at)'),
  app_refresh_tokens: table({
    /** Keyed hash. */
    token_hash: id().primaryKey(),
    key_id: id().belongsTo('api_keys'),
    client_id: text(),
    used_at: integer().nullable(),
    expires_at: integer(),
  }).with('INDEX app_refresh_tokens_of_key (key_id)', 'INDEX app_refresh_tokens_expiry (expires_at)'),
  /** A device that waits until a person confirms its code on another device (RFC 8628). */
  app_devices: table({
    /** Keyed hash. */
    device_hash: id().primaryKey(),
    /** Keyed hash of the code that the person types. */
    user_code_hash: id().unique(),
    client_id: text(),
    permissions: json<Permission[]>(),
    address: text(),
    status: id<'pending' | 'approved' | 'denied' | 'used'>(),
    key_id: id().nullable().belongsTo('api_keys'),
    polled_at: integer().nullable(),
    interval_seconds: integer(),
    created_at: integer(),
    expires_at: integer(),
  }).with('INDEX app_devices_of_key (key_id)', 'INDEX app_devices_expiry (expires_at)'),
}
