/** Connections whose server says itself how they are opened: to all, or by a person at the service that it names. */
import {
  type Config,
  type Connector,
  HttpFailure,
  type OAuth as OAuthTerms,
  type OurClient,
} from '@atrium/connectors'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../../platform/caller.ts'
import { decodeJson, encodeJson, type Json } from '../../../platform/database/json.ts'
import type { OAuthGiver, StoredOAuth } from '../../../platform/database/schema/integrations.ts'
import { invalidField, ServiceError } from '../../../platform/errors.ts'
import type { Vault } from '../records/vault.ts'
import { type ContextParts, createContext } from './connector-host.ts'
import { accountOf, type TryCredentials, trialTimeoutMs } from './trial.ts'

/** The path where services that read client documents find the description of this server. */
export const clientMetadataPath = '/oauth/client.json'

/** `account` if the server is open to all. */
export type Discovered =
  | { kind: 'open'; account: { id: string; name: string } }
  | { kind: 'oauth'; terms: OAuthTerms; oauth: Json<StoredOAuth> }

/** Asks the server without credentials. Throws the errors of a trial that failed. */
export type Discover = (
  scope: Scope,
  connectionId: string,
  connector: Connector,
  config: Config,
  client: GivenClient,
) => Promise<Discovered>

/**
 * The client that the config names. If `clientSecret` is null, the secret kept in `before` is used, if there is one.
 */
export type GivenClient = {
  clientSecret: string | null
  before: Json<StoredOAuth> | null
  /** Whether the connection has credentials, which stay in use for now. */
  isOpen: boolean
}

export function createDiscover(
  dependencies: ContextParts & {
    vault: Vault
    tryCredentials: TryCredentials
    redirectUri: () => string
    publicUrl: () => string
  },
): Discover {
  const { vault, tryCredentials, redirectUri, publicUrl } = dependencies

  const ask = async (
    scope: Scope,
    connector: Connector,
    config: Config,
    told: Pick<OurClient, 'challenge' | 'clientSecret' | 'wanted'>,
  ) => {
    const context = createContext(dependencies, {
      owner: scope.workspaceId,
      connector,
      config,
      signal: AbortSignal.timeout(trialTimeoutMs),
      // There are no credentials yet, and no others to renew them with.
      credentials: async refused => (refused === null ? {} : null),
      maxAttempts: 1,
    })
    const isReachable = publicUrl().startsWith('https:')
    const metadataUrl = isReachable ? `${publicUrl()}${clientMetadataPath}` : null
    return await connector.remote?.discover(context, { ...told, redirectUri: redirectUri(), metadataUrl })
  }

  return async (scope, connectionId, connector, config, { clientSecret, before, isOpen }) => {
    if (clientSecret !== null && config.clientId === undefined) {
      throw invalidField('credentials.clientSecret', 'needs config.clientId: the client that it belongs to')
    }
    const tried = await tryCredentials(scope, connector, config, null)
    if (tried.kind !== 'rejected') {
      const account = accountOf(tried, connector)
      if (clientSecret === null) return { kind: 'open', account }
      throw invalidField('credentials', 'must be left out: the server is open to all')
    }
    const stored = before === null ? null : decodeJson(before)
    const isKept = clientSecret === null && stored !== null && stored.client.id === config.clientId
    const secretOfClient =
      isKept && stored.client.secret !== null
        ? await vault.openClientSecret(scope, connectionId, stored.client.secret)
        : clientSecret
    const { wanted = [] } = stored ?? {}
    const ours = { challenge: tried.challenge ?? null, clientSecret: secretOfClient, wanted }
    const found = await ask(scope, connector, config, ours).catch((error: unknown) => {
      throw refusalOf(error, tried, connector)
    })
    if (found === undefined) throw new ServiceError('credentials_rejected', tried.message)
    const { terms, client } = found
    // A secret belongs to the service where it was given. Only a person who knows it may send it elsewhere.
    if (isKept && client.secret !== null && terms.tokenUrl !== stored.terms.tokenUrl) {
      throw invalidField(
        'credentials.clientSecret',
        `must be given again: its service is at ${terms.tokenUrl} now`,
      )
    }
    const secret =
      client.secret === null ? null : await vault.sealClientSecret(scope, connectionId, client.secret)
    const earlier = stored !== null && isOpen ? giverOf(stored.earlier ?? stored) : undefined
    const told = { terms, client: { id: client.id, secret }, wanted }
    return { kind: 'oauth', terms, oauth: encodeJson(withoutUndefined({ ...told, earlier })) }
  }
}

const giverOf = ({ terms, client }: OAuthGiver): OAuthGiver => ({ terms, client })

/** Describes this server, for services that read the description at this server's address. */
export const clientMetadata = (publicUrl: string, redirectUri: string) => ({
  client_id: `${publicUrl}${clientMetadataPath}`,
  client_name: 'Atrium',
  client_uri: publicUrl,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
})

function refusalOf(error: unknown, { message }: { message: string }, { blamedField }: Connector): unknown {
  if (error instanceof ServiceError && error.code === 'address_forbidden') {
    const field = blamedField === undefined ? 'config' : `config.${blamedField}`
    return invalidField(field, `leads to a service that must not be reached: ${error.message}`)
  }
  if (error instanceof ServiceError) return error
  if (error instanceof HttpFailure && error.kind === 'unavailable') {
    return new ServiceError('integration_unreachable', error.message, { headers: { 'retry-after': '30' } })
  }
  const why = error instanceof HttpFailure ? error.message : 'it did not answer in time'
  return new ServiceError(
    'credentials_rejected',
    `${message}. A person cannot authorize it by OAuth either: ${why}. Send a key in credentials`,
    { cause: error },
  )
}
