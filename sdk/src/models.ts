/** The models that agents run on, and the workspace's own providers of them. */
import { get, patch, path, post, previewRemove, remove } from './calls.ts'
import { listOf, rankedListOf } from './list.ts'
import type { Body, Item, QueryOf } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'

export const createModels = (transport: Transport) => ({
  /** The operator's, then those of the workspace's own providers. */
  list: (query: QueryOf<'listModels'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listModels'>>(transport, '/models', query, options),
  providers: createProviders(transport),
})

const createProviders = (transport: Transport) => ({
  list: (query: QueryOf<'listModelProviders'> = {}, options?: CallOptions) =>
    listOf<Item<'listModelProviders'>>(transport, '/model-providers', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getModelProvider'>(transport, path`/model-providers/${id}`, options),
  /** Its key goes in and is never shown again. */
  create: (provider: Body<'createModelProvider'>, options?: CallOptions) =>
    post<'createModelProvider'>(transport, '/model-providers', provider, options),
  update: (id: string, change: Body<'updateModelProvider'>, options?: CallOptions) =>
    patch<'updateModelProvider'>(transport, path`/model-providers/${id}`, change, options),
  /** Calls one model once; resolves whether or not it answered: look at `ok` and `error`. */
  test: (id: string, test: Body<'testModelProvider'> = {}, options?: CallOptions) =>
    post<'testModelProvider'>(transport, path`/model-providers/${id}/test`, test, options),
  delete: (id: string, options?: CallOptions) => remove(transport, path`/model-providers/${id}`, options),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/model-providers/${id}`, options),
})
