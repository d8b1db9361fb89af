/** Endpoints for keeping connections in sync. */

import { defineRoute, endedOrAccepted, listed, ok, type Route, standardList } from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { exampleId } from '../../../platform/schemas.ts'
import {
  ConnectionItem,
  ConnectionItemFilter,
  ConnectionSync,
  ConnectionSyncFilter,
  connectionItemExample,
  connectionSyncExample,
  NewConnectionSync,
  queuedSyncExample,
} from '../records/sync-schemas.ts'
import { type ConnectionSyncService, presentItem, presentSync } from './sync-service.ts'

const pathTexts = {
  syncId: { description: 'The id of the sync.', example: exampleId('connectionSync') },
}

export const connectionSyncRoutes = (syncs: ConnectionSyncService): Route[] => [
  ...startAndStop(syncs),
  ...reads(syncs),
]

const startAndStop = (syncs: ConnectionSyncService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/integrations/:id/sync',
    operationId: 'startConnectionSync',
    summary: 'Synchronize a connected integration',
    description:
      "Updates the connection's collection from the service: new and changed items become documents, and documents of removed items go to the trash. The first sync creates a collection named after the connection unless one is set. Also needs `knowledge:write`. Answers 202 at once. `Prefer: wait=N` waits up to N seconds (at most 60) and answers 200 once the sync has ended, whether `succeeded` or `failed`, and its documents are processed or the time is over. A connection has one sync at a time. If too many documents would go to the trash, the sync ends `failed` with `delete_guard` and their number. List them as its items with `status=gone`; to continue, send the number as `confirmDeletes`. With a test key no service is called: three simulated documents are synced.",
    permission: 'integrations:write',
    audit: 'integration.sync',
    waits: true,
    body: NewConnectionSync,
    bodyExample: {},
    data: ConnectionSync,
    example: queuedSyncExample,
    success: [200, 202],
    errors: [
      'sync_in_progress',
      'nothing_to_sync',
      'collection_deleted',
      'collection_taken',
      'concurrent_change',
      'connection_not_active',
    ],
    handle: async ({ caller, params, body, patience }) => {
      const waiting = patience()
      const row = await syncs.start(caller, params.id, body, waiting)
      return endedOrAccepted(waiting, {
        data: presentSync(row),
        ended: row.finished_at !== null,
        location: `/integrations/${row.connection_id}/syncs/${row.id}`,
        headers: etagOf(row),
      })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/integrations/:id/syncs/:syncId/cancel',
    operationId: 'cancelConnectionSync',
    summary: 'Cancel a sync of a connection',
    description:
      'Stops the sync. Documents that it wrote stay, and the next sync continues from there. A sync that has already ended is returned unchanged.',
    permission: 'integrations:write',
    audit: 'integration.sync_cancel',
    pathTexts,
    data: ConnectionSync,
    example: { ...connectionSyncExample, status: 'cancelled' },
    handle: async ({ caller, params }) => {
      const row = await syncs.cancel(caller, { connectionId: params.id, syncId: params.syncId })
      return ok(presentSync(row), etagOf(row))
    },
  }),
]

const reads = (syncs: ConnectionSyncService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/integrations/:id/syncs',
    operationId: 'listConnectionSyncs',
    summary: 'List the syncs of a connection',
    description: 'Syncs of the connection with their counts, newest first. They are kept for 30 days.',
    permission: 'integrations:read',
    query: ConnectionSyncFilter,
    list: { ...standardList, dates: ['created', 'updated'] },
    data: Type.Array(ConnectionSync),
    example: [connectionSyncExample],
    handle: async ({ caller, params, query, page }) => {
      const { items, total } = await syncs.list(caller, params.id, query, page)
      return listed({ items: items.map(presentSync), total }, page)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/integrations/:id/syncs/:syncId',
    operationId: 'getConnectionSync',
    summary: 'Get a sync of a connection',
    description:
      'Returns one sync. While it is in progress, its counts show how far it is. `Prefer: wait=N` waits up to N seconds (at most 60) until it has ended and its new and changed documents are `ready` or `failed`.',
    permission: 'integrations:read',
    pathTexts,
    waits: true,
    data: ConnectionSync,
    example: connectionSyncExample,
    handle: async ({ caller, params, patience }) => {
      const place = { connectionId: params.id, syncId: params.syncId }
      const row = await syncs.get(caller, place, patience())
      return ok(presentSync(row), etagOf(row))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/integrations/:id/syncs/:syncId/items',
    operationId: 'listConnectionSyncItems',
    summary: 'List the items of a sync',
    description:
      'Items that the sync fetched or failed to fetch, by id in descending order. Each item belongs to the last sync that tried it. `status=failed` shows the errors. `status=gone` instead lists items that the service no longer has and whose documents still exist now: those that a sync which ended with `delete_guard` would have removed.',
    permission: 'integrations:read',
    pathTexts,
    query: ConnectionItemFilter,
    list: { ...standardList, ranked: true },
    data: Type.Array(ConnectionItem),
    example: [connectionItemExample],
    handle: async ({ caller, params, query, page }) => {
      const place = { connectionId: params.id, syncId: params.syncId }
      const { items, total } = await syncs.items(caller, place, query, page)
      return listed({ items: items.map(presentItem), total }, page)
    },
  }),
]
