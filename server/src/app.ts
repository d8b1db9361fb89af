/** The wiring: routes from services, the HTTP server from routes, and the work beside requests. */
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { signInRoutes } from './features/identity/routes.ts'
import { consentRoutes } from './features/oauth/routes.ts'
import { personRoutes } from './features/persons/routes.ts'
import { createPersonService } from './features/persons/service.ts'
import { createInvitationPages } from './features/workspaces/invitations/invitations-page.ts'
import { createFeatures, type Features, type Services } from './features.ts'
import { serverSchedules, workerSchedules } from './housekeeping.ts'
import { createGate } from './http/gate.ts'
import { listenForProbes, type Probe, registerHealth } from './http/health.ts'
import { createIdempotency, type Idempotency, type ReachesRecord } from './http/idempotency/idempotency.ts'
import { registerMcp } from './http/mcp-endpoint.ts'
import type { InOtherEnvironment } from './http/missing/missing-records.ts'
import { openApiRoute } from './http/openapi.ts'
import { registerBrowserRoutes } from './http/pages/browser-route.ts'
import { registerConsole } from './http/pages/console-files.ts'
import { registerOAuth } from './http/pages/oauth.ts'
import { guardOrigin } from './http/pages/origin.ts'
import { registerPages } from './http/pages/pages.ts'
import { registerWidget } from './http/pages/widget.ts'
import { registerReference } from './http/reference/reference.ts'
import type { Route } from './http/route.ts'
import { createHttpServer } from './http/serve.ts'
import { isNarrowed } from './platform/caller.ts'
import { waitFor } from './platform/clock.ts'
import { ServiceError } from './platform/errors.ts'
import { idPrefixes } from './platform/ids.ts'
import { startSchedules } from './platform/schedules/schedules.ts'
import type { Dependencies } from './start/dependencies.ts'
import { furnishWorkspace } from './start/furnish.ts'

export type App = {
  features: Features
  services: Services
  routes: Route[]
  server: FastifyInstance
  /** Also answers probes, and nothing else, at another address; resolves to that address. */
  listenForProbes(address: { host: string; port: number }): Promise<string>
  idempotency: Idempotency
  /** Starts the role's work beside requests: removing expired records, and working on jobs. */
  startWork(): void
  /** Reports by `/readyz` that no more requests should come, and claims no more jobs; still answers requests. */
  retire(): void
  /** Waits a while for requests and jobs in progress, puts unfinished jobs back, and ends. */
  close(): Promise<void>
}

/** The console that `npm ci` builds. */
const consoleFolder = resolve(import.meta.dirname, '../../console/dist')
const widgetFolder = resolve(import.meta.dirname, '../../widget/dist')

export function createApp(dependencies: Dependencies): App {
  const { settings, counters, clock } = dependencies
  const { drainMs } = settings
  const features = createFeatures(dependencies)
  const { services } = features
  const { authenticator, limits, limiter, worker } = services
  const routes = [...features.routes, openApiRoute(features.routes)]
  const idempotency = createIdempotency({ ...dependencies, reachesRecord: createReachesRecord(services) })
  const gate = createGate({
    authenticator,
    limiter,
    clock,
    meter: services.requestMeter,
    publicUrl: dependencies.publicUrl,
  })
  const server = createHttpServer(routes, {
    ...dependencies,
    ...settings,
    gate,
    idempotency,
    inOtherEnvironment: createInOtherEnvironment(services.callers),
    uploadLimitBytes: caller => limits.of(caller).uploadBytes,
  })
  let isRetired = false
  const retire = (): void => {
    isRetired = true
    worker.stop()
  }
  const probes: Record<string, Probe> = {
    database: async () => {
      await dependencies.database.ping()
      return null
    },
    files: async () => {
      await dependencies.blobs.ping()
      return null
    },
    limits: async () => counters.trouble(),
    node: async () => {
      const trouble = dependencies.node?.trouble() ?? null
      if (trouble !== null) throw new Error(trouble)
      return null
    },
    server: async () => {
      if (isRetired) throw new Error('The server is ending')
      return null
    },
  }
  registerHealth(server, probes)
  registerReference(server, settings)
  registerConsole(server, dependencies.consoleFolder ?? consoleFolder)
  registerWidget(server, widgetFolder, services.agents.frameOf)
  guardOrigin(server, dependencies.publicUrl)
  registerMcp(server, services.answerMcp, { ...dependencies, gate, corsOrigins: settings.corsOrigins })
  const persons = createPersonService({
    ...dependencies,
    ...services,
    newWorkspacePlan: settings.newWorkspacePlan,
    maxOwned: settings.ownedWorkspaces,
    furnish: owner => furnishWorkspace(services, dependencies, owner),
  })
  const browserRoutes = [
    ...signInRoutes(services),
    ...personRoutes({ ...services, persons }),
    ...consentRoutes(services),
  ]
  registerBrowserRoutes(server, browserRoutes, { gate, findSession: services.sessions.find })
  registerOAuth(server, { gate, oauth: services.oauth })
  registerPages(server, {
    gate,
    invitations: createInvitationPages({ ...services, clock }),
    integrations: services.integrations,
  })
  let probeServer: Awaited<ReturnType<typeof listenForProbes>> | null = null
  let stopSchedules = async (): Promise<void> => undefined
  return {
    features,
    services,
    routes,
    server,
    idempotency,
    async listenForProbes(address) {
      probeServer = await listenForProbes(probes, address)
      return probeServer.address
    },
    startWork() {
      const schedules = serverSchedules(dependencies, services)
      if (settings.role !== 'api') {
        worker.start()
        void reanalyse(dependencies, services)
        schedules.push(...workerSchedules(features, idempotency))
      }
      const { database, node, log } = dependencies
      stopSchedules = startSchedules(schedules, { database, nodeId: node?.id ?? null, clock, log })
    },
    retire,
    async close() {
      retire()
      const closed = server.close()
      await Promise.all([
        waitFor(closed, { waitMs: drainMs }),
        worker.drain(drainMs),
        waitFor(stopSchedules(), { waitMs: drainMs }),
      ])
      // Requests that are still in progress are cut off; their uncommitted changes are lost.
      server.server.closeAllConnections()
      await closed
      await features.close()
      idempotency.close()
      await authenticator.close()
      // Last: until then the process lives, and reports that it accepts no more requests.
      await probeServer?.close()
    },
  }
}

/** Queues documents for indexing that an earlier version of the server has analysed differently. */
async function reanalyse({ log }: Dependencies, services: Services): Promise<void> {
  try {
    const documents = await services.reanalyseDocuments()
    if (documents > 0) log.info('The search index is brought up to date in the background', { documents })
  } catch (error) {
    log.warn('The search index could not be brought up to date; it is tried again at the next start', {
      error,
    })
  }
}

/**
 * Whether a caller reaches a record. The record of a kept reply may have been put into the trash or withheld since.
 */
function createReachesRecord(services: Services): ReachesRecord {
  const { agents, collections, documents, integrations, runs } = services
  const now = { waitMs: 0, signal: new AbortController().signal }
  const readers: Readonly<Record<string, ReadRecord>> = {
    [idPrefixes.agent]: agents.get,
    [idPrefixes.collection]: collections.get,
    [idPrefixes.connection]: integrations.get,
    [idPrefixes.document]: (caller, id) => documents.get(caller, id, now),
    [idPrefixes.run]: (caller, id) => runs.get(caller, id, now),
  }
  return async (caller, id) => {
    const read = readers[id.slice(0, id.indexOf('_'))]
    // Other kinds of records only vanish by deletion, and a deletion drops the kept reply.
    if (read === undefined) return true
    return read(caller, id).then(
      () => true,
      error => {
        if (error instanceof ServiceError && error.code === 'not_found') return false
        throw error
      },
    )
  }
}

/**
 * A member who lacks access to some records in either environment reaches a part of the workspace only, as does a
 * narrowed key and a page.
 */
const createInOtherEnvironment =
  ({ applyAccess }: Services['callers']): InOtherEnvironment =>
  async caller => {
    const { scope } = caller
    if (isNarrowed(scope) || scope.withheld !== undefined || scope.endUser !== undefined) return null
    const environment = scope.environment === 'live' ? 'test' : 'live'
    const other = await applyAccess({ ...caller, scope: { ...scope, environment } })
    return other.scope.withheld === undefined ? other : null
  }

type ReadRecord = (...asked: Parameters<ReachesRecord>) => Promise<unknown>
