/** Processes that work on runs, as many as a test wants, over one real database and one real model server. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type AgentService, createAgentService } from '../features/agents/definitions/agent-service.ts'
import { runQueueName } from '../features/agents/records/run-job.ts'
import { presentRun } from '../features/agents/records/run-records.ts'
import type { NewRun, Run } from '../features/agents/records/run-schemas.ts'
import { createRuns } from '../features/agents/runs/create-runs.ts'
import type { RunService } from '../features/agents/runs/run-service.ts'
import { callAgentTool } from '../features/agents/tools/call-agent.ts'
import { createHttpTool } from '../features/agents/tools/http-request.ts'
import { createAuditService } from '../features/audit/service.ts'
import { createOutbox } from '../features/events/outbox-service.ts'
import type { RemoteTools } from '../features/integrations/connections/remote-tools-service.ts'
import type { AttachmentsService } from '../features/knowledge/documents/attachments-service.ts'
import { createReadNarrowing } from '../features/knowledge/search/narrowing-service.ts'
import { createLimits } from '../features/limits/service.ts'
import { createWorkspaceModels } from '../features/models/models-service.ts'
import { createProviderModels } from '../features/models/provider-models.ts'
import { createAccessService } from '../features/workspaces/teams/access-service.ts'
import type { Caller } from '../platform/caller.ts'
import { minuteMs } from '../platform/clock.ts'
import type { Seals } from '../platform/crypto/seals.ts'
import type { Database } from '../platform/database/database.ts'
import type { DatabaseSettings } from '../platform/database/open.ts'
import { noFaults } from '../platform/faults.ts'
import { createSafeFetch } from '../platform/fetch/safe-fetch.ts'
import { createIds } from '../platform/ids.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { createWorker, type Worker } from '../platform/jobs/worker.ts'
import { createStrangersSchemas } from '../platform/json-schema/strangers-schemas.ts'
import { Type } from '../platform/json-schema/type.ts'
import { createLog } from '../platform/log.ts'
import { createProfiles, nothingStored } from '../platform/models/asking/profiles.ts'
import { createModelFetch } from '../platform/models/model-fetch.ts'
import { createModels } from '../platform/models/models.ts'
import { ShownPassages, type Tool } from '../platform/tool.ts'
import { type Child, startChild } from './child.ts'
import { createTestDatabase } from './database.ts'
import { expireLeases } from './leases.ts'
import { type ModelBehaviour, type ModelServer, startModelServer } from './servers/model-server.ts'
import { noSleep } from './sleeps.ts'
import { callerOf, insertPerson, insertWorkspace } from './workspace.ts'

export type RunProcess = { worker: Worker; agents: AgentService; runs: RunService }

export type RunProcesses = {
  /** An owner, in the live environment. */
  caller: Caller
  /** Opens the same database once more, in another process. */
  databaseSettings: DatabaseSettings
  server: ModelServer
  /** Every line that was logged. */
  logged: string[]
  start(options?: ProcessOptions): RunProcess
  /** Another process, which works on the runs of this database. */
  startWorker(t: TestContext): Promise<Child>
  /** Ends the process as a power cut would, and its leases, which would run out after a minute. */
  killWorker(child: Child): Promise<void>
  /** Runs a new agent in a process of its own to the end; the last behaviour is repeated. */
  runAgainst(behaviours: ModelBehaviour[], wanted?: Partial<NewRun>, as?: Caller): Promise<Run>
  close(): Promise<void>
}

/** What the tool of these processes finds, whatever it is asked. */
export const onlyPassage = {
  chunkId: 'chk_1',
  documentId: 'doc_1',
  documentVersion: 1,
  title: 'Ducks',
  text: 'Ducks may enter. They pay nothing.',
  page: null,
  startOffset: 10,
  endOffset: 44,
}

/** For the query "fail" it fails. */
const searchTool: Tool = {
  name: 'search_knowledge',
  description: 'Searches.',
  permission: 'knowledge:read',
  safeToRepeat: true,
  needsApproval: false,
  output: ShownPassages,
  input: Type.Closed({ query: Type.String() }),
  run: async (_, input) => {
    if ((input as { query: string }).query === 'fail') throw new Error('secret reason')
    return { passages: [onlyPassage] }
  },
}

export const search = (query: string): ModelBehaviour => ({
  kind: 'tool_calls',
  calls: [{ name: 'search_knowledge', arguments: { query } }],
})

export const patient = { waitMs: 30_000, signal: new AbortController().signal }
export const impatient = { ...patient, waitMs: 0 }

/** The workspaces of these processes have no providers of their own. */
const noSecrets: Seals = {
  seal: () => Promise.reject(new Error('There is nothing to seal')),
  open: () => Promise.reject(new Error('There is nothing to open')),
}

/** Nor have they documents. */
const noDocuments: AttachmentsService = { find: async () => new Map(), image: async () => null }

/** Nor are they connected to servers. */
const noRemoteTools: RemoteTools = {
  known: async () => [],
  usable: async () => [],
  list: async () => [],
  count: async () => 0,
}

/** Every name leads to loopback. */
const loopbackFetch = createSafeFetch({
  allowedPrivateNetworks: ['127.0.0.0/8'],
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
})

/** In these processes no person waits to approve what it sends. */
const { callNeedsApproval: _, ...httpTool } = createHttpTool(loopbackFetch)

type ProcessOptions = {
  runsAtOnce?: number
  tools?: Tool[]
  onLine?: (line: string) => void
}

/** The parts of a process that runs need, over a database and a model server that are there. */
export function startRunProcess(
  database: Database,
  modelServerUrl: string,
  options: ProcessOptions = {},
): RunProcess & { close(): Promise<void> } {
  const clock = Date.now
  const newId = createIds(clock)
  const log = createLog({ level: 'debug', write: options.onLine ?? (() => undefined) })
  const jobs = createJobs({ database, newId })
  const modelFetch = createModelFetch()
  const schemas = createStrangersSchemas()
  const operatorModels = createModels({
    settings: {
      openaiApiKey: 'key',
      openaiBaseUrl: modelServerUrl,
      anthropicApiKey: null,
      anthropicBaseUrl: null,
      googleApiKey: null,
      defaultModel: 'openai/test-model',
    },
    fetch: modelFetch.fetch,
    now: clock,
    sleep: noSleep,
    sample: schemas.sample,
  })
  const models = createWorkspaceModels({
    database,
    models: operatorModels,
    providerModels: createProviderModels({
      seals: noSecrets,
      models: operatorModels,
      fetch: modelFetch.fetch,
      now: clock,
      profiles: createProfiles(nothingStored, clock),
    }),
    embeddings: { modelOf: () => null },
    reranker: null,
  })
  const audit = createAuditService({ database, clock, newId })
  const shared = {
    database,
    clock,
    newId,
    log,
    jobs,
    models,
    audit,
    outbox: createOutbox({ newId, onRecorded: async () => undefined }),
    tools: options.tools ?? [searchTool, httpTool, callAgentTool],
    remoteTools: noRemoteTools,
  }
  const limits = createLimits(plansWith(options.runsAtOnce ?? 100), () => undefined)
  const worker = createWorker({ jobs, log, pollMs: 20 })
  const { queue, runs } = createRuns({
    ...shared,
    limits,
    runNow: worker.runNow,
    documents: noDocuments,
    readNarrowing: createReadNarrowing({ database }),
    // Its runs call no URL back.
    callbacks: { check: async (_caller, url) => url, admit: async () => undefined },
    schemas,
    concurrency: 4,
    leaseMs: minuteMs,
    faults: noFaults,
    // What a model's server has failed to do, it is asked for again at once.
    sleep: noSleep,
    callerCheckMs: 1_000,
    random: () => 0,
    // Its callers have no keys that could be looked up.
    currentCaller: async caller => caller,
    waitMs: { approval: minuteMs, result: minuteMs },
  })
  worker.serve({ [runQueueName]: queue })
  return {
    worker,
    agents: createAgentService({
      ...shared,
      schemas,
      audit,
      access: createAccessService({ database, clock, onChange: () => undefined }),
      missingCollections: async (_, ids) => [...ids],
      findConnections: async () => [],
    }),
    runs,
    async close() {
      await schemas.close()
      await modelFetch.close()
    },
  }
}

export async function startRunProcesses(): Promise<RunProcesses> {
  const { database, settings, close } = await createTestDatabase()
  const server = await startModelServer()
  const logged: string[] = []
  const workspaceId = await insertWorkspace(database)
  const caller = callerOf(workspaceId, await insertPerson(database, workspaceId, 'owner'), 'owner')
  const closers: (() => Promise<void>)[] = [server.close]

  function start(options: ProcessOptions = {}): RunProcess {
    const process = startRunProcess(database, server.baseUrl, {
      onLine: line => logged.push(line),
      ...options,
    })
    closers.push(process.close)
    return process
  }

  return {
    caller,
    databaseSettings: settings,
    server,
    logged,
    start,
    async startWorker(t) {
      const child = startChild('run-worker', { settings, modelServerUrl: server.baseUrl })
      t.after(() => child.kill())
      assert.equal(await child.line(), 'ready')
      return child
    },
    async killWorker(child) {
      await child.kill()
      await expireLeases(database)
    },
    async runAgainst(behaviours, wanted = {}, as = caller) {
      const { agents, runs, worker } = start()
      server.requests.length = 0
      server.setScript((_, index) => behaviours[Math.min(index, behaviours.length - 1)] ?? { kind: 'never' })
      const agent = await agents.create(as, { name: 'Test', instructions: 'Be kind.' })
      const run = await runs.run(as, agent.id, { prompt: 'May ducks enter?', ...wanted }, patient)
      await worker.drain(1_000)
      return presentRun(run, as.scope)
    },
    async close() {
      for (const closeOne of closers) await closeOne()
      await close()
    },
  }
}

function plansWith(runsAtOnce: number) {
  const plan = { requestsPerMinute: 1, storageBytes: 1_000_000, uploadBytes: 1, members: 1, runsAtOnce }
  return { free: plan, starter: plan, professional: plan, enterprise: plan }
}
