/** OAuth clients, as which services know this server. A workspace's own client goes before the operator's client. */
import type { Connector, OAuth as OAuthTerms } from '@atrium/connectors'
import type { Caller, Scope } from '../../../platform/caller.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import { decodeJson, type Json } from '../../../platform/database/json.ts'
import type { OAuthGiver, StoredOAuth } from '../../../platform/database/schema/integrations.ts'
import { notFound, type ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import type { OAuthClientRecord, OAuthClientSecret } from '../records/access-schemas.ts'
import {
  deleteClient,
  findClient,
  listClientIntegrations,
  lockClient,
  type OAuthClientRow,
  putClient,
} from '../records/authorizations-store.ts'
import type { ConnectionRow } from '../records/store.ts'
import { clientSecretField, type GivenTo } from '../records/vault.ts'
import type { OAuthClient } from './oauth-result.ts'

/** A client with the parts of its ETag; the revision is 0 if the workspace has no own client. */
export type ShownClient = { id: string; revision: number; record: OAuthClientRecord }

/** The fields of a connection that say where, and as which client, a person authorizes it. */
export type OAuthConnection = Pick<ConnectionRow, 'id' | 'integration_id' | 'oauth'>

/**
 * Null if no person authorizes the connection at a service. Tokens may be bound to the client and the service that
 * gave them, as `given` names them. The terms are then the terms of that service.
 */
export type TermsOf = (connection: OAuthConnection, given?: Nullable<GivenTo>) => OAuthTerms | null

/** The terms of the connector, or the terms that the connected server told when the connection was begun. */
export const createTermsOf =
  (connectorOf: (integrationId: string) => Connector | null): TermsOf =>
  ({ integration_id: integrationId, oauth }, given) =>
    oauth !== null
      ? (giverIn(oauth, given)?.terms ?? null)
      : (connectorOf(integrationId)?.auth.find(way => way.kind === 'oauth2') ?? null)

/** What the connected server told last, or what it told earlier if the tokens came from that. */
function giverIn(
  oauth: Json<StoredOAuth>,
  { clientId = null, tokenUrl = null }: Nullable<GivenTo> = {},
): OAuthGiver | undefined {
  const stored = decodeJson(oauth)
  return [stored, stored.earlier].find(
    giver =>
      (clientId === null || clientId === giver?.client.id) &&
      (tokenUrl === null || tokenUrl === giver?.terms.tokenUrl),
  )
}

type Nullable<T> = { [Key in keyof T]: T[Key] | null }

export type OAuthClients = ReturnType<typeof createOAuthClients>

export function createOAuthClients(
  dependencies: Pick<Platform, 'database' | 'clock' | 'seals'> & {
    audit: AuditService
    connectorOf: (integrationId: string) => Connector | null
    /** The operator's clients, from the settings. */
    oauthClients: Readonly<Record<string, OAuthClient | null>>
    redirectUri: () => string
  },
) {
  const { database, clock, audit, seals, connectorOf, oauthClients, redirectUri } = dependencies

  const requireOAuth = (integrationId: string): void => {
    if (connectorOf(integrationId)?.auth.some(({ kind }) => kind === 'oauth2') !== true) {
      throw notFound(`There is no integration ${JSON.stringify(integrationId)} with OAuth`, {
        resource: 'integration',
        id: integrationId,
      })
    }
  }

  const present = (integrationId: string, row: OAuthClientRow | undefined): ShownClient => ({
    id: integrationId,
    revision: row?.revision ?? 0,
    record: {
      integrationId,
      source: row !== undefined ? 'workspace' : oauthClients[integrationId] ? 'server' : 'none',
      clientId: row?.client_id ?? oauthClients[integrationId]?.id ?? null,
      redirectUrl: redirectUri(),
      updatedAt: row === undefined ? null : toTimestamp(row.updated_at),
    },
  })

  return {
    /**
     * Which client is used, and the address to register with the service. Throws `not_found` if there is no such
     * OAuth integration.
     */
    async get(caller: Caller, integrationId: string): Promise<ShownClient> {
      requireOAuth(integrationId)
      return present(integrationId, await findClient(caller.scope, database.read, integrationId))
    },
    async put(
      caller: Caller,
      integrationId: string,
      { clientId, clientSecret }: OAuthClientSecret,
      ifMatch: string | null,
    ): Promise<ShownClient> {
      requireOAuth(integrationId)
      const sealed = await seals.seal(caller.scope, secretField(integrationId), clientSecret)
      return await database.write(async tx => {
        const before = await lockClient(caller.scope, tx, integrationId)
        checkRevision(ifMatch, present(integrationId, before))
        const row = await putClient(caller.scope, tx, {
          workspace_id: caller.scope.workspaceId,
          integration_id: integrationId,
          client_id: clientId,
          client_secret: sealed,
          created_by: caller.userId,
          created_at: clock(),
          updated_at: clock(),
          revision: 1,
        })
        const details = { integrationId, clientId }
        await audit.record(tx, caller, {
          action: 'integration.set_client',
          resourceId: integrationId,
          details,
        })
        return present(integrationId, row)
      })
    },
    /**
     * Removes the workspace's own client, so the operator's client is used again. Throws `not_found` if the workspace
     * has none.
     */
    async remove(
      caller: Caller,
      integrationId: string,
      { ifMatch, dryRun }: { ifMatch: string | null; dryRun: boolean },
    ): Promise<void> {
      requireOAuth(integrationId)
      await database.write(async tx => {
        const before = await lockClient(caller.scope, tx, integrationId)
        if (before === undefined) throw noClient(integrationId)
        checkRevision(ifMatch, present(integrationId, before))
        if (dryRun) return
        await deleteClient(caller.scope, tx, integrationId)
        const details = { integrationId }
        await audit.record(tx, caller, {
          action: 'integration.remove_client',
          resourceId: integrationId,
          details,
        })
      })
    },
    /**
     * The client for new authorizations of a connection. If `given` names a client and a service to which tokens are
     * bound, exactly this client at this service. Null if the client is not set.
     */
    async of(
      scope: Scope,
      { id, integration_id: integrationId, oauth }: OAuthConnection,
      given: Nullable<GivenTo> = {},
    ): Promise<OAuthClient | null> {
      if (oauth !== null) {
        const client = giverIn(oauth, given)?.client
        if (client === undefined) return null
        const secret =
          client.secret === null ? '' : await seals.open(scope, clientSecretField(id), client.secret)
        return { id: client.id, secret }
      }
      const { clientId = null } = given
      const row = await findClient(scope, database.read, integrationId)
      if (row !== undefined && (clientId === null || row.client_id === clientId)) {
        return {
          id: row.client_id,
          secret: await seals.open(scope, secretField(integrationId), row.client_secret),
        }
      }
      const own = oauthClients[integrationId] ?? null
      return own !== null && (clientId === null || own.id === clientId) ? own : null
    },
    /** The integrations that have a client. */
    async configured(scope: Scope): Promise<ReadonlySet<string>> {
      const own = await listClientIntegrations(scope, database.read)
      const server = Object.keys(oauthClients).filter(id => oauthClients[id] !== null)
      return new Set([...own, ...server])
    },
  }
}

const noClient = (integrationId: string): ServiceError =>
  notFound(`The workspace has no OAuth client for ${integrationId}`, {
    resource: 'oauth_client',
    id: integrationId,
  })

const secretField = (integrationId: string): string => `oauth_client|${integrationId}`
