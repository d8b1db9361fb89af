/** Every feature, each after the features that it builds on: for the server and for the operator's commands. */

import { agentsNamingCollection } from './features/agents/definitions/agent-store.ts'
import { type AgentsServices, createAgentsFeature } from './features/agents/feature.ts'
import { createAuthorOfRun } from './features/agents/records/run-callers.ts'
import { presentRun, readRunTexts } from './features/agents/records/run-records.ts'
import { isCollectionNamed } from './features/agents/records/traces-store.ts'
import { createRunTraces } from './features/agents/traces/run-traces.ts'
import { type ApiKeysServices, createApiKeysFeature } from './features/api-keys/feature.ts'
import { type AuditServices, createAuditFeature } from './features/audit/feature.ts'
import { type Authenticator, createAuthenticator } from './features/authentication/authenticator-service.ts'
import { type Callers, createCallers } from './features/authentication/callers-service.ts'
import { createEventsFeature, type EventsServices } from './features/events/feature.ts'
import { createIdentityFeature, type IdentityServices } from './features/identity/feature.ts'
import { createIdentityService } from './features/identity/service.ts'
import { createIntegrationsFeature, type IntegrationsServices } from './features/integrations/feature.ts'
import { createKnowledgeFeature, type KnowledgeServices } from './features/knowledge/feature.ts'
import { createLimitsFeature, type LimitsServices } from './features/limits/feature.ts'
import { usedStorage } from './features/limits/service.ts'
import { createMcpFeature, type McpServices } from './features/mcp/feature.ts'
import { createModelsFeature, type ModelsServices } from './features/models/feature.ts'
import { createOAuthFeature, type OAuthServices } from './features/oauth/feature.ts'
import { createOpenAiFeature } from './features/openai/feature.ts'
import { createUsageFeature, type UsageServices } from './features/usage/feature.ts'
import { createFanOut } from './features/webhooks/deliveries/fan-out.ts'
import { createWebhooksFeature, type WebhooksServices } from './features/webhooks/feature.ts'
import { createWorkspacesFeature, type WorkspacesServices } from './features/workspaces/feature.ts'
import { createWorkspaceErasure } from './features/workspaces/life-service.ts'
import type { Feature } from './http/feature.ts'
import type { Route } from './http/route.ts'
import { createSeals } from './platform/crypto/seals.ts'
import { createJobs, type Jobs } from './platform/jobs/jobs.ts'
import { createWorker, type Worker } from './platform/jobs/worker.ts'
import type { Platform, Resources } from './platform/platform.ts'
import { eachHour, type Schedule } from './platform/schedules/schedules.ts'
import type { WorkspaceData } from './platform/workspace-data.ts'

export type Services = AuditServices &
  EventsServices &
  LimitsServices &
  WebhooksServices &
  WorkspacesServices &
  IdentityServices &
  ModelsServices &
  KnowledgeServices &
  IntegrationsServices &
  AgentsServices &
  McpServices &
  ApiKeysServices &
  OAuthServices &
  UsageServices & {
    authenticator: Authenticator
    callers: Callers
    jobs: Jobs
    worker: Worker
    sweepWorkspaces: (atMost?: number) => Promise<number>
  }

export type Features = {
  services: Services
  /** In the order of the reference page. */
  routes: Route[]
  schedules: readonly Schedule[]
  /** The data of every feature, in the order of an erasure. */
  workspaceData: readonly WorkspaceData[]
  /** Stops the work beside the services: parsing children, connections to model servers. */
  close(): Promise<void>
}

/** Also used by commands, which serve no routes and start no worker. */
export function createFeatures(resources: Resources): Features {
  const { log, faults, works } = resources
  const jobs = createJobs(resources)
  const worker = createWorker({ jobs, log, faults, works })
  const platform: Platform = { ...resources, jobs, seals: createSeals(resources), runNow: worker.runNow }
  const callers = createCallers(platform)
  const authenticator = createAuthenticator({ ...platform, callers })
  const made = buildFeatures(platform, { callers, onChange: authenticator.forget })
  const { audit, events, limits, webhooks, workspaces, identity, models } = made
  const { knowledge, integrations, agents, mcp, openAi, apiKeys, oauth, usage } = made
  const inReferenceOrder: Feature<object>[] = [
    agents,
    models,
    knowledge,
    events,
    webhooks,
    integrations,
    workspaces,
    apiKeys,
    usage,
    audit,
    identity,
    oauth,
    limits,
    openAi,
  ]
  // Rows that refer to other rows are erased first.
  const workspaceData = [
    openAi,
    agents,
    integrations,
    knowledge,
    webhooks,
    events,
    usage,
    models,
    apiKeys,
    workspaces,
    audit,
  ].flatMap(feature => feature.workspaceData ?? [])
  const erasure = createWorkspaceErasure({ ...platform, data: workspaceData })
  for (const { queues = {} } of [...inReferenceOrder, erasure]) worker.serve(queues)
  return {
    services: {
      ...audit.services,
      ...events.services,
      ...limits.services,
      ...webhooks.services,
      ...workspaces.services,
      ...identity.services,
      ...models.services,
      ...knowledge.services,
      ...integrations.services,
      ...agents.services,
      ...mcp.services,
      ...apiKeys.services,
      ...oauth.services,
      ...usage.services,
      authenticator,
      callers,
      jobs,
      worker,
      sweepWorkspaces: erasure.sweep,
    },
    workspaceData,
    schedules: [
      ...inReferenceOrder.flatMap(({ schedules = [] }) => schedules),
      eachHour('erase deleted workspaces', erasure.sweep),
    ],
    routes: inReferenceOrder.flatMap(({ routes = [], tag = '' }) => routes.map(route => ({ ...route, tag }))),
    async close() {
      for (const feature of inReferenceOrder) await feature.close?.()
    },
  }
}

/** Each feature gets what it needs from the features before it. */
function buildFeatures(
  platform: Platform,
  { callers, onChange }: { callers: Callers; onChange: () => void },
) {
  const { database } = platform
  const audit = createAuditFeature(platform)
  const told = { ...audit.services, onChange }
  const events = createEventsFeature(platform, {
    onRecorded: createFanOut(platform),
    readRunTexts,
  })
  const recorded = { ...told, ...events.services }
  const limits = createLimitsFeature(platform, recorded)
  const authorOfRun = createAuthorOfRun(callers.now)
  const webhooks = createWebhooksFeature(platform, { ...recorded, authorOfRun })
  const identityService = createIdentityService(platform)
  const workspaces = createWorkspacesFeature(platform, {
    ...recorded,
    ...webhooks.services,
    people: identityService,
    memberLimit: plan => limits.services.limits.of({ plan, requestsPerMinute: null }).members,
  })
  const identity = createIdentityFeature(platform, {
    ...told,
    ...workspaces.services,
    identity: identityService,
  })
  const models = createModelsFeature(platform, recorded)
  const knowledge = createKnowledgeFeature(platform, {
    ...recorded,
    ...limits.services,
    ...workspaces.services,
    ...models.services,
    eraseTraces: [createRunTraces({ ...platform, forgetReplies: audit.services.audit.forgetReplies })],
    remembersCollection: isCollectionNamed,
    namersOf: agentsNamingCollection,
  })
  const integrations = createIntegrationsFeature(platform, {
    ...recorded,
    ...limits.services,
    ...workspaces.services,
    ...knowledge.services,
    actingMember: callers.actingMember,
  })
  const missingCollections = knowledge.services.collections.missing
  const agents = createAgentsFeature(platform, {
    ...recorded,
    ...limits.services,
    ...workspaces.services,
    ...models.services,
    ...knowledge.services,
    ...integrations.services,
    tools: [...knowledge.services.knowledgeTools, ...integrations.services.connectionTools],
    callbacks: webhooks.services.callbacks,
    missingCollections,
    currentCaller: callers.now,
  })
  const mcp = createMcpFeature({ ...platform, ...knowledge.services, ...agents.services, presentRun })
  const openAi = createOpenAiFeature(platform, {
    ...recorded,
    ...limits.services,
    ...models.services,
    ...knowledge.services,
    ...agents.services,
  })
  const apiKeys = createApiKeysFeature(platform, {
    ...recorded,
    missingAgents: agents.services.agents.missing,
    missingCollections,
    readFilter: knowledge.services.readFilter,
    workspaces: workspaces.services.workspaces,
  })
  const oauth = createOAuthFeature(platform, { ...apiKeys.services, callers })
  const usage = createUsageFeature(platform, {
    ...limits.services,
    sources: {
      storageBytes: scope => usedStorage(scope, database.read),
      members: workspaces.services.members.count,
      runsAtOnce: agents.services.runs.underWay,
      month: agents.services.budgets.month,
    },
  })
  return {
    audit,
    events,
    limits,
    webhooks,
    workspaces,
    identity,
    models,
    knowledge,
    integrations,
    agents,
    mcp,
    openAi,
    apiKeys,
    oauth,
    usage,
  }
}
