/**
 * Runs a connector's functions with the credentials of a connection. It refreshes credentials when needed, and gives
 * up dead ones.
 */
import {
  authorizationHeaders,
  type Config,
  type Connector,
  type Context,
  createHttp,
  createTurns,
  HttpFailure,
  type HttpTransport,
  type Turns,
} from '@atrium/connectors'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { withDefaults } from '../records/config-check.ts'
import { type ConnectionRow, integrationRemoved, statusOf } from '../records/store.ts'
import type { GiveUp, Keeper, OpenedConnection } from './keeper.ts'

export type ConnectorHost = {
  /**
   * Lets `work` use an active connection. Credentials are renewed on the way, once for each call that is refused. If
   * the service refuses even the connector's test call, the connection becomes `needs_reauth` before the
   * `HttpFailure` `not_authorized` is thrown. If it refuses only this work, the failure is `forbidden`. Throws
   * `not_found`, `connection_not_active`, `integration_not_configured`, and what `work` throws. Throws the signal's
   * reason once the signal is aborted.
   */
  use<T>(
    scope: Scope,
    connectionId: string,
    signal: AbortSignal,
    work: (connector: Connector, context: Context, connection: ConnectionRow) => Promise<T>,
    /** Headers that are added to each request, with names in lower case. */
    headers?: Record<string, string>,
  ): Promise<T>
  /** Like `use`, for a test call: in any status, each call is made once, and only dead grants are given up. */
  open(connector: Connector, scope: Scope, row: ConnectionRow, signal: AbortSignal): Opened
}

type Opened = {
  context: Context
  /** The credentials that were used last, as they are stored. */
  used(): string | null
}

export function createConnectorHost(
  dependencies: ContextParts & {
    clock: Clock
    keeper: Keeper
    connectorOf: (integrationId: string) => Connector | null
    giveUp: GiveUp
  },
): ConnectorHost {
  const { clock, sleep, keeper, connectorOf, giveUp } = dependencies
  // Connections to one host take turns together.
  const turns = createTurns({ now: clock, sleep })

  const open = (
    connector: Connector,
    scope: Scope,
    row: ConnectionRow,
    options: Pick<ConnectorWork, 'signal' | 'maxAttempts' | 'headers'>,
  ): Opened => {
    const config = withDefaults(connector, decodeJson(row.config))
    const givenOut = new WeakMap<object, OpenedConnection>()
    let used = row.credentials
    const credentials = async (refused: Record<string, string> | null) => {
      const before = refused === null ? null : (givenOut.get(refused) ?? null)
      // Only credentials from OAuth can be renewed. A key that is refused stays refused.
      if (before !== null && before.credentials?.kind !== 'oauth2') return null
      const held = await keeper.hold(scope, row.id, before?.row.credentials)
      const headers = authorizationHeaders(connector.auth, config, held.credentials)
      used = held.row.credentials
      givenOut.set(headers, held)
      return headers
    }
    const owner = scope.workspaceId
    const work = { ...options, owner, connector, config, credentials, turns, connectionId: row.id }
    const context = createContext(dependencies, work)
    return { context, used: () => used }
  }

  /** A service may refuse one call of many. The connection ends only if its test call is refused too. */
  const meaningOf = async (
    refusal: HttpFailure,
    connector: Connector,
    scope: Scope,
    row: ConnectionRow,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const { context, used } = open(connector, scope, row, { signal, maxAttempts: 1 })
    try {
      await connector.check(context)
    } catch (error) {
      signal.throwIfAborted()
      if (isPassing(error) || isEnd(error)) return error
      if (error instanceof HttpFailure && error.kind === 'not_authorized') {
        const credentials = used()
        if (credentials !== null) await giveUp(scope, row.id, credentials, 'credentials_rejected')
        return refusal
      }
    }
    const { status, body } = refusal
    const message = `${refusal.message} for this call, though they have not ended`
    return new HttpFailure(
      'forbidden',
      message,
      withoutUndefined({
        body,
        cause: refusal,
        status: status ?? undefined,
      }),
    )
  }

  return {
    async use(scope, connectionId, signal, work, headers = {}) {
      // In the sandbox nothing outside is called.
      if (scope.environment === 'test') {
        throw new ServiceError('sandbox_forbidden', undefined, {
          details: { environment: 'test', needed: 'live' },
        })
      }
      const row = await keeper.read(scope, connectionId)
      const connector = connectorOf(row.integration_id)
      if (connector === null) throw integrationRemoved(row.integration_id)
      if (row.status !== 'active') {
        const status = statusOf(row, clock())
        const details = { connectionId, status }
        throw new ServiceError('connection_not_active', `The connection is ${status}`, { details })
      }
      const { context } = open(connector, scope, row, { signal, headers })
      try {
        return await work(connector, context, row)
      } catch (error) {
        const isRefusal = error instanceof HttpFailure && error.kind === 'not_authorized'
        const meant = isRefusal ? await meaningOf(error, connector, scope, row, signal) : error
        throw isEnd(meant) ? new HttpFailure('not_authorized', meant.message, { cause: meant }) : meant
      }
    },
    open: (connector, scope, row, signal) => open(connector, scope, row, { signal, maxAttempts: 1 }),
  }
}

/** Whether the keeper has given the connection up while the work was in progress. */
const isEnd = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'connection_not_active'

/** Whether the error says nothing about the credentials. */
const isPassing = (error: unknown): boolean =>
  error instanceof HttpFailure
    ? error.kind === 'unavailable' || error.kind === 'rate_limited'
    : error instanceof ServiceError && error.code === 'integration_unreachable'

export type ContextParts = Pick<Platform, 'safeFetch' | 'clock' | 'sleep' | 'log'>

type ConnectorWork = {
  /** The workspace that the work is done for. */
  owner: string
  connector: Connector
  config: Config
  signal: AbortSignal
  credentials: HttpTransport['credentials']
  /** How often each call may be tried; the kit's usual number unless given. */
  maxAttempts?: number
  /** Shared with others that call the same hosts. */
  turns?: Turns
  /** Named in the log. */
  connectionId?: string
  /** Added to each request. */
  headers?: Record<string, string>
}

export function createContext(
  { safeFetch, clock, sleep, log }: ContextParts,
  { owner, connector, config, signal, credentials, maxAttempts, turns, connectionId, headers }: ConnectorWork,
): Context {
  return {
    config,
    signal,
    http: createHttp(
      withoutUndefined({
        fetch: (url, request) =>
          safeFetch(url, { ...request, headers: { ...request.headers, ...headers }, owner }),
        isFinal,
        credentials,
        owner,
        origins: connector.origins(config),
        signal,
        sleep,
        random: Math.random,
        now: clock,
        maxAttempts,
        turns,
      }),
    ),
    now: clock,
    log: (message, details = {}) =>
      log.info(message, { integrationId: connector.id, connectionId, ...details }),
  }
}

/**
 * A service that does not answer may answer later. A forbidden address, or a connection that was given up, stays so.
 */
const isFinal = (error: unknown): boolean =>
  error instanceof ServiceError && error.code !== 'integration_unreachable'
