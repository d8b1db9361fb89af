/** Sync sessions bring a collection in line with the manifest of a source, and never empty it by accident. */
import type { Caller } from '../../../platform/caller.ts'
import { dayMs, type Patience, toTimestamp } from '../../../platform/clock.ts'
import type { Database, Query, Tx } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { found, invalidField, ServiceError } from '../../../platform/errors.ts'
import { findCollection, lockCollection } from '../records/collections-store.ts'
import {
  cancellation,
  createSyncEnding,
  deletesOf,
  endSync,
  expiry,
  guardDeletes,
  lockOpen,
  recordSync,
  type SyncDependencies,
  syncJob,
} from './sync-ending.ts'
import { addToManifest } from './sync-manifest.ts'
import {
  defaultDeleteShare,
  type MissingEntry,
  type NewSync,
  removedAtOnce,
  type Sync,
  type SyncEntry,
  type SyncPlan,
  sampledDeletes,
} from './sync-schemas.ts'
import {
  countEntries,
  countNamed,
  deleteSyncRow,
  type EntryRow,
  findSync,
  findSyncUnderWay,
  firstGone,
  insertSync,
  keepNamed,
  listMissing,
  listSyncs,
  lockSync,
  type SyncRow,
  updateSync,
} from './sync-store.ts'

export type SyncService = ReturnType<typeof createSyncService>

/** An open session that receives nothing for this long expires. */
const idleMs = dayMs

export function createSyncService(dependencies: SyncDependencies) {
  const { database } = dependencies
  const ending = createSyncEnding(dependencies)

  const find = async ({ scope }: Caller, id: string): Promise<SyncRow> =>
    found(await findSync(scope, database.read, id))
  const get = async (caller: Caller, id: string): Promise<Sync> =>
    presentSync(database.read, await find(caller, id))

  return {
    ...createOpening(dependencies),
    ...createRemoval(dependencies),

    async list({ scope }: Caller, collectionId: string, page: PageRequest): Promise<Page<Sync>> {
      found(await findCollection(scope, database.read, collectionId))
      const { items, total } = await listSyncs(scope, database.read, collectionId, page)
      return { items: await Promise.all(items.map(sync => presentSync(database.read, sync))), total }
    },

    get,

    /** The entries that were asked for and have not been uploaded. */
    async missing(caller: Caller, id: string, page: PageRequest): Promise<Page<MissingEntry>> {
      const { items, total } = await listMissing(database.read, await find(caller, id), page)
      return { items: items.map(presentMissing), total }
    },

    /** How many documents `complete` would delete now, and the first hundred of them. */
    previewDeletes: async (caller: Caller, id: string) => ending.previewDeletes(await find(caller, id)),

    /**
     * Ends the session: documents that the manifest lacks go to the trash. Throws `delete_guard`, naming their number,
     * if they are too many and not confirmed. Waits for the deletion.
     */
    async complete(caller: Caller, id: string, confirmed: number | null, patience: Patience): Promise<Sync> {
      await ending.complete(caller, id, confirmed, patience)
      return get(caller, id)
    },

    /** Ends the session without a deletion; uploaded documents stay. */
    async cancel(caller: Caller, id: string): Promise<Sync> {
      await ending.cancel(caller, id)
      return get(caller, id)
    },

    /**
     * For housekeeping, in all workspaces: ends sessions that received nothing for a day, and removes sessions that
     * ended 30 days ago. Returns the number of both.
     */
    tidy: ending.tidy,
  }
}

/** Opens a session for a collection that has no other one, and takes its manifest in pages. */
function createOpening(dependencies: SyncDependencies) {
  const { database, audit, clock } = dependencies

  const addPage = async (
    tx: Tx,
    { scope }: Caller,
    sync: SyncRow,
    entries: readonly SyncEntry[],
  ): Promise<SyncPlan> => {
    const plan = await addToManifest(tx, sync, entries)
    const now = clock()
    const change = {
      entries: sync.entries + entries.length,
      unchanged: sync.unchanged + plan.unchanged.length,
      failed: sync.failed + plan.upload.length,
      updated_at: now,
      expires_at: now + idleMs,
    }
    await updateSync(scope, tx, sync.id, change)
    return { sync: presentRow({ ...sync, ...change }), ...plan, wouldDelete: null }
  }

  const planWhole = async (
    tx: Tx,
    caller: Caller,
    collectionId: string,
    wanted: NewSync,
  ): Promise<SyncPlan> => {
    found(await findCollection(caller.scope, tx, collectionId))
    const trial = newSync(dependencies, caller, collectionId, wanted)
    // An ended session can stand beside a session that is in progress.
    await insertSync(caller.scope, tx, { ...trial, status: 'cancelled' })
    const plan = await addPage(tx, caller, trial, wanted.entries ?? [])
    const { prior } = await countEntries(tx, trial)
    const deletes = await deletesOf(tx, trial, prior)
    const first = await firstGone(tx, trial, sampledDeletes)
    const wouldDelete = {
      count: deletes.count,
      externalIds: first.map(({ external_id }) => external_id ?? ''),
      needsConfirmation: guardDeletes(deletes, null) !== null,
    }
    return { ...plan, sync: { ...plan.sync, id: null }, wouldDelete }
  }

  return {
    /**
     * Opens a session of the collection with the first entries of its manifest. If `ifOpen` is `resume`, adds them to
     * the open session instead. Throws 404, `sync_in_progress` with the other session, and 400 for a repeated id. A
     * dry run takes the entries as the whole manifest, returns what a session would do, and opens none.
     */
    async open(
      caller: Caller,
      collectionId: string,
      wanted: NewSync,
      { dryRun }: { dryRun: boolean },
    ): Promise<Opened> {
      if (dryRun) {
        const plan = await rolledBack(database, tx => planWhole(tx, caller, collectionId, wanted))
        return { plan, isNew: false }
      }
      const { entries = [], ifOpen = 'reject' } = wanted
      return database.write(async tx => {
        found(await lockCollection(caller.scope, tx, collectionId))
        const other = await makeRoom(dependencies, tx, caller, collectionId, ifOpen)
        if (other !== null) {
          checkShare(other, wanted)
          const plan = await addPage(tx, caller, other, entries)
          await recordSync(audit, tx, caller, 'sync.open', other, { entries: entries.length, resumed: true })
          return { plan, isNew: false }
        }
        const sync = newSync(dependencies, caller, collectionId, wanted)
        await insertSync(caller.scope, tx, sync)
        const plan = await addPage(tx, caller, sync, entries)
        await recordSync(audit, tx, caller, 'sync.open', sync, { entries: entries.length })
        return { plan, isNew: true }
      })
    },

    /** Adds a page to the manifest. Throws `sync_ended`. */
    add: (caller: Caller, id: string, entries: readonly SyncEntry[]): Promise<SyncPlan> =>
      database.write(async tx => {
        const sync = await lockOpen(tx, caller, id, clock())
        const plan = await addPage(tx, caller, sync, entries)
        await recordSync(audit, tx, caller, 'sync.add', sync, { entries: entries.length })
        return plan
      }),
  }
}

/** `isNew` is false for a dry run, and if the open session is resumed. */
type Opened = { plan: SyncPlan; isNew: boolean }

/** A session keeps the share with which it was opened: another share needs another session. */
function checkShare({ max_delete_share }: SyncRow, { maxDeleteShare = max_delete_share }: NewSync): void {
  if (maxDeleteShare === max_delete_share) return
  throw invalidField(
    'maxDeleteShare',
    `is ${max_delete_share} in the open session: leave it out, or open another with "ifOpen": "cancel"`,
  )
}

/** Sessions without a manifest, for a source that itself names the documents that are gone. The guard is the same. */
function createRemoval(dependencies: SyncDependencies) {
  const { database, jobs, audit } = dependencies

  /** How many of the documents the collection holds, outside the trash. */
  const countHeld = async ({ scope }: Caller, collectionId: string, documentIds: AsyncIterable<string>) => {
    let count = 0
    let slice: string[] = []
    const countSlice = async () => {
      if (slice.length === 0) return
      count += await countNamed(scope, database.read, collectionId, slice)
      slice = []
    }
    for await (const id of documentIds) if (slice.push(id) === removedAtOnce) await countSlice()
    await countSlice()
    return count
  }

  return {
    countHeld,

    /**
     * Throws `delete_guard`, naming the number, if the collection holds more of the documents than may go
     * unconfirmed. `kept` is the number of the source's other documents there. `confirmed` is the exact number if the
     * caller knows it, else null.
     */
    async guardRemoval(
      caller: Caller,
      collectionId: string,
      {
        documentIds,
        kept,
        confirmed,
      }: { documentIds: AsyncIterable<string>; kept: number; confirmed: number | null },
    ): Promise<void> {
      const count = await countHeld(caller, collectionId, documentIds)
      const refusal = guardDeletes({ count, of: kept + count, maxShare: defaultDeleteShare }, confirmed)
      if (refusal !== null) throw refusal
    },

    /**
     * Moves at most `removedAtOnce` documents to the trash, with a session that is `completing` at once. Documents of
     * other sources stay, even under the same external ids. Throws 404 and `sync_in_progress`. `also` runs in the
     * same transaction. It gets the session's id, or null if none of the documents exists.
     */
    remove: (
      caller: Caller,
      collectionId: string,
      { ids, kept }: { ids: readonly string[]; kept: number },
      also: (tx: Tx, syncId: string | null) => Promise<void>,
    ): Promise<void> =>
      database.write(async tx => {
        const { scope } = caller
        found(await lockCollection(scope, tx, collectionId))
        await makeRoom(dependencies, tx, caller, collectionId, 'reject')
        const sync = newSync(dependencies, caller, collectionId, {})
        await insertSync(scope, tx, { ...sync, status: 'completing', entries: kept, unchanged: kept })
        const count = await keepNamed(scope, tx, sync, ids)
        if (count === 0) {
          await deleteSyncRow(tx, sync.id)
          await also(tx, null)
          return
        }
        await jobs.enqueue(tx, syncJob(caller, sync.id))
        await recordSync(audit, tx, caller, 'sync.remove', sync, { deleting: count })
        await also(tx, sync.id)
      }),
  }
}

const newSync = (
  { clock, newId }: SyncDependencies,
  { scope }: Caller,
  collectionId: string,
  { maxDeleteShare }: NewSync,
): SyncRow => ({
  id: newId('sync'),
  workspace_id: scope.workspaceId,
  environment: scope.environment,
  collection_id: collectionId,
  status: 'open',
  max_delete_share: maxDeleteShare ?? defaultDeleteShare,
  entries: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  created_at: clock(),
  updated_at: clock(),
  expires_at: clock() + idleMs,
  finished_at: null,
  revision: 1,
})

/**
 * Returns the open session if it is resumed, or null once no session is open. Ends a session that is overdue, or that
 * `ifOpen` cancels. Throws `sync_in_progress` if `ifOpen` rejects, and while a session deletes documents.
 */
async function makeRoom(
  dependencies: SyncDependencies,
  tx: Tx,
  caller: Caller,
  collectionId: string,
  ifOpen: NonNullable<NewSync['ifOpen']>,
): Promise<SyncRow | null> {
  const underWayNow = await findSyncUnderWay(caller.scope, tx, collectionId)
  if (underWayNow === undefined) return null
  const other = await lockSync(caller.scope, tx, underWayNow.id)
  if (other === undefined || other.finished_at !== null) return null
  const isOverdue = other.status === 'open' && other.expires_at <= dependencies.clock()
  if (other.status === 'completing' || (ifOpen === 'reject' && !isOverdue)) throw underWay(other)
  if (ifOpen === 'resume' && !isOverdue) return other
  const end = isOverdue ? expiry : cancellation
  await endSync(dependencies, tx, caller, other, end)
  return null
}

const underWay = ({ id, status }: SyncRow): ServiceError =>
  new ServiceError(
    'sync_in_progress',
    `The collection has the sync ${id}, which is ${status}: complete or cancel it, or wait for its end`,
    { details: { syncId: id, status } },
  )

/** Returns the result of `work`, and rolls its transaction back. */
async function rolledBack<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const rollback = new Error('What was tried is taken back')
  const results: T[] = []
  try {
    await database.write(async tx => {
      results.push(await work(tx))
      throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
  const result = results.at(-1)
  if (result === undefined) throw rollback
  return result
}

/** A sync session as replies show it. The counts of an open session are computed now. */
async function presentSync(query: Query, sync: SyncRow): Promise<Sync> {
  if (sync.status !== 'open') return presentRow(sync)
  const { prior: _prior, ...counts } = await countEntries(query, sync)
  return presentRow({ ...sync, ...counts })
}

/** Shows the counts of the row, which for an open session are those of its manifest. */
const presentRow = (sync: SyncRow): Sync => ({
  id: sync.id,
  collectionId: sync.collection_id,
  status: sync.status,
  entries: sync.entries,
  added: sync.added,
  changed: sync.changed,
  unchanged: sync.unchanged,
  deleted: sync.deleted,
  failed: sync.failed,
  maxDeleteShare: sync.max_delete_share,
  createdAt: toTimestamp(sync.created_at),
  updatedAt: toTimestamp(sync.updated_at),
  expiresAt: toTimestamp(sync.expires_at),
  finishedAt: sync.finished_at === null ? null : toTimestamp(sync.finished_at),
})

const presentMissing = ({ external_id, sha256, prior_sha256 }: EntryRow): MissingEntry => ({
  externalId: external_id,
  sha256,
  reason: prior_sha256 === null ? 'new' : 'changed',
})
