/**
 * Keeps credentials usable. One process at a time refreshes them before they expire; they are given up only once they
 * are dead.
 */
import type { OAuth as OAuthTerms } from '@atrium/connectors'
import { createBoundedMap } from '../../../platform/caches/caches.ts'
import { type Scope, systemCaller } from '../../../platform/caller.ts'
import { hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import { found, ServiceError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createRounds } from '../../../platform/schedules/rounds.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { recordConnectionEvent } from '../records/connection-outbox.ts'
import {
  type ConnectionRow,
  changeConnection,
  endRefreshLease,
  findConnection,
  listSoonExpiring,
  replaceCredentials,
  takeRefreshLease,
} from '../records/store.ts'
import type { Credentials, GivenTo, Vault } from '../records/vault.ts'
import type { OAuthClients, TermsOf } from './clients-service.ts'
import type { OAuth } from './oauth.ts'
import type { OAuthClient, Tokens } from './oauth-result.ts'

/**
 * A connection with its credentials opened. `row.credentials` is what to pass to `hold` if the service rejects them.
 */
export type OpenedConnection = { row: ConnectionRow; credentials: Credentials | null }

export type Keeper = ReturnType<typeof createKeeper>

// Longer than a token call can take (15 s), so a lease runs out only where its holder died or was suspended.
const leaseMs = 30 * secondMs
const longestWaitMs = 35 * secondMs
const waitStepMs = 100
const refreshAheadMs = 5 * minuteMs
const firstWritePauseMs = 100
/** All pauses together are shorter than what the lease leaves after a token call. */
const longestWritePauseMs = 6_400
const maxUnwritten = 1_000
const neverAborted = new AbortController().signal

type KeeperDependencies = Pick<Platform, 'database' | 'clock' | 'sleep' | 'log'> & {
  vault: Vault
  oauth: OAuth
  termsOf: TermsOf
  clients: OAuthClients
  giveUp: GiveUp
}

export function createKeeper(dependencies: KeeperDependencies) {
  const { database, clock, sleep, vault, oauth, log, termsOf, giveUp } = dependencies
  const refreshing = new Map<string, Promise<ConnectionRow>>()
  // Fresh credentials, by the credentials that they replace. A rotated token exists nowhere else, and the old token
  // is dead.
  const unwritten = createBoundedMap<Fresh>(maxUnwritten)

  const read = async (scope: Scope, id: string): Promise<ConnectionRow> => {
    const row = found(await findConnection(scope, database.read, id))
    return row
  }

  /** One refresh for all callers in this process. */
  const refreshOnce = (scope: Scope, row: ConnectionRow, stale: string): Promise<ConnectionRow> => {
    const name = `${row.id}|${stale}`
    const running = refreshing.get(name)
    if (running !== undefined) return running
    const started = refreshInTurn(scope, row, stale).finally(() => refreshing.delete(name))
    refreshing.set(name, started)
    return started
  }

  /** One refresh for all processes. A process that does not get the lease waits until the credentials change. */
  const refreshInTurn = async (scope: Scope, row: ConnectionRow, stale: string): Promise<ConnectionRow> => {
    for (let waitedMs = 0; waitedMs <= longestWaitMs; waitedMs += waitStepMs) {
      const nowMs = clock()
      const lease = { nowMs, untilMs: nowMs + leaseMs }
      if (await database.write(tx => takeRefreshLease(scope, tx, row.id, stale, lease))) {
        return await refreshUnderLease(scope, row, stale)
      }
      const present = await read(scope, row.id)
      if (present.credentials !== stale) return present
      await sleep(waitStepMs, neverAborted)
    }
    throw new ServiceError('integration_unreachable', 'The credentials are being refreshed for too long')
  }

  const refreshUnderLease = async (
    scope: Scope,
    row: ConnectionRow,
    stale: string,
  ): Promise<ConnectionRow> => {
    try {
      return await refresh(scope, row, stale)
    } catch (error) {
      // Other processes would ask with a dead token, so the lease is left to end by itself.
      if (unwritten.get(stale) !== undefined) throw error
      await database
        .write(tx => endRefreshLease(scope, tx, row.id, stale))
        .catch(failure => {
          log.warn('The lease of a refresh could not be ended', { connectionId: row.id, error: failure })
        })
      throw error
    }
  }

  const refresh = async (scope: Scope, row: ConnectionRow, stale: string): Promise<ConnectionRow> => {
    const known = unwritten.get(stale)
    if (known !== undefined) return await keep(scope, row.id, stale, known)
    const credentials = await vault.open(scope, row.id, stale)
    if (credentials.kind !== 'oauth2' || credentials.refreshToken === null) {
      return await surrender(scope, row.id, stale, 'token_expired')
    }
    const { terms, client } = await requireClient(dependencies, scope, row, credentials)
    const result = await oauth.refresh(scope, terms, client, credentials.refreshToken)
    if (result.ok) {
      const { tokens } = result
      const expiresAt = expiryOf(tokens.expiresInSeconds, clock())
      return await keep(scope, row.id, stale, { credentials: renewed(credentials, tokens), expiresAt })
    }
    if (result.kind === 'dead') return await surrender(scope, row.id, stale, result.code)
    log.warn('A token could not be refreshed', { connectionId: row.id, code: result.code })
    throw new ServiceError('integration_unreachable', result.message)
  }

  /**
   * If the database is away, tries again for as long as the lease lasts. The next caller then goes on with the fresh
   * credentials.
   */
  const keep = async (scope: Scope, id: string, stale: string, fresh: Fresh): Promise<ConnectionRow> => {
    unwritten.set(stale, fresh)
    const kept = await untilWritten(dependencies, id, async () => {
      const credentials = await vault.seal(scope, id, fresh.credentials)
      const change = { credentials, credentials_expire_at: fresh.expiresAt }
      return database.write(tx => replaceCredentials(scope, tx, id, stale, change))
    })
    unwritten.delete(stale)
    // If the stored credentials are not the stale ones any more, newer ones were given meanwhile, or the connection
    // is gone.
    return kept ?? (await read(scope, id))
  }

  /** Gives the dead grant up. If newer credentials were given meanwhile, these are used. */
  const surrender = async (scope: Scope, id: string, stale: string, code: string): Promise<ConnectionRow> => {
    if (await giveUp(scope, id, stale, code)) throw needsReauth(id)
    return await read(scope, id)
  }

  return {
    /** Throws `not_found`. */
    read,
    /**
     * The credentials to call the service with. They are refreshed if they expire within five minutes, or if they are
     * still the ones that the service has just `rejected`. Throws `connection_not_active` if only the person can
     * help, `integration_unreachable` if the service cannot be asked now, `integration_not_configured` without a
     * client.
     */
    async hold(scope: Scope, id: string, rejected?: string | null): Promise<OpenedConnection> {
      let row = await read(scope, id)
      const { credentials } = row
      if (credentials !== null && termsOf(row) !== null) {
        if (row.credentials === rejected) row = await refreshOnce(scope, row, credentials)
        else if (await isDue(dependencies, scope, row, credentials))
          row = await refreshAhead(scope, row, credentials)
      }
      if (row.credentials === null) return { row, credentials: null }
      return { row, credentials: await vault.open(scope, id, row.credentials) }
    },
  }

  /** If the service cannot be asked for a new token, a token that still works for a while is good enough. */
  async function refreshAhead(scope: Scope, row: ConnectionRow, stale: string): Promise<ConnectionRow> {
    try {
      return await refreshOnce(scope, row, stale)
    } catch (error) {
      const isPassing = error instanceof ServiceError && error.code === 'integration_unreachable'
      if (isPassing && (row.credentials_expire_at ?? 0) > clock()) return row
      throw error
    }
  }
}

/** A token that cannot be renewed is used until its last moment. */
async function isDue(
  { clock, vault }: Pick<KeeperDependencies, 'clock' | 'vault'>,
  scope: Scope,
  row: ConnectionRow,
  sealed: string,
): Promise<boolean> {
  if (!expiresSoon(row, clock())) return false
  if ((row.credentials_expire_at ?? 0) <= clock()) return true
  const credentials = await vault.open(scope, row.id, sealed)
  return credentials.kind === 'oauth2' && credentials.refreshToken !== null
}

async function untilWritten<T>(
  { sleep, log }: Pick<KeeperDependencies, 'sleep' | 'log'>,
  connectionId: string,
  write: () => Promise<T>,
): Promise<T> {
  for (let pauseMs = firstWritePauseMs; ; pauseMs *= 2) {
    try {
      return await write()
    } catch (error) {
      if (pauseMs > longestWritePauseMs) throw error
      log.warn('Refreshed credentials could not be written', { connectionId, error })
      await sleep(pauseMs, neverAborted)
    }
  }
}

/** When an access token stops working; null if the service does not say. */
export const expiryOf = (expiresInSeconds: number | null, nowMs: number): number | null =>
  expiresInSeconds === null ? null : nowMs + Math.floor(expiresInSeconds) * secondMs

const needsReauth = (connectionId: string): ServiceError =>
  new ServiceError(
    'connection_not_active',
    'The service does not accept this connection any more: connect again',
    { details: { connectionId, status: 'needs_reauth' } },
  )

async function requireClient(
  { clients, termsOf }: { clients: OAuthClients; termsOf: TermsOf },
  scope: Scope,
  row: ConnectionRow,
  givenTo: GivenTo,
): Promise<{ terms: OAuthTerms; client: OAuthClient }> {
  const terms = termsOf(row, givenTo)
  const client = await clients.of(scope, row, givenTo)
  if (terms === null || client === null) throw clientGone(row.integration_id)
  return { terms, client }
}

const clientGone = (integrationId: string): ServiceError =>
  new ServiceError(
    'integration_not_configured',
    'The OAuth client that this connection was made with is not set any more: set it again, or reconnect',
    { details: { integrationId } },
  )

type Fresh = { credentials: Credentials; expiresAt: number | null }

/** A service that does not rotate refresh tokens sends no new one, so the old one stays. */
const renewed = (before: GivenTo & { refreshToken: string | null }, tokens: Tokens): Credentials => ({
  kind: 'oauth2',
  accessToken: tokens.accessToken,
  refreshToken: tokens.refreshToken ?? before.refreshToken,
  clientId: before.clientId,
  tokenUrl: before.tokenUrl,
})

const expiresSoon = (row: ConnectionRow, nowMs: number): boolean =>
  row.credentials_expire_at !== null && row.credentials_expire_at - nowMs <= refreshAheadMs

/**
 * Marks a connection that only its owner can repair, while its credentials are still the given ones. Returns false if
 * they are not.
 */
export type GiveUp = (scope: Scope, id: string, credentials: string, code: string) => Promise<boolean>

export function createGiveUp(
  dependencies: Pick<Platform, 'database' | 'clock' | 'newId'> & {
    audit: AuditService
    outbox: Outbox
  },
): GiveUp {
  const { database, clock, newId, audit, outbox } = dependencies
  return (scope, id, credentials, code) =>
    database.write(async tx => {
      const message = 'The service does not accept the stored credentials any more'
      const row = await changeConnection(
        scope,
        tx,
        id,
        { credentials },
        {
          status: 'needs_reauth',
          last_error: encodeJson({ code, message, at: clock() }),
          refresh_lease_until: null,
          updated_at: clock(),
        },
      )
      if (row === undefined) return false
      const caller = systemCaller(scope, newId('request'), row.created_by)
      await recordConnectionEvent(tx, outbox, caller, row, {
        status: 'needs_reauth',
        errorCode: code,
        at: clock(),
      })
      await audit.record(tx, caller, {
        action: 'integration.give_up',
        resourceId: id,
        details: { integrationId: row.integration_id, code },
      })
      return true
    })
}

/** Returns how many connections were looked at. */
export type RefreshSweep = () => Promise<number>

/** How long before their expiry credentials are refreshed; the same as in the keeper. */
const aheadMs = 5 * minuteMs
/** Credentials that have been overdue for longer are left to their next use. */
const overdueMs = hourMs
const refreshesAtOnce = 4

export function createRefreshSweep(
  dependencies: Pick<Platform, 'database' | 'clock' | 'log'> & {
    keeper: Keeper
  },
): RefreshSweep {
  const { database, clock, keeper, log } = dependencies
  const round = createRounds({
    list: range => {
      const nowMs = clock()
      return listSoonExpiring(database.read, { fromMs: nowMs - overdueMs, toMs: nowMs + aheadMs }, range)
    },
    work: async ({ id, workspace_id: workspaceId, environment }) => {
      await keeper.hold({ workspaceId, environment }, id).catch((error: unknown) => {
        // The connection is given up, gone, or out of reach. The keeper has already recorded what is needed.
        if (!(error instanceof ServiceError)) throw error
        log.debug('Credentials were not refreshed ahead', { connectionId: id, code: error.code })
      })
      return id
    },
    log,
    failure: 'Credentials of a connection could not be refreshed ahead',
    rowsAtOnce: 200,
    concurrency: refreshesAtOnce,
  })
  return async () => (await round()).length
}

/** Best effort: even if the service refuses, the connection is gone or opened in another way. */
export type RevokeGrant = (scope: Scope, row: ConnectionRow) => Promise<void>

export function createRevokeGrant(dependencies: {
  log: Log
  vault: Vault
  oauth: OAuth
  clients: OAuthClients
  termsOf: TermsOf
}): RevokeGrant {
  const { log, vault, oauth, clients, termsOf } = dependencies
  return async (scope, row) => {
    if (row.credentials === null) return
    try {
      const credentials = await vault.open(scope, row.id, row.credentials)
      if (credentials.kind !== 'oauth2') return
      const terms = termsOf(row, credentials)
      const client = await clients.of(scope, row, credentials)
      if (terms !== null && client !== null) await oauth.revoke(scope, terms, client, credentials)
    } catch (error) {
      log.warn('The grant of a connection could not be revoked', { connectionId: row.id, error })
    }
  }
}
