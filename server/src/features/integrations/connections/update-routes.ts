/** The endpoint that changes a connection, its name, config and sync. */
import { defineRoute, ok, type Route } from '../../../http/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import { etagOf } from '../../../platform/revision.ts'
import { exampleId } from '../../../platform/schemas.ts'
import { Connection, connectionExample } from '../records/schemas.ts'
import { ConnectionChange } from '../records/sync-schemas.ts'
import { presentConnection } from './present.ts'
import type { UpdateConnection } from './update-connection.ts'

export const updateRoute = (update: UpdateConnection, clock: Clock): Route =>
  defineRoute({
    method: 'PATCH',
    path: '/integrations/:id',
    operationId: 'updateIntegration',
    tag: 'integrations',
    summary: 'Change a connected integration',
    description:
      'Its name, its config, and how it is kept in sync: the collection, and how often. What is left out stays. `sync` needs `knowledge:write` too, and scheduled syncs act in the name of whoever set them. A config whose addresses would take the stored credentials to another place is refused: that needs a connection of its own.',
    permission: 'integrations:write',
    audit: 'integration.update',
    body: ConnectionChange,
    bodyExample: { sync: { everyMinutes: 60 } },
    data: Connection,
    example: {
      ...connectionExample,
      sync: {
        collectionId: exampleId('collection'),
        everyMinutes: 60,
        nextSyncAt: '2026-11-21T10:30:00.000Z',
      },
    },
    success: [200],
    errors: ['conflict', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const row = await update(caller, params.id, body, ifMatch)
      return ok(presentConnection(row, clock()), etagOf(row))
    },
  })
