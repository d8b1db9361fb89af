/** The outbox: what happened, for programs that were not there when it did. */
import { get, path } from './calls.ts'
import { listOf } from './list.ts'
import type { Item, QueryOf } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'

export const createEvents = (transport: Transport) => ({
  /** Newest first: what happened to runs, documents, connections, members, keys and limits. */
  list: (query: QueryOf<'listEvents'> = {}, options?: CallOptions) =>
    listOf<Item<'listEvents'>>(transport, '/events', query, options),
  get: (id: string, options?: CallOptions) => get<'getEvent'>(transport, path`/events/${id}`, options),
})
