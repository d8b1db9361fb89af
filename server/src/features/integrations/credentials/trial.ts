/** The call that shows whether a connection works, and what its outcome means. */
import {
  type Account,
  authorizationHeaders,
  type Config,
  type Connector,
  type Context,
  type Credentials,
  HttpFailure,
} from '@atrium/connectors'
import type { Scope } from '../../../platform/caller.ts'
import { invalidField, ServiceError } from '../../../platform/errors.ts'
import { type ContextParts, createContext } from './connector-host.ts'

/**
 * `rejected`: the service does not take the credentials. `unusable`: it answered, but not as expected.
 * `unreachable`: no answer, or "later". `forbidden`: the address is not one that this server may reach.
 */
export type TrialResult =
  | { kind: 'ok'; account: Account }
  | {
      kind: 'rejected' | 'unusable' | 'unreachable' | 'forbidden'
      code: string
      message: string
      /** The setting of the config that the connector blames. */
      field?: string | undefined
      /** The `WWW-Authenticate` of the service, which says how the service wants to be opened. */
      challenge?: string | undefined
    }

const maxAccountCharacters = 200
/** A person waits for the answer. */
export const trialTimeoutMs = 60_000

/** Calls the service with credentials that no connection has yet. */
export type TryCredentials = (
  scope: Scope,
  connector: Connector,
  config: Config,
  credentials: Credentials | null,
) => Promise<TrialResult>

export const createTryCredentials =
  (parts: ContextParts): TryCredentials =>
  (scope, connector, config, credentials) => {
    const headers = authorizationHeaders(connector.auth, config, credentials)
    return tryConnector(
      connector,
      createContext(parts, {
        owner: scope.workspaceId,
        connector,
        config,
        signal: AbortSignal.timeout(trialTimeoutMs),
        credentials: async refused => (refused === null ? headers : null),
        maxAttempts: 1,
      }),
    )
  }

/** Throws errors that say nothing about the service, such as that the connection is gone. */
export async function tryConnector(connector: Connector, context: Context): Promise<TrialResult> {
  try {
    return { kind: 'ok', account: shownAccount(await connector.check(context)) }
  } catch (error) {
    return failureOf(error, connector)
  }
}

/** The account of a successful call. Otherwise throws the error that says why nothing was stored. */
export function accountOf(result: TrialResult, connector: Connector): Account {
  switch (result.kind) {
    case 'ok':
      return result.account
    case 'rejected':
      throw new ServiceError('credentials_rejected', result.message)
    case 'unreachable':
      throw new ServiceError('integration_unreachable', result.message, { headers: { 'retry-after': '30' } })
    default: {
      const blamed = result.field ?? connector.blamedField
      throw invalidField(blamed === undefined ? 'config' : `config.${blamed}`, result.message)
    }
  }
}

function shownAccount({ id, name }: Account): Account {
  if (typeof id !== 'string' || typeof name !== 'string')
    throw new TypeError('An account is an id and a name')
  return { id: id.slice(0, maxAccountCharacters), name: (name || id).slice(0, maxAccountCharacters) }
}

function failureOf(error: unknown, connector: Connector): TrialResult {
  if (error instanceof HttpFailure) return refusalOf(error)
  if (error instanceof ServiceError) {
    if (error.code === 'address_forbidden')
      return { kind: 'forbidden', code: error.code, message: error.message }
    throw error
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    const message = `${connector.name} did not answer in time`
    return { kind: 'unreachable', code: 'integration_unreachable', message }
  }
  // A connector reads what the service documents, and throws if something else comes.
  const message = `${connector.name} answered the test call with something else than expected`
  return { kind: 'unusable', code: 'unexpected_reply', message }
}

function refusalOf({ kind, field, challenge, message: why }: HttpFailure): TrialResult {
  const message = `The test call failed: ${why}`
  switch (kind) {
    case 'not_authorized':
    case 'forbidden':
      return { kind: 'rejected', code: 'credentials_rejected', message, challenge: challenge ?? undefined }
    case 'rate_limited':
    case 'unavailable':
      return { kind: 'unreachable', code: 'integration_unreachable', message }
    default:
      return { kind: 'unusable', code: 'unexpected_reply', message, field: field ?? undefined }
  }
}
