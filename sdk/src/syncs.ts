/** Sync sessions: a collection brought in line with the system that its documents come from. */
import { call, get, path, post, previewPost } from './transport/calls.ts'
import { listOf, rankedListOf } from './transport/list.ts'
import type { Body, Data, Item, QueryOf } from './transport/operations.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

/** The server waits for the deletions, up to a minute. */
const completeWaitSeconds = 60

/** A dry run has the other shape, and a method of its own. */
type CompletedSync = Exclude<Data<'completeSync'>, { dryRun: true }>

/** A session that is open has an id; a preview has none. */
type OpenSync = Data<'openSync'> & { sync: { id: string } }

export const createSyncs = (transport: Transport) => ({
  /**
   * The first page of the manifest may come with it; longer ones go on with `add`. With `ifOpen: 'resume'` a program that
   * was killed goes on with its session: `sync.entries` is how many entries that has.
   */
  open: (collectionId: string, sync: Body<'openSync'> = {}, options?: CallOptions) =>
    post<'openSync'>(
      transport,
      path`/knowledge/collections/${collectionId}/syncs`,
      sync,
      options,
    ) as Promise<OpenSync>,
  /** What a session with this manifest would do, deletions included; none is opened. */
  preview: (collectionId: string, sync: Body<'openSync'>, options?: CallOptions) =>
    call<'openSync'>(
      transport,
      {
        method: 'POST',
        path: path`/knowledge/collections/${collectionId}/syncs`,
        query: { dryRun: true },
        body: sync,
      },
      options,
    ),
  list: (collectionId: string, query: QueryOf<'listSyncs'> = {}, options?: CallOptions) =>
    listOf<Item<'listSyncs'>>(transport, path`/knowledge/collections/${collectionId}/syncs`, query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getSync'>(transport, path`/knowledge/syncs/${id}`, options),
  add: (id: string, entries: Body<'addSyncEntries'>['entries'], options?: CallOptions) =>
    post<'addSyncEntries'>(transport, path`/knowledge/syncs/${id}/entries`, { entries }, options),
  /** What was asked for and has not been uploaded. */
  missing: (id: string, query: QueryOf<'listMissingSyncEntries'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listMissingSyncEntries'>>(
      transport,
      path`/knowledge/syncs/${id}/missing`,
      query,
      options,
    ),
  /** Moves what is gone to the trash. Throws `ConflictError` with the code `delete_guard` if that is too much. */
  complete: (
    id: string,
    confirmation: Body<'completeSync'> = {},
    options?: CallOptions,
  ): Promise<CompletedSync> =>
    call<'completeSync'>(
      transport,
      {
        method: 'POST',
        path: path`/knowledge/syncs/${id}/complete`,
        body: confirmation,
        headers: { prefer: `wait=${completeWaitSeconds}` },
      },
      options,
    ) as Promise<CompletedSync>,
  /** What `complete` would delete. */
  previewComplete: (id: string, options?: CallOptions) =>
    previewPost(transport, path`/knowledge/syncs/${id}/complete`, {}, options),
  cancel: (id: string, options?: CallOptions): Promise<Data<'cancelSync'>> =>
    post<'cancelSync'>(transport, path`/knowledge/syncs/${id}/cancel`, undefined, options),
})
