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
import { presentItem, presentSync } from './present.ts'
import type { ConnectionSyncService } from './sync-service.ts'

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
    tag: 'integrations',
    summary: 'Synchronize a connected integration',
    description:
      "Brings the connection's collection in line with what the service holds: new and changed things become documents, those that are gone go to the trash. The first sync makes a collection named after the connection, unless one was set. Needs `knowledge:write` too. Answers 202 at once; `Prefer: wait=N` waits up to N seconds (60 at the most), and answers 200 once it has ended, `succeeded` or `failed` alike, and its documents are read, for as far as the time goes. A connection has one sync at a time. Where too many documents would go, the sync ends `failed` with `delete_guard`, naming their number; its items with `status=gone` are those, and `confirmDeletes` with that number goes on. With a test key no service is called: three simulated documents are synchronized.",
    permission: 'integrations:write',
    audit: 'integration.sync',
    waits: true,
    body: NewConnectionSync,
    bodyExample: {},
    data: ConnectionSync,
    example: queuedSyncExample,
    success: [200, 202],
    errors: ['conflict', 'connection_not_active'],
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
    tag: 'integrations',
    summary: 'Cancel a sync of a connection',
    description:
      'What was written until then stays, and the next sync goes on from there. One that has ended already is answered as it is.',
    permission: 'integrations:write',
    audit: 'integration.sync_cancel',
    pathTexts,
    data: ConnectionSync,
    example: { ...connectionSyncExample, status: 'cancelled' },
    success: [200],
    errors: [],
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
    tag: 'integrations',
    summary: 'List the syncs of a connection',
    description: 'With their counts, newest first. They are kept for 30 days.',
    permission: 'integrations:read',
    query: ConnectionSyncFilter,
    list: standardList,
    data: Type.Array(ConnectionSync),
    example: [connectionSyncExample],
    success: [200],
    errors: [],
    handle: async ({ caller, params, query, page }) => {
      const { items, total } = await syncs.list(caller, params.id, query, page)
      return listed({ items: items.map(presentSync), total }, page)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/integrations/:id/syncs/:syncId',
    operationId: 'getConnectionSync',
    tag: 'integrations',
    summary: 'Get a sync of a connection',
    description:
      'One sync; while it is under way, its counts tell how far it has come. `Prefer: wait=N` waits up to N seconds (60 at the most) for its end, and until the documents that it made or changed are `ready` or `failed`.',
    permission: 'integrations:read',
    pathTexts,
    waits: true,
    data: ConnectionSync,
    example: connectionSyncExample,
    success: [200],
    errors: [],
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
    tag: 'integrations',
    summary: 'List the items of a sync',
    description:
      'What the sync has fetched or failed to fetch, by id, from the last to the first; each item counts to the last sync that tried it. `status=failed` shows why. `status=gone` lists instead what the service has no more and whose documents are there still, as it stands now: what a sync that ended with `delete_guard` would have removed.',
    permission: 'integrations:read',
    pathTexts,
    query: ConnectionItemFilter,
    list: { ...standardList, ranked: true },
    data: Type.Array(ConnectionItem),
    example: [connectionItemExample],
    success: [200],
    errors: [],
    handle: async ({ caller, params, query, page }) => {
      const place = { connectionId: params.id, syncId: params.syncId }
      const { items, total } = await syncs.items(caller, place, query, page)
      return listed({ items: items.map(presentItem), total }, page)
    },
  }),
]
