/** The outbox, to which changes write events, and the endpoints that read these events. */
import type { Feature } from '../../http/feature.ts'
import { defineRoute, listed, ok, type Route, standardList } from '../../http/route.ts'
import { Type } from '../../platform/json-schema/type.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour } from '../../platform/schedules/schedules.ts'
import { createOutbox, type OnRecorded, type Outbox } from './outbox-service.ts'
import { Event, EventFilter, eventExample } from './schemas.ts'
import { createEventService, type EventService, type ReadRunTexts } from './service.ts'

export type EventsServices = { outbox: Outbox; events: EventService }

export function createEventsFeature(
  platform: Platform,
  { onRecorded, readRunTexts }: { onRecorded: OnRecorded; readRunTexts: ReadRunTexts },
): Feature<EventsServices> {
  const { settings, newId } = platform
  const events = createEventService({ ...platform, eventsMs: settings.eventsMs, readRunTexts })
  return {
    services: { outbox: createOutbox({ newId, onRecorded }), events },
    tag: 'events',
    routes: eventRoutes(events),
    schedules: [eachHour('remove old events', events.tidy)],
    workspaceData: { slices: [{ table: 'events', key: ['id'] }] },
  }
}

const eventRoutes = (events: EventService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/events',
    operationId: 'listEvents',
    summary: 'List events',
    description:
      "Events in the key's environment, newest first. An event is written in the same transaction as the change that it describes, and is listed in the shape in which webhooks deliver it. Events are kept for 30 days unless the operator sets another time.",
    permission: 'webhooks:read',
    query: EventFilter,
    list: { ...standardList, dates: ['created'] },
    data: Type.Array(Event),
    example: [eventExample],
    handle: async ({ caller, query, page }) => listed(await events.list(caller, query, page), page),
  }),
  defineRoute({
    method: 'GET',
    path: '/events/:id',
    operationId: 'getEvent',
    summary: 'Get an event',
    description: 'Returns one event while it is kept.',
    permission: 'webhooks:read',
    data: Event,
    example: eventExample,
    handle: async ({ caller, params }) => ok(await events.get(caller, params.id)),
  }),
]
