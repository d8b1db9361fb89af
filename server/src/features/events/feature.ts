/** The outbox, in which a change tells what has happened, and the list of those events. */
import type { Feature } from '../../http/feature.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour } from '../../platform/schedules/schedules.ts'
import { createOutbox, type OnRecorded, type Outbox } from './outbox-service.ts'
import { eventRoutes } from './routes.ts'
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
