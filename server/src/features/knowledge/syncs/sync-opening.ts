/** The beginning of a sync session: opened for a collection that has no other, and told its manifest in pages. */
import type { Caller } from '../../../platform/caller.ts'
import { dayMs } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { notFound, ServiceError } from '../../../platform/errors.ts'
import { findCollection, lockCollection } from '../records/collections-store.ts'
import { deletesOf, lockOpen, recordSync, type SyncDependencies, type SyncEnding } from './sync-ending.ts'
import { guardDeletes } from './sync-guard.ts'
import { addToManifest } from './sync-manifest.ts'
import { presentRow } from './sync-present.ts'
import {
  defaultDeleteShare,
  type NewSync,
  type SyncEntry,
  type SyncPlan,
  sampledDeletes,
} from './sync-schemas.ts'
import {
  countEntries,
  findSyncUnderWay,
  firstGone,
  insertSync,
  type SyncRow,
  updateSync,
} from './sync-store.ts'

export type SyncOpening = {
  /**
   * Opens a session of the collection with the first entries of its manifest. Throws 404, a `conflict` that names the
   * session that is under way, and 400 for an id that comes twice. A dry run takes the entries for the whole
   * manifest, answers what a session would do, and opens none.
   */
  open(caller: Caller, collectionId: string, wanted: NewSync, options: { dryRun: boolean }): Promise<SyncPlan>
  /** Adds a page to the manifest. Throws `conflict` where the session is no longer open. */
  add(caller: Caller, id: string, entries: readonly SyncEntry[]): Promise<SyncPlan>
}

/** An open session to which nothing comes for so long ends by itself. */
const idleMs = dayMs

export function createSyncOpening(
  dependencies: SyncDependencies,
  ending: Pick<SyncEnding, 'expire'>,
): SyncOpening {
  const { database, audit, clock } = dependencies
  const { engine } = database

  const addPage = async (
    tx: Tx,
    { scope }: Caller,
    sync: SyncRow,
    entries: readonly SyncEntry[],
  ): Promise<Omit<SyncPlan, 'wouldDelete'>> => {
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
    return { sync: presentRow({ ...sync, ...change }), ...plan }
  }

  const planWhole = async (
    tx: Tx,
    caller: Caller,
    collectionId: string,
    wanted: NewSync,
  ): Promise<SyncPlan> => {
    if ((await findCollection(caller.scope, tx, collectionId)) === undefined) throw notFound()
    const trial = newSync(dependencies, caller, collectionId, wanted)
    // As one that has ended, it can stand beside a session that is under way.
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
    async open(caller, collectionId, wanted, { dryRun }) {
      if (dryRun) return rolledBack(database, tx => planWhole(tx, caller, collectionId, wanted))
      return database.write(async tx => {
        const collection = await lockCollection(caller.scope, tx, engine, collectionId)
        if (collection === undefined) throw notFound()
        await makeRoom({ clock, ...ending }, tx, caller, collectionId)
        const sync = newSync(dependencies, caller, collectionId, wanted)
        await insertSync(caller.scope, tx, sync)
        const { entries = [] } = wanted
        const plan = await addPage(tx, caller, sync, entries)
        await recordSync(audit, tx, caller, 'sync.open', sync, { entries: entries.length })
        return { ...plan, wouldDelete: null }
      })
    },

    add: (caller, id, entries) =>
      database.write(async tx => {
        const sync = await lockOpen(tx, engine, caller, id, clock())
        const plan = await addPage(tx, caller, sync, entries)
        await recordSync(audit, tx, caller, 'sync.add', sync, { entries: entries.length })
        return { ...plan, wouldDelete: null }
      }),
  }
}

export const newSync = (
  { clock, newId }: Pick<SyncDependencies, 'clock' | 'newId'>,
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

/** Throws where a session is under way; one that is overdue is ended. */
export async function makeRoom(
  { clock, expire }: Pick<SyncDependencies, 'clock'> & Pick<SyncEnding, 'expire'>,
  tx: Tx,
  caller: Caller,
  collectionId: string,
): Promise<void> {
  const other = await findSyncUnderWay(caller.scope, tx, collectionId)
  if (other === undefined) return
  if (other.status === 'completing' || other.expires_at > clock()) throw underWay(other)
  await expire(tx, caller, other)
}

/** What `work` finds out in a transaction of which nothing stays. */
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

const underWay = ({ id, status }: SyncRow): ServiceError =>
  new ServiceError(
    'conflict',
    `The collection has the sync ${id}, which is ${status}: complete or cancel it, or wait for its end`,
  )
