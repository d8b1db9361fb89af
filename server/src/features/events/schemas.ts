/** What goes over the wire about the outbox: what happened, for programs that are told of it. */
import Type, { type Static } from 'typebox'
import { environments } from '../../platform/caller.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

export const eventTypes = ['run.succeeded', 'run.failed', 'run.cancelled', 'run.waiting'] as const
export type EventType = (typeof eventTypes)[number]

const RunSummary = Type.Object(
  {
    id: idOf('run', { description: 'The run; GET /runs/:id has its texts.' }),
    agentId: idOf('agent', { description: 'The agent that ran.' }),
    conversationId: idOf('conversation', { description: 'The conversation that it belongs to.' }),
    status: stringEnum(['succeeded', 'failed', 'cancelled', 'waiting'], { description: 'As it was then.' }),
    errorCode: nullable(Type.String(), { description: 'Why it failed; null unless it did.' }),
    usage: Type.Object(
      {
        inputTokens: Type.Integer({ minimum: 0 }),
        outputTokens: Type.Integer({ minimum: 0 }),
        costUsd: nullable(Type.Number({ minimum: 0 }), { description: 'Null where the price is not known.' }),
      },
      { additionalProperties: false, description: 'What it had used by then.' },
    ),
    createdAt: timestamp({ description: 'When the run was asked for.' }),
    finishedAt: nullable(timestamp(), { description: 'When it ended; null while it waits.' }),
  },
  { additionalProperties: false, description: 'The run without its texts.' },
)
export type RunSummary = Static<typeof RunSummary>

export const Event = Type.Object(
  {
    id: idOf('event', { description: 'Id of the event; ids sort in the order of time.' }),
    environment: stringEnum(environments, { description: 'Where it happened.' }),
    type: stringEnum(eventTypes, { description: 'What happened.' }),
    data: RunSummary,
    createdAt: timestamp({ description: 'When it happened.' }),
  },
  { title: 'Event', additionalProperties: false },
)
export type Event = Static<typeof Event>

export const EventFilter = Type.Object({
  type: Type.Optional(stringEnum(eventTypes, { description: 'Only events of this type.' })),
  createdAfter: Type.Optional(timestamp({ description: 'Only events at or after this instant.' })),
  createdBefore: Type.Optional(timestamp({ description: 'Only events before this instant.' })),
})
export type EventFilter = Static<typeof EventFilter>

export const eventExample: Event = {
  id: exampleId('event'),
  environment: 'live',
  type: 'run.succeeded',
  data: {
    id: exampleId('run'),
    agentId: exampleId('agent'),
    conversationId: exampleId('conversation'),
    status: 'succeeded',
    errorCode: null,
    usage: { inputTokens: 812, outputTokens: 24, costUsd: 0.0031 },
    createdAt: '2026-11-21T09:30:00.000Z',
    finishedAt: '2026-11-21T09:30:02.100Z',
  },
  createdAt: '2026-11-21T09:30:02.100Z',
}
