/** The verbs of integrations: what can be connected, what is connected, whether it works, and its end. */
import { type Caller, type Scope, systemCaller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Seals } from '../../platform/crypto/seals.ts'
import type { Database } from '../../platform/database/database.ts'
import { encodeJson } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import type { SafeFetch } from '../../platform/fetch/safe-fetch.ts'
import type { NewId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { checkRevision } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import { createCallback, type HandleCallback } from './callback.ts'
import { type Checked, createCheckConnection } from './check-connection.ts'
import { createConnect, type Started } from './connect.ts'
import { recordConnectionEvent } from './connection-outbox.ts'
import { type CompileSchema, createInputCheck } from './input.ts'
import { createKeeper } from './keeper.ts'
import type { Manifest, OAuthTerms } from './manifest.ts'
import { createOAuth, type OAuthClient } from './oauth.ts'
import type { NewConnection } from './schemas.ts'
import {
  type ConnectionFilter,
  type ConnectionRow,
  changeConnection,
  deleteConnection,
  findConnection,
  listConnections,
  lockConnection,
} from './store.ts'
import { createVault } from './vault.ts'

export type CatalogItem = { manifest: Manifest; isConfigured: boolean }

export type IntegrationService = {
  /** The services that can be connected, by name. */
  catalog(page: PageRequest): Page<CatalogItem>
  list(caller: Caller, filter: ConnectionFilter, page: PageRequest): Promise<Page<ConnectionRow>>
  get(caller: Caller, id: string): Promise<ConnectionRow>
  /**
   * Starts a connection; nothing is stored where the service does not take the credentials. Throws 400 for faulty
   * input, `integration_not_configured`, `credentials_rejected`, `integration_unreachable`.
   */
  connect(caller: Caller, body: NewConnection): Promise<Started>
  /** Calls the service, and keeps what came of it as the connection's status and last error. */
  test(caller: Caller, id: string): Promise<Checked>
  /** Ends a connection: its secrets are erased, and the service is asked to end the grant. */
  disconnect(caller: Caller, id: string, ifMatch: string | null): Promise<void>
  /** For the browser that a service sends back to `callbackPath`. */
  handleCallback: HandleCallback
}

// Registered with each service, after the public address.
const callbackPath = '/oauth/callback'

export function createIntegrationService(dependencies: {
  database: Database
  clock: Clock
  newId: NewId
  audit: AuditService
  outbox: Outbox
  keyring: Keyring
  seals: Seals
  safeFetch: SafeFetch
  log: Log
  manifests: readonly Manifest[]
  /** By the integration's id; an OAuth integration without one is not configured. */
  oauthClients: Readonly<Record<string, OAuthClient | null>>
  /** The address under which people and services reach this server, without a slash at the end. */
  publicUrl: () => string
  /** The origins that a `redirectUrl` may have. */
  redirectOrigins: readonly string[]
  compileSchema: CompileSchema
}): IntegrationService {
  const { database, clock, newId, audit, outbox, log, manifests, oauthClients } = dependencies
  const byName = manifests.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  const manifestOf = (id: string): Manifest | null => manifests.find(manifest => manifest.id === id) ?? null
  const clientOf = (id: string): OAuthClient | null => oauthClients[id] ?? null
  const termsOf = (id: string): OAuthTerms | null => {
    const auth = manifestOf(id)?.auth
    return auth?.kind === 'oauth2' ? auth : null
  }
  const vault = createVault(dependencies.seals)
  const oauth = createOAuth({
    safeFetch: dependencies.safeFetch,
    redirectUri: () => `${dependencies.publicUrl()}${callbackPath}`,
  })

  const giveUp = (scope: Scope, id: string, credentials: string, code: string): Promise<boolean> =>
    database.write(async tx => {
      const message = 'The service does not accept the stored credentials any more'
      const last_error = encodeJson({ code, message, at: clock() })
      const change = {
        status: 'needs_reauth',
        last_error,
        refresh_lease_until: null,
        updated_at: clock(),
      } as const
      const row = await changeConnection(scope, tx, id, { credentials }, change)
      if (row === undefined) return false
      const caller = systemCaller(scope, newId('request'), row.created_by)
      await recordConnectionEvent(tx, outbox, caller, row, {
        ...{ status: 'needs_reauth', errorCode: code, at: clock() },
      })
      await audit.record(tx, caller, {
        action: 'integration.give_up',
        resourceId: id,
        details: { integrationId: row.integration_id, code },
      })
      return true
    })

  const parts = { ...dependencies, vault, oauth, manifestOf, clientOf, termsOf, giveUp }
  const connect = createConnect({ ...parts, checkInput: createInputCheck(dependencies) })
  const check = createCheckConnection({ ...parts, keeper: createKeeper(parts) })

  /** Best effort: the connection is gone whatever the service says. */
  const revokeGrant = async (scope: Scope, row: ConnectionRow): Promise<void> => {
    const terms = termsOf(row.integration_id)
    const client = clientOf(row.integration_id)
    if (terms === null || client === null || row.credentials === null) return
    try {
      const credentials = await vault.open(scope, row.id, row.credentials)
      if (credentials.kind === 'oauth2') await oauth.revoke(terms, client, credentials)
    } catch (error) {
      log.warn('The grant of a connection could not be revoked', { connectionId: row.id, error })
    }
  }

  return {
    catalog: ({ page, pageSize }) => ({
      items: byName.slice((page - 1) * pageSize, page * pageSize).map(manifest => ({
        manifest,
        isConfigured: manifest.auth.kind !== 'oauth2' || clientOf(manifest.id) !== null,
      })),
      total: byName.length,
    }),
    list: (caller, filter, page) => listConnections(caller.scope, database.read, filter, page, clock()),
    get: async (caller, id) => found(await findConnection(caller.scope, database.read, id)),
    async connect(caller, body) {
      const manifest = manifestOf(body.integrationId)
      if (manifest === null) throw invalidField('integrationId', 'There is no integration with this id')
      return await connect(caller, manifest, body)
    },
    async test(caller, id) {
      return await check(caller, found(await findConnection(caller.scope, database.read, id)))
    },
    async disconnect(caller, id, ifMatch) {
      const row = await database.write(async tx => {
        const locked = found(await lockConnection(caller.scope, tx, database.engine, id))
        checkRevision(ifMatch, locked)
        await deleteConnection(caller.scope, tx, id)
        await audit.record(tx, caller, {
          action: 'integration.disconnect',
          resourceId: id,
          details: { integrationId: locked.integration_id, name: locked.name },
        })
        await recordConnectionEvent(tx, outbox, caller, locked, { status: 'deleted', at: clock() })
        return locked
      })
      await revokeGrant(caller.scope, row)
    },
    handleCallback: createCallback(parts),
  }
}

function found(row: ConnectionRow | undefined): ConnectionRow {
  if (row === undefined) throw notFound()
  return row
}
