/** The wiring: routes from services, the HTTP server from routes, and the work that goes on beside it. */
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createConsoleDoor } from './console-door.ts'
import type { Dependencies } from './dependencies.ts'
import { approvalRoutes } from './features/agents/approvals/approval-routes.ts'
import { conversationRoutes } from './features/agents/conversations/conversation-routes.ts'
import { agentRoutes } from './features/agents/definitions/agent-routes.ts'
import { revisionRoutes } from './features/agents/definitions/revision-routes.ts'
import { runEventRoutes } from './features/agents/events/run-event-routes.ts'
import { reviewRoutes } from './features/agents/review/review-routes.ts'
import { runRoutes } from './features/agents/runs/run-routes.ts'
import { toolRoutes } from './features/agents/tools/tool-routes.ts'
import { apiKeyRoutes } from './features/api-keys/routes.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { eventRoutes } from './features/events/routes.ts'
import { signInRoutes } from './features/identity/routes.ts'
import { oauthClientRoutes } from './features/integrations/clients-routes.ts'
import { integrationRoutes } from './features/integrations/routes.ts'
import { connectionSyncRoutes } from './features/integrations/syncs/routes.ts'
import { archiveRoutes } from './features/knowledge/archive/archive-routes.ts'
import { citationRoutes } from './features/knowledge/citations/citations-routes.ts'
import { collectionRoutes } from './features/knowledge/documents/collections-routes.ts'
import { documentRoutes } from './features/knowledge/documents/documents-routes.ts'
import { externalDocumentRoutes } from './features/knowledge/documents/external-routes.ts'
import { retryRoutes } from './features/knowledge/documents/retry-routes.ts'
import { trashRoutes } from './features/knowledge/documents/trash-routes.ts'
import { versionRoutes } from './features/knowledge/documents/versions-routes.ts'
import { searchRoutes } from './features/knowledge/search/search-routes.ts'
import { syncRoutes } from './features/knowledge/syncs/sync-routes.ts'
import { intakeRoutes } from './features/knowledge/uploads/intake-routes.ts'
import { resumableRoutes } from './features/knowledge/uploads/resumable-routes.ts'
import { createMemoryCounters } from './features/limits/counters.ts'
import { createLimiter } from './features/limits/limiter.ts'
import { usageRoutes } from './features/limits/routes.ts'
import { usedStorage } from './features/limits/storage-service.ts'
import { createUsageService, type UsageService } from './features/limits/usage.ts'
import { modelRoutes } from './features/models/routes.ts'
import { usageHistoryRoutes } from './features/usage/routes.ts'
import { webhookDeliveryRoutes } from './features/webhooks/deliveries-routes.ts'
import { webhookRoutes } from './features/webhooks/routes.ts'
import { createInvitationPages } from './features/workspaces/invitations-page.ts'
import { invitationRoutes } from './features/workspaces/invitations-routes.ts'
import { memberRoutes } from './features/workspaces/members-routes.ts'
import { ownMembershipRoutes } from './features/workspaces/own-membership-routes.ts'
import { workspaceRoutes } from './features/workspaces/routes.ts'
import { teamMemberRoutes } from './features/workspaces/team-members-routes.ts'
import { teamRoutes } from './features/workspaces/teams-routes.ts'
import { ownChores, sharedChores } from './housekeeping.ts'
import { registerBrowserRoutes } from './http/browser-route.ts'
import { registerConsoleDoor } from './http/console-door.ts'
import { registerConsole } from './http/console-files.ts'
import { registerDocsPage } from './http/docs-page.ts'
import { createGate } from './http/gate.ts'
import { listenForProbes, type Probe, registerHealth } from './http/health.ts'
import { createIdempotency, type Idempotency } from './http/idempotency.ts'
import { openApiRoute } from './http/openapi-route.ts'
import { guardOrigin } from './http/origin.ts'
import { registerPages } from './http/pages.ts'
import type { Route } from './http/route.ts'
import { createHttpServer } from './http/serve.ts'
import { startChores } from './platform/chores.ts'
import { waitFor } from './platform/patience.ts'
import { createReachesRecord } from './reaches-record.ts'
import { createServices, type Services } from './services.ts'

export type App = {
  services: Services
  routes: Route[]
  server: FastifyInstance
  /** Answers probes, and nothing else, at another address too; resolves to it. */
  listenForProbes(address: { host: string; port: number }): Promise<string>
  idempotency: Idempotency
  /** Begins what its role does beside requests: to clear away what has run out, and to work on jobs. */
  startWork(): void
  /** Says by `/readyz` that no more requests should come, and claims no more jobs; still answers those that come. */
  retire(): void
  /** Answers what has begun and lets jobs finish, both for a while, puts the rest back, and ends. */
  close(): Promise<void>
}

/** What `npm ci` builds of the console. */
const consoleFolder = resolve(import.meta.dirname, '../../console/dist')

export function createApp(dependencies: Dependencies): App {
  const { settings, counters, clock } = dependencies
  const { drainMs } = settings
  const services = createServices(dependencies)
  const { authenticator, limits, worker } = services
  const reachesRecord = createReachesRecord(services)
  const idempotency = createIdempotency({ ...dependencies, reachesRecord })
  const limiter = createLimiter({
    ...counters,
    visits: createMemoryCounters().counters,
    visitsPerMinute: settings.visitorRate,
    limits,
    clock,
    anonymousPerMinute: settings.anonymousRate,
    personPerMinute: settings.personRate,
  })
  const usage = createUsageService({
    limits,
    limiter,
    sources: {
      storageBytes: scope => usedStorage(scope, dependencies.database.read),
      members: services.members.count,
      runsAtOnce: services.runs.underWay,
      month: services.budgets.month,
    },
  })
  const routes = createRoutes(services, usage, dependencies)
  const gate = createGate({ authenticator, limiter, clock, meter: services.requestMeter })
  const server = createHttpServer(routes, {
    ...dependencies,
    ...settings,
    gate,
    idempotency,
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
  registerDocsPage(server, routes)
  registerConsole(server, dependencies.consoleFolder ?? consoleFolder)
  guardOrigin(server, dependencies.publicUrl)
  registerBrowserRoutes(server, signInRoutes(services), { gate })
  registerConsoleDoor(server, {
    gate,
    door: createConsoleDoor(services, dependencies),
  })
  registerPages(server, {
    gate,
    invitations: createInvitationPages({ ...services, clock }),
    integrations: services.integrations,
  })
  let probeServer: Awaited<ReturnType<typeof listenForProbes>> | null = null
  let stopChores = async (): Promise<void> => undefined
  return {
    services,
    routes,
    server,
    idempotency,
    async listenForProbes(address) {
      probeServer = await listenForProbes(probes, address)
      return probeServer.address
    },
    startWork() {
      const chores = ownChores(dependencies)
      if (settings.role !== 'api') {
        worker.start()
        void reanalyse(dependencies, services)
        chores.push(...sharedChores(dependencies, services, idempotency))
      }
      stopChores = startChores(chores, dependencies.log)
    },
    retire,
    async close() {
      retire()
      const closed = server.close()
      await Promise.all([
        waitFor(closed, { waitMs: drainMs }),
        worker.drain(drainMs),
        waitFor(stopChores(), { waitMs: drainMs }),
      ])
      // Requests that are under way even now are cut off; what they have not committed is not done.
      server.server.closeAllConnections()
      await closed
      await services.requestMeter.close()
      await services.close()
      idempotency.close()
      await authenticator.close()
      // Last: until then the process lives, and says that it takes no more.
      await probeServer?.close()
    },
  }
}

/** Has documents indexed again that an earlier version of the server has analysed in its own way. */
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

/** Every route of the API, in the order of the reference. */
function createRoutes(services: Services, usage: UsageService, { clock }: Dependencies): Route[] {
  const routes = [
    ...toolRoutes(services.tools),
    ...agentRoutes(services.agents),
    ...revisionRoutes(services.revisions, services.agents),
    ...runRoutes(services.runs),
    ...approvalRoutes(services.approvals),
    ...conversationRoutes(services.conversations),
    ...runEventRoutes(services.runs),
    ...reviewRoutes(services.review, services.runs),
    ...modelRoutes(services.models, services.modelProviders),
    ...collectionRoutes(services.collections, services.trash),
    ...documentRoutes(services.documents, services.trash),
    ...externalDocumentRoutes(services.documents, services.trash),
    ...searchRoutes(services.knowledge),
    ...citationRoutes(services.citations),
    ...versionRoutes(services.versions, services.documents),
    ...retryRoutes(services.retries, services.documents),
    ...trashRoutes(services.trash, services.documents, services.collections),
    ...intakeRoutes(services),
    ...resumableRoutes(services.resumableUploads),
    ...syncRoutes(services.syncs),
    ...archiveRoutes(services.archives),
    ...eventRoutes(services.events),
    ...webhookRoutes(services.webhooks),
    ...webhookDeliveryRoutes(services.webhookDeliveries),
    ...integrationRoutes(services.integrations, clock),
    ...oauthClientRoutes(services.integrations.clients),
    ...connectionSyncRoutes(services.connectionSyncs, services.updateConnection, clock),
    ...workspaceRoutes(services),
    ...ownMembershipRoutes(services.ownMembership),
    ...memberRoutes(services),
    ...invitationRoutes({ ...services, clock }),
    ...teamRoutes(services.teams),
    ...teamMemberRoutes(services.teamMembers),
    ...apiKeyRoutes(services.apiKeys, clock),
    ...usageRoutes(usage),
    ...usageHistoryRoutes(services.usageHistory),
    ...auditRoutes(services.audit),
  ]
  return [...routes, openApiRoute(routes)]
}
