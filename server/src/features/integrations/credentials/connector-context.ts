/** What a connector is given for its work: its config, and the guarded way to its service with the credentials of one connection. */

import {
  type Config,
  type Connector,
  type Context,
  createHttp,
  type HttpTransport,
  type Turns,
} from '@atrium/connectors'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Clock, Sleep } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { SafeFetch } from '../../../platform/fetch/safe-fetch.ts'
import type { Log } from '../../../platform/log.ts'

export type ContextParts = { safeFetch: SafeFetch; clock: Clock; sleep: Sleep; log: Log }

export type ConnectorWork = {
  /** The workspace that it is done for. */
  owner: string
  connector: Connector
  config: Config
  signal: AbortSignal
  credentials: HttpTransport['credentials']
  /** How often each call may be made; the kit's usual number unless given. */
  maxAttempts?: number
  /** Shared with others that call the same hosts. */
  turns?: Turns
  /** Named in the log. */
  connectionId?: string
}

export function createContext(
  { safeFetch, clock, sleep, log }: ContextParts,
  { owner, connector, config, signal, credentials, maxAttempts, turns, connectionId }: ConnectorWork,
): Context {
  return {
    config,
    signal,
    http: createHttp(
      withoutUndefined({
        fetch: (url, request) => safeFetch(url, { ...request, owner }),
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

/** Whoever does not answer may do so later; an address that is forbidden, or a connection that was given up, stays so. */
const isFinal = (error: unknown): boolean =>
  error instanceof ServiceError && error.code !== 'integration_unreachable'
