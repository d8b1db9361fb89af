/** Starting a connection: by a key that is tried first, or by sending a person to the service. */
import type { Insertable } from 'kysely'
import type { Caller } from '../../platform/caller.ts'
import { type Clock, dayMs, minuteMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { randomToken } from '../../platform/crypto/tokens.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { encodeJson } from '../../platform/database/json.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import type { SafeFetch } from '../../platform/fetch/safe-fetch.ts'
import type { NewId } from '../../platform/ids.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import { recordConnectionEvent } from './connection-outbox.ts'
import type { ConnectionInput, InputCheck } from './input.ts'
import type { Account, Manifest, OAuthTerms } from './manifest.ts'
import { newVerifier, type OAuth, type OAuthClient } from './oauth.ts'
import { type ProbeResult, probe } from './probe.ts'
import type { NewConnection } from './schemas.ts'
import {
  type ConnectionRow,
  countConnections,
  deleteExpiredConnections,
  deleteExpiredOAuthStates,
  insertConnection,
  insertOAuthState,
} from './store.ts'
import type { Vault } from './vault.ts'

/** `authorizationUrl` is null where the connection is active already. */
export type Started = { row: ConnectionRow; authorizationUrl: string | null }

export type Connect = (caller: Caller, manifest: Manifest, body: NewConnection) => Promise<Started>

/** How long a person may take to grant access. */
const authorizationMs = 10 * minuteMs
const expiredKeptMs = dayMs
const maxConnections = 1_000

export function createConnect(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  outbox: Outbox
  keyring: Keyring
  safeFetch: SafeFetch
  vault: Vault
  oauth: OAuth
  checkInput: InputCheck
  clientOf: (integrationId: string) => OAuthClient | null
}): Connect {
  const { database, clock, newId, audit, outbox, keyring, safeFetch } = dependencies
  const { vault, oauth, checkInput, clientOf } = dependencies

  /** The row, its audit row, and what `alongside` adds, in one transaction. */
  const insert = (
    caller: Caller,
    row: Insertable<Tables['connections']>,
    alongside: (tx: Tx) => Promise<void> = async () => undefined,
  ): Promise<ConnectionRow> =>
    database.write(async tx => {
      await deleteExpiredConnections(caller.scope, tx, clock() - expiredKeptMs)
      if ((await countConnections(caller.scope, tx)) >= maxConnections) {
        throw new ServiceError('conflict', 'There can be at most 1,000 connections; disconnect one first')
      }
      const inserted = await insertConnection(caller.scope, tx, row)
      await alongside(tx)
      await audit.record(tx, caller, {
        action: 'integration.connect',
        resourceId: inserted.id,
        details: { integrationId: inserted.integration_id, name: inserted.name, status: inserted.status },
      })
      if (inserted.status === 'active') {
        await recordConnectionEvent(tx, outbox, caller, inserted, { status: 'active', at: clock() })
      }
      return inserted
    })

  const newRow = (
    caller: Caller,
    manifest: Manifest,
    body: NewConnection,
    { config }: ConnectionInput,
  ): Insertable<Tables['connections']> => ({
    id: newId('connection'),
    workspace_id: caller.scope.workspaceId,
    environment: caller.scope.environment,
    integration_id: manifest.id,
    name: body.name ?? manifest.name,
    status: 'active',
    config: encodeJson(config),
    scopes: encodeJson<string[]>([]),
    created_by: caller.userId,
    created_at: clock(),
    updated_at: clock(),
    revision: 1,
  })

  const startAuthorization = async (
    caller: Caller,
    manifest: Manifest,
    terms: OAuthTerms,
    row: Insertable<Tables['connections']>,
    redirectUrl: string | null,
  ): Promise<Started> => {
    const client = clientOf(manifest.id)
    if (client === null) throw notConfigured(manifest)
    const state = randomToken(32)
    const verifier = newVerifier()
    const authorizationUrl = await oauth.authorizationUrl(terms, client, { state, verifier })
    const sealedVerifier = await vault.sealVerifier(caller.scope, row.id, verifier)
    const expiresAt = clock() + authorizationMs
    const pending = { ...row, status: 'pending', expires_at: expiresAt } as const
    const inserted = await insert(caller, pending, async tx => {
      await deleteExpiredOAuthStates(tx, clock())
      await insertOAuthState(caller.scope, tx, {
        state_hash: keyring.keyedHash('token', state),
        connection_id: row.id,
        workspace_id: caller.scope.workspaceId,
        environment: caller.scope.environment,
        code_verifier: sealedVerifier,
        redirect_url: redirectUrl,
        expires_at: expiresAt,
        created_at: clock(),
      })
    })
    return { row: inserted, authorizationUrl }
  }

  return async (caller, manifest, body) => {
    const input = checkInput(manifest, body)
    const row = newRow(caller, manifest, body, input)
    if (caller.scope.environment === 'test') {
      const account = simulate(input.apiKey)
      return { row: await insert(caller, { ...row, account: encodeJson(account) }), authorizationUrl: null }
    }
    if (manifest.auth.kind === 'oauth2') {
      return await startAuthorization(caller, manifest, manifest.auth, row, input.redirectUrl)
    }
    const credentials = input.apiKey === null ? null : ({ kind: 'api_key', apiKey: input.apiKey } as const)
    const account = accountOf(await probe(safeFetch, manifest, input.config, credentials), manifest)
    const sealed = credentials === null ? null : await vault.seal(caller.scope, row.id, credentials)
    const active = { ...row, account: encodeJson(account), credentials: sealed }
    return { row: await insert(caller, active), authorizationUrl: null }
  }
}

/** The account that a sandbox connection shows. */
export const sandboxAccount: Account = { id: 'sandbox', name: 'Sandbox' }

/** In the sandbox nothing is called and no credentials are kept; two special keys force the failures. */
function simulate(apiKey: string | null): Account {
  if (apiKey === 'sim:rejected') throw new ServiceError('credentials_rejected')
  if (apiKey === 'sim:unreachable') throw new ServiceError('integration_unreachable')
  return sandboxAccount
}

/** The account behind a successful test call; otherwise the error that says why nothing was stored. */
function accountOf(result: ProbeResult, manifest: Manifest): Account {
  if (result.kind === 'ok') return result.account
  const { blamedField } = manifest.probe
  switch (result.kind) {
    case 'rejected':
      throw new ServiceError('credentials_rejected', result.message)
    case 'unreachable':
      throw new ServiceError('integration_unreachable', result.message, { headers: { 'retry-after': '30' } })
    case 'forbidden':
      throw invalidField(blamedField ?? 'config', result.message)
    case 'unusable':
      throw invalidField(blamedField ?? 'config', result.message)
  }
}

const notConfigured = (manifest: Manifest): ServiceError =>
  new ServiceError(
    'integration_not_configured',
    `The operator has not set up an OAuth client for ${manifest.name} on this server`,
  )
