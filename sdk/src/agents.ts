/** Agents, their runs, and the models that they run on. */
import { call, get, patch, path, post, previewRemove, remove } from './calls.ts'
import { TimeoutError } from './errors.ts'
import { listOf, rankedListOf } from './list.ts'
import type { Body, Data, Item, QueryOf } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'

type Run = Data<'getRun'>

export const createAgents = (transport: Transport) => ({
  list: (query: QueryOf<'listAgents'> = {}, options?: CallOptions) =>
    listOf<Item<'listAgents'>>(transport, '/agents', query, options),
  get: (id: string, options?: CallOptions) => get<'getAgent'>(transport, path`/agents/${id}`, options),
  create: (agent: Body<'createAgent'>, options?: CallOptions) =>
    post<'createAgent'>(transport, '/agents', agent, options),
  update: (id: string, change: Body<'updateAgent'>, options?: CallOptions) =>
    patch<'updateAgent'>(transport, path`/agents/${id}`, change, options),
  delete: (id: string, options?: CallOptions) => remove(transport, path`/agents/${id}`, options),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/agents/${id}`, options),
  /** Templates that can be installed. */
  catalog: (query: QueryOf<'listAgentTemplates'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listAgentTemplates'>>(transport, '/agents/catalog', query, options),
  install: (templateId: string, installation: Body<'installAgent'> = {}, options?: CallOptions) =>
    post<'installAgent'>(transport, path`/agents/catalog/${templateId}/install`, installation, options),
  /**
   * Resolves once the run has ended, `succeeded` or `failed` alike: look at `status` and `error`. One that takes
   * longer than a minute is answered as it stands; `runs.waitUntilEnded` goes on waiting.
   */
  run: (id: string, run: Body<'runAgent'>, options?: CallOptions) =>
    post<'runAgent'>(transport, path`/agents/${id}/run`, run, options),
  /** Begins a run in the background and answers at once. */
  start: (id: string, run: Body<'runAgent'>, options?: CallOptions) =>
    call<'runAgent'>(
      transport,
      {
        method: 'POST',
        path: path`/agents/${id}/run`,
        body: run,
        headers: { prefer: 'respond-async' },
      },
      options,
    ),
  runs: (id: string, query: QueryOf<'listRuns'> = {}, options?: CallOptions) =>
    listOf<Item<'listRuns'>>(transport, path`/agents/${id}/runs`, query, options),
})

export const createRuns = (transport: Transport) => ({
  get: (id: string, options?: CallOptions) => get<'getRun'>(transport, path`/runs/${id}`, options),
  /** Resolves once the run has stopped; what it used until then is on its record. */
  cancel: (id: string, options?: CallOptions) =>
    post<'cancelRun'>(transport, path`/runs/${id}/cancel`, undefined, options),
  /** Resolves with the run once it has ended, however. Throws `TimeoutError` after `timeoutMs`, ten minutes unless given. */
  waitUntilEnded: (id: string, options: Pick<CallOptions, 'signal' | 'timeoutMs'> = {}) =>
    waitUntilEnded(transport, id, options),
})

export const createModels = (transport: Transport) => ({
  list: (query: QueryOf<'listModels'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listModels'>>(transport, '/models', query, options),
})

/** The server holds the call open for so long, so there is no pause between two of them. */
const waitSeconds = 50

async function waitUntilEnded(
  transport: Transport,
  id: string,
  { timeoutMs = 600_000, signal }: Pick<CallOptions, 'signal' | 'timeoutMs'>,
): Promise<Run> {
  const deadline = Date.now() + timeoutMs
  while (true) {
    const leftMs = deadline - Date.now()
    const seconds = Math.max(0, Math.min(waitSeconds, Math.floor(leftMs / 1000)))
    const run = await call<'getRun'>(
      transport,
      { method: 'GET', path: path`/runs/${id}`, headers: { prefer: `wait=${seconds}` } },
      { signal },
    )
    if (run.finishedAt !== null) return run
    if (Date.now() >= deadline) throw new TimeoutError(`${id} is still ${run.status} after ${timeoutMs} ms`)
  }
}
