/**
 * The parts that commands share: the stores of the settings, their services, and callers that act for the operator.
 */
import { createFeatures, type Services } from '../features.ts'
import { type Caller, type Environment, permissions, type Role } from '../platform/caller.ts'
import { secondMs } from '../platform/clock.ts'
import type { Tx } from '../platform/database/database.ts'
import { openPostgres } from '../platform/database/postgres/postgres.ts'
import { addressOfServer, isDataFolderLocked, lockDataFolder } from '../platform/database/server-lock.ts'
import { ServiceError } from '../platform/errors.ts'
import type { Faults } from '../platform/faults.ts'
import { createLog } from '../platform/log.ts'
import { hasNodes, keepNodesOut, nodeExpiryMs } from '../platform/nodes.ts'
import type { Settings } from '../settings/settings.ts'
import { type Dependencies, openDependencies } from '../start/dependencies.ts'
import { OperatorError } from './errors.ts'

export type Session = Dependencies & { services: Services }

/** The workspace's columns that a command needs. */
export type KnownWorkspace = Awaited<ReturnType<Services['workspaces']['find']>>

export async function openSession(settings: Settings, faults: Faults): Promise<Session> {
  // Only servers count rates, so a Redis that is down stops no command.
  const dependencies = await openDependencies(
    { ...settings, redisUrl: null },
    {
      log: createLog({ level: 'warn' }),
      faults,
      publicUrl: () =>
        settings.publicUrl ?? addressOfRunning(settings) ?? `http://${settings.host}:${settings.port}`,
    },
  )
  const { services } = createFeatures(dependencies)
  return {
    ...dependencies,
    services,
    async close() {
      await services.worker.drain(0)
      await services.authenticator.close()
      await dependencies.close()
    },
  }
}

/** A running server may listen elsewhere than this command's settings say; null if none is known to run. */
function addressOfRunning({ databaseUrl, dataDir }: Settings): string | null {
  // Servers on PostgreSQL take no lock. Those that share a folder are reached under the same address.
  const mayRun = databaseUrl !== null || isDataFolderLocked(dataDir)
  return mayRun ? addressOfServer(dataDir) : null
}

/** Finds the workspace by id or slug; throws a one-line error if it does not exist. */
export async function findWorkspace({ services }: Session, idOrSlug: string): Promise<KnownWorkspace> {
  try {
    return await services.workspaces.find(idOrSlug)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw new OperatorError(`There is no workspace ${idOrSlug}; \`workspace list\` shows those there are`)
  }
}

/** The operator in a workspace, on behalf of a member if `acting` names one. */
export const operatorCaller = (
  { newId }: Pick<Session, 'newId'>,
  workspace: Pick<KnownWorkspace, 'id' | 'plan' | 'rate_limit'>,
  acting: { environment?: Environment; userId?: string; role?: Role } = {},
): Caller => ({
  kind: 'operator',
  userId: acting.userId ?? null,
  role: acting.role ?? 'owner',
  permissions: new Set(permissions),
  plan: workspace.plan,
  requestsPerMinute: workspace.rate_limit,
  requestId: newId('request'),
  address: null,
  scope: { workspaceId: workspace.id, environment: acting.environment ?? 'live' },
})

const timeouts = { acquireTimeoutMs: 10 * secondMs, transactionTimeoutMs: 30 * secondMs }

/**
 * Throws a one-line error if a server runs; returns a function that lets servers in again. The database knows this
 * process as `purpose`.
 */
export async function keepServersOut(settings: Settings, purpose: string): Promise<() => void> {
  const { databaseUrl: url } = settings
  if (url === null) {
    const lock = lockDataFolder(settings.dataDir)
    return () => lock.release()
  }
  // Opened without a schema update: a running server may be using the database.
  const database = openPostgres({ ...timeouts, url, maxConnections: 2, applicationName: purpose })
  try {
    if (await hasNodes(database.read)) throw serverIsThere()
  } finally {
    await database.close()
  }
  return () => undefined
}

/**
 * For a PostgreSQL transaction that replaces the canary; must be its first statement. A server that starts later
 * waits before it checks the secret, and then finds the new canary. Throws a one-line error if one has started
 * before.
 */
export async function keepStartsOut(tx: Tx): Promise<void> {
  if (await keepNodesOut(tx)) throw serverIsThere()
}

const serverIsThere = (): OperatorError =>
  new OperatorError(
    `A server works on the database: stop it first. One that was killed is forgotten after ${nodeExpiryMs / secondMs} s`,
  )
