/** The tools and resources that MCP offers to a caller, in the same order each time, and the calls of the tools. */
import { isViewer, type RequestCaller, type Scope } from '../../platform/caller.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Static, TObject } from '../../platform/json-schema/type.ts'
import type { Log } from '../../platform/log.ts'
import type { Tool } from '../../platform/tool.ts'
import type { AgentService } from '../agents/definitions/agent-service.ts'
import type { Run } from '../agents/records/run-schemas.ts'
import type { RunService } from '../agents/runs/run-service.ts'
import type { CollectionService } from '../knowledge/documents/collections-service.ts'
import type { DocumentService } from '../knowledge/documents/documents-service.ts'
import type { KnowledgeSearchService } from '../knowledge/search/search-service.ts'
import { type Asking, createAsking, type Work } from './asking.ts'
import { createMcpDocuments, type McpDocuments, Refusal } from './documents.ts'
import {
  AnswerInput,
  AnswerOutput,
  AskInput,
  CollectionsInput,
  CollectionsOutput,
  FetchInput,
  FetchOutput,
  SearchInput,
  SearchOutput,
} from './schemas.ts'

export type McpService = ReturnType<typeof createMcpService>

type Annotations = { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean }

/** A tool as clients see it. */
export type ShownTool = {
  name: string
  title: string
  description: string
  input: TObject
  output: TObject
  annotations: Annotations
}

type FixedTool = ShownTool & {
  isFor: (caller: RequestCaller) => boolean
  run: (caller: RequestCaller, input: unknown, work: Work) => Promise<object>
}

/** Null if no tool has this name for this caller. */
export type CallOutcome = { kind: 'answered'; value: object } | { kind: 'refused'; message: string } | null

/** In characters, for the JSON of a result: hosted assistants cut longer ones. */
const maxResult = 150_000
const agentsAtOnce = 100

export function createMcpService(dependencies: {
  knowledge: KnowledgeSearchService
  documents: DocumentService
  collections: CollectionService
  agents: AgentService
  runs: RunService
  presentRun: (record: Awaited<ReturnType<RunService['get']>>, scope: Scope) => Run
  tools: readonly Tool[]
  /** Returns a check of a stranger's input against a schema; the check throws `validation_failed`. */
  validatorOf: (schema: TObject) => (value: unknown) => void
  publicUrl: () => string
  log: Log
}) {
  const { log, validatorOf } = dependencies
  const documents = createMcpDocuments(dependencies)
  const asking = createAsking({ ...dependencies, urlOf: documents.urlOf })
  const fixed = fixedTools(documents, asking).map(tool => ({ ...tool, check: validatorOf(tool.input) }))
  const checkQuestion = validatorOf(AskInput)

  async function run(
    caller: RequestCaller,
    name: string,
    input: unknown,
    work: Work,
  ): Promise<object | null> {
    const tool = fixed.find(tool => tool.name === name && tool.isFor(caller))
    if (tool !== undefined) {
      tool.check(input)
      return await tool.run(caller, input, work)
    }
    const agent = await asking.find(caller, name)
    if (agent === undefined) return null
    checkQuestion(input)
    return await asking.ask(caller, agent, input as AskInput, work)
  }

  return {
    /** A page of the tools, starting after the agent with the id `after`. */
    async listTools(
      caller: RequestCaller,
      after: string | null,
    ): Promise<{ tools: ShownTool[]; next: string | null }> {
      const agents = await asking.offered(caller, { after, limit: agentsAtOnce })
      const first = after === null ? fixed.filter(tool => tool.isFor(caller)) : []
      const next = agents.length === agentsAtOnce ? (agents.at(-1)?.id ?? null) : null
      return { tools: [...first, ...agents.map(agent => shownAgent(asking.describe(agent)))], next }
    },

    /** Never throws: a fault is described in words, so that the model can act on it. */
    async callTool(caller: RequestCaller, name: string, input: unknown, work: Work): Promise<CallOutcome> {
      try {
        const value = await run(caller, name, input, work)
        if (value === null) return null
        const { length } = JSON.stringify(value)
        if (length <= maxResult) return { kind: 'answered', value }
        return refused(`The result has ${length} characters, and ${maxResult} are the most. Ask for less.`)
      } catch (error) {
        if (error instanceof Refusal) return refused(error.message)
        if (error instanceof ServiceError) {
          if (error.statusCode >= 500) log.warn('A tool of MCP failed', { name, error })
          return refused(toldOf(error))
        }
        log.error('A tool of MCP failed', { requestId: caller.requestId, name, error })
        return refused(`Something went wrong on our side (${caller.requestId})`)
      }
    },

    /** Empty for a caller who may not read documents. */
    listResources: async (caller: RequestCaller, after: string | undefined) =>
      readsDocuments(caller) ? await documents.listResources(caller, after) : { resources: [], next: null },

    /** Null if this caller reaches no document at this address. */
    readResource: async (caller: RequestCaller, uri: string, signal: AbortSignal): Promise<string | null> =>
      readsDocuments(caller) ? await documents.readResource(caller, uri, signal) : null,
  }
}

const readsDocuments = ({ permissions }: RequestCaller): boolean => permissions.has('knowledge:read')
/** Closed to a key that is narrowed to a filter: the figures here count all documents. */
const readsCollections = (caller: RequestCaller): boolean =>
  readsDocuments(caller) && caller.scope.documentFilter === undefined
const readsRuns = (caller: RequestCaller): boolean =>
  caller.permissions.has('agents:read') && (caller.permissions.has('agents:run') || isViewer(caller))

const reading: Annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }

const fixedTools = (documents: McpDocuments, asking: Asking): FixedTool[] => [
  {
    name: 'search',
    title: 'Search documents',
    description:
      'Searches the documents of the workspace and names those that fit best. Read them with `fetch` before you answer from them.',
    input: SearchInput,
    output: SearchOutput,
    annotations: reading,
    isFor: readsDocuments,
    run: (caller, input, { signal }) =>
      documents.search(caller, (input as Static<typeof SearchInput>).query, signal),
  },
  {
    name: 'fetch',
    title: 'Read a document',
    description:
      'Reads the text of a document that `search` has found, or that an agent has cited. A long document comes in parts: `metadata.next` is the id of the next one.',
    input: FetchInput,
    output: FetchOutput,
    annotations: reading,
    isFor: readsDocuments,
    run: (caller, input, { signal }) =>
      documents.fetch(caller, (input as Static<typeof FetchInput>).id, signal),
  },
  {
    name: 'list_collections',
    title: 'List collections',
    description: 'Lists the collections of documents, newest first: what the workspace knows about.',
    input: CollectionsInput,
    output: CollectionsOutput,
    annotations: reading,
    isFor: readsCollections,
    run: (caller, input) =>
      documents.listCollections(caller, (input as Static<typeof CollectionsInput>).after),
  },
  {
    name: 'get_answer',
    title: 'Wait for an answer',
    description:
      'Waits for the answer of a run that an agent has begun, where its tool said that it waits for a person or takes longer.',
    input: AnswerInput,
    output: AnswerOutput,
    annotations: reading,
    isFor: readsRuns,
    run: (caller, input, work) => asking.answer(caller, (input as Static<typeof AnswerInput>).runId, work),
  },
]

/** Not read-only, even for an agent that only reads: its run is stored and may cost something. */
const shownAgent = ({ isHarmless, ...agent }: ReturnType<Asking['describe']>): ShownTool => ({
  ...agent,
  output: AnswerOutput,
  annotations: { readOnlyHint: false, destructiveHint: !isHarmless, openWorldHint: !isHarmless },
})

const refused = (message: string): CallOutcome => ({ kind: 'refused', message })

const toldOf = ({ message, errors }: ServiceError): string =>
  [message, ...errors.map(({ field, message: why }) => `${field} ${why}`)].join('; ')
