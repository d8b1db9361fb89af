/** Asks a service to end a grant that this server has no use for any more. */
import type { OAuth as OAuthTerms } from '@atrium/connectors'
import type { Scope } from '../../../platform/caller.ts'
import type { Log } from '../../../platform/log.ts'
import type { ConnectionRow } from '../records/store.ts'
import type { Vault } from '../records/vault.ts'
import type { OAuthClients } from './clients-service.ts'
import type { OAuth } from './oauth.ts'

/** Best effort: the connection is gone, or opened otherwise, whatever the service says. */
export type RevokeGrant = (scope: Scope, row: ConnectionRow) => Promise<void>

export function createRevokeGrant(dependencies: {
  log: Log
  vault: Vault
  oauth: OAuth
  clients: OAuthClients
  termsOf: (integrationId: string) => OAuthTerms | null
}): RevokeGrant {
  const { log, vault, oauth, clients, termsOf } = dependencies
  return async (scope, row) => {
    const terms = termsOf(row.integration_id)
    if (terms === null || row.credentials === null) return
    try {
      const credentials = await vault.open(scope, row.id, row.credentials)
      if (credentials.kind !== 'oauth2') return
      const client = await clients.of(scope, row.integration_id, credentials.clientId)
      if (client !== null) await oauth.revoke(scope, terms, client, credentials)
    } catch (error) {
      log.warn('The grant of a connection could not be revoked', { connectionId: row.id, error })
    }
  }
}
