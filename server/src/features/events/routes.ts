/** Reading the outbox. */

import { defineRoute, listed, ok, type Route, standardList } from '../../http/route.ts'
import { Type } from '../../platform/json-schema/type.ts'
import { Event, EventFilter, eventExample } from './schemas.ts'
import type { EventService } from './service.ts'

export const eventRoutes = (events: EventService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/events',
    operationId: 'listEvents',
    tag: 'events',
    summary: 'List events',
    description:
      "What happened in the key's environment, newest first: runs that ended or wait for an approval. An event is written together with what it tells, so none is missing and none tells of what did not happen. Events are kept for 30 days unless the operator chose otherwise.",
    permission: 'webhooks:read',
    query: EventFilter,
    list: standardList,
    data: Type.Array(Event),
    example: [eventExample],
    success: [200],
    errors: [],
    handle: async ({ caller, query, page }) => listed(await events.list(caller, query, page), page),
  }),
  defineRoute({
    method: 'GET',
    path: '/events/:id',
    operationId: 'getEvent',
    tag: 'events',
    summary: 'Get an event',
    description: 'One event, as long as it is kept.',
    permission: 'webhooks:read',
    data: Event,
    example: eventExample,
    success: [200],
    errors: [],
    handle: async ({ caller, params }) => ok(await events.get(caller, params.id)),
  }),
]
