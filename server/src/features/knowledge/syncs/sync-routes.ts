/** Endpoints for sync sessions. */

import {
  created,
  defineRoute,
  endedOrAccepted,
  listed,
  ok,
  preview,
  type Route,
  standardList,
} from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import {
  completedSyncExample,
  ManifestPage,
  MissingEntry,
  NewSync,
  Sync,
  SyncCompletion,
  SyncPlan,
  syncExample,
  syncPlanExample,
} from './sync-schemas.ts'
import type { SyncService } from './sync-service.ts'

/** Ten thousand entries of the longest ids, with room for their names. */
const manifestLimits = { maxBytes: 12 * 1024 * 1024, maxValues: 40_000 }
const usualWaitSeconds = 10

const exampleEntries = [
  { externalId: 'wiki/4711', sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' },
]
/** Of a page after the one that begins the session, as no external id may come twice. */
const laterEntries = [
  { externalId: 'wiki/4712', sha256: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9' },
]

export const syncRoutes = (syncs: SyncService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/knowledge/collections/:id/syncs',
    operationId: 'openSync',
    summary: 'Open a sync session',
    description:
      'Compares the collection with a manifest of your source: external ids with the hashes of their files. Returns which documents to upload (`PUT /knowledge/collections/:id/documents/:externalId`) and which are unchanged. Send a longer manifest in pages of up to 10,000 entries. Nothing is deleted until you complete the session, and documents without an external id are never changed. A collection has one open session at a time; `ifOpen` says what becomes of another. With `dryRun=true` the entries count as the whole manifest: the reply has the plan with the documents that would be deleted, and no session is opened.',
    permission: 'knowledge:write',
    audit: 'sync.open',
    triesDry: true,
    bodyLimits: manifestLimits,
    body: NewSync,
    bodyExample: { entries: exampleEntries },
    data: SyncPlan,
    example: syncPlanExample,
    success: [200, 201],
    replyTexts: { 200: 'What the sync would do.', 201: 'The open session, and what to upload.' },
    errors: ['sync_in_progress'],
    handle: async ({ caller, params, body, dryRun }) => {
      const { plan, isNew } = await syncs.open(caller, params.id, body, { dryRun })
      return isNew ? created(plan, `/knowledge/syncs/${plan.sync.id}`) : ok(plan)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/collections/:id/syncs',
    operationId: 'listSyncs',
    summary: 'List sync sessions',
    description: 'Sessions of a collection with their counts, newest first. They are kept for 30 days.',
    permission: 'knowledge:read',
    list: { ...standardList, dates: ['created', 'updated'] },
    data: Type.Array(Sync),
    example: [completedSyncExample],
    handle: async ({ caller, params, page }) => listed(await syncs.list(caller, params.id, page), page),
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/syncs/:id',
    operationId: 'getSync',
    summary: 'Get a sync session',
    description: 'Returns one session. While it is open, its counts show the progress of the uploads.',
    permission: 'knowledge:read',
    data: Sync,
    example: syncExample,
    handle: async ({ caller, params }) => ok(await syncs.get(caller, params.id)),
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/syncs/:id/entries',
    operationId: 'addSyncEntries',
    summary: 'Send a page of the manifest',
    description:
      'Adds up to 10,000 entries to the manifest of an open session and returns which of them to upload. An external id that the manifest already contains is a 400 that names both positions.',
    permission: 'knowledge:write',
    audit: 'sync.add',
    bodyLimits: manifestLimits,
    body: ManifestPage,
    bodyExample: { entries: laterEntries },
    data: SyncPlan,
    example: syncPlanExample,
    replyTexts: { 200: 'What to upload of these entries.' },
    errors: ['sync_ended'],
    handle: async ({ caller, params, body }) => ok(await syncs.add(caller, params.id, body.entries)),
  }),
  defineRoute({
    method: 'GET',
    path: '/knowledge/syncs/:id/missing',
    operationId: 'listMissingSyncEntries',
    summary: 'List what was not uploaded',
    description:
      'Entries that the session asked for and whose documents have not been uploaded: up to now, or for an ended session up to its end.',
    permission: 'knowledge:read',
    list: { defaultPageSize: 20, maxPageSize: 100, ranked: true },
    data: Type.Array(MissingEntry),
    example: [{ ...exampleEntries[0], reason: 'new' }] as MissingEntry[],
    handle: async ({ caller, params, page }) => listed(await syncs.missing(caller, params.id, page), page),
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/syncs/:id/complete',
    operationId: 'completeSync',
    summary: 'Complete a sync session',
    description:
      'Moves the documents that are not in the manifest to the trash. If there are more than two and more than the share that the session allows (20 % by default), this is a 409 `delete_guard` with their number: send it as `confirmDeletes` to confirm. Answers 200 once they are deleted, or 202 if that takes longer than 10 seconds or than `Prefer: wait=N`; `respond-async` always gets 202. `dryRun=true` returns what would be deleted.',
    permission: 'knowledge:write',
    audit: 'sync.complete',
    destructive: true,
    waits: true,
    body: SyncCompletion,
    bodyExample: {},
    data: Sync,
    example: completedSyncExample,
    success: [200, 202],
    errors: ['sync_ended', 'delete_guard'],
    handle: async ({ caller, params, body, dryRun, patience }) => {
      if (dryRun) {
        const { count, ids } = await syncs.previewDeletes(caller, params.id)
        return preview([{ effect: 'deleted', resource: 'document', count, ids }])
      }
      const waiting = patience(usualWaitSeconds)
      const sync = await syncs.complete(caller, params.id, body.confirmDeletes ?? null, waiting)
      const ended = sync.status !== 'completing'
      return endedOrAccepted(waiting, { data: sync, ended, location: `/knowledge/syncs/${sync.id}` })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/knowledge/syncs/:id/cancel',
    operationId: 'cancelSync',
    summary: 'Cancel a sync session',
    description: 'Ends an open session without deleting anything. Uploaded documents stay.',
    permission: 'knowledge:write',
    audit: 'sync.cancel',
    data: Sync,
    example: { ...syncExample, status: 'cancelled', finishedAt: '2026-11-21T09:32:10.000Z' },
    errors: ['sync_ended'],
    handle: async ({ caller, params }) => ok(await syncs.cancel(caller, params.id)),
  }),
]
