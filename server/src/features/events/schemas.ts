/** The wire format of events. */

import { environments, type Permission } from '../../platform/caller.ts'
import { type Static, type TSchema, Type } from '../../platform/json-schema/type.ts'
import { exampleId, idOf, stringEnum, timestamp } from '../../platform/schemas.ts'
import {
  CollectionSummary,
  ConnectionSummary,
  ConnectionSyncSummary,
  ConnectionToolsSummary,
  DocumentSummary,
  KeySummary,
  LimitSummary,
  MemberSummary,
  RunSummary,
  type RunTexts,
  ScheduleSummary,
  TriggerSummary,
  WebhookSummary,
} from './data-schemas.ts'

const runTypes = ['run.succeeded', 'run.failed', 'run.cancelled', 'run.waiting'] as const
const scheduleTypes = ['schedule.stopped'] as const
const triggerTypes = ['trigger.stopped'] as const
const documentTypes = ['document.ready', 'document.failed', 'document.deleted'] as const
const collectionTypes = ['collection.deleted'] as const
const connectionTypes = [
  'connection.active',
  'connection.needs_reauth',
  'connection.failed',
  'connection.deleted',
] as const
const connectionToolsTypes = ['connection.tools_changed'] as const
const connectionSyncTypes = ['connection.sync_succeeded', 'connection.sync_failed'] as const
const memberTypes = ['member.joined', 'member.changed', 'member.removed'] as const
const keyTypes = ['key.created', 'key.rotated', 'key.revoked'] as const
const limitTypes = ['limit.reached'] as const
const webhookTypes = ['webhook.disabled'] as const

/** The event types that an endpoint can choose. */
export const subscribableTypes = [
  ...runTypes,
  ...scheduleTypes,
  ...triggerTypes,
  ...documentTypes,
  ...collectionTypes,
  ...connectionTypes,
  ...connectionToolsTypes,
  ...connectionSyncTypes,
  ...memberTypes,
  ...keyTypes,
  ...limitTypes,
  ...webhookTypes,
] as const

/** A test is sent to one endpoint, regardless of the endpoint's event types. */
export const eventTypes = [...subscribableTypes, 'webhook.test'] as const
export type EventType = (typeof eventTypes)[number]

/** The name of each event type begins with one of these kinds and a dot. */
const kinds = [
  'run',
  'schedule',
  'trigger',
  'document',
  'collection',
  'connection',
  'member',
  'key',
  'limit',
  'webhook',
] as const satisfies readonly (EventType extends `${infer Kind}.${string}` ? Kind : never)[]

export const kindPatterns = kinds.map(kind => `${kind}.*` as const)

/** A choice of event types: one, all of a kind, or all. The last two also cover types that are added later. */
export type EventChoice = EventType | (typeof kindPatterns)[number] | '*'
export const listenerChoices = ['*', ...kindPatterns, ...subscribableTypes] as const
export type ListenerChoice = (typeof listenerChoices)[number]
export const eventChoices = ['*', ...kindPatterns, ...eventTypes] as const

export const isCovered = (type: string, choices: readonly string[]): boolean =>
  choices.some(
    choice =>
      choice === '*' || choice === type || (choice.endsWith('.*') && type.startsWith(choice.slice(0, -1))),
  )

/** The permission that a reader needs besides `webhooks:read`: an event tells about the records of its kind. */
const readPermissions: Readonly<Record<(typeof kinds)[number], Permission>> = {
  run: 'agents:read',
  schedule: 'agents:read',
  trigger: 'agents:read',
  document: 'knowledge:read',
  collection: 'knowledge:read',
  connection: 'integrations:read',
  member: 'members:read',
  key: 'keys:read',
  limit: 'usage:read',
  webhook: 'webhooks:read',
}
export const permissionFor = (type: Exclude<EventChoice, '*'>): Permission =>
  // A type or a pattern begins with its kind.
  readPermissions[type.slice(0, type.indexOf('.')) as (typeof kinds)[number]]

/** The kinds of records that have a narrowing: a key or an endpoint may reach further than the reader. */
export const narrowedKinds = ['key', 'webhook'] as const

export const isOfNarrowed = (type: EventType): boolean =>
  narrowedKinds.some(kind => type.startsWith(`${kind}.`))

/** When an event of each type is written. */
const eventTexts: Readonly<Record<EventType, string>> = {
  'run.succeeded': 'A run has ended with an answer.',
  'run.failed': 'A run has failed; `data.errorCode` says why.',
  'run.cancelled': 'A run was cancelled.',
  'run.waiting': 'A run waits for approvals, or for results of functions.',
  'schedule.stopped': 'The server has stopped a schedule: whom it acts for may not run the agent any more.',
  'trigger.stopped': 'The server has stopped a trigger, for the same reasons.',
  'document.ready': 'A version of a document can be found, also after a restore.',
  'document.failed': 'A version of a document cannot be read.',
  'document.deleted': 'A document was moved to the trash or erased.',
  'collection.deleted': 'A collection was deleted with its documents.',
  'connection.active': 'A connection works.',
  'connection.needs_reauth': 'The service of a connection refuses its credentials.',
  'connection.failed': 'A connection was not authorized.',
  'connection.deleted': 'A connection was deleted.',
  'connection.tools_changed':
    'The server of a connection has changed or removed tools that were accepted: agents cannot use them until a person accepts them again.',
  'connection.sync_succeeded': 'A sync of a connection has ended.',
  'connection.sync_failed': 'A sync of a connection has failed.',
  'member.joined': 'A member has joined the workspace.',
  'member.changed': 'The role of a member has changed.',
  'member.removed': 'A member was removed, or has left.',
  'key.created': 'An API key was made.',
  'key.rotated': 'An API key has a new secret.',
  'key.revoked': 'An API key was revoked.',
  'limit.reached': 'A limit has refused a request, for the first time on this day.',
  'webhook.disabled': 'The server has disabled a webhook endpoint.',
  'webhook.test': 'A test of the endpoint that receives it.',
}

const eventOf = <const Types extends readonly EventType[], Data extends TSchema>(
  title: string,
  types: Types,
  data: Data,
) =>
  Type.Closed(title, {
    id: idOf('event', { description: 'Id of the event; ids sort in the order of time.' }),
    type: stringEnum(types, { description: 'What happened.' }),
    createdAt: timestamp({ description: 'When it happened.' }),
    workspaceId: idOf('workspace', { description: 'Workspace of the event.' }),
    environment: stringEnum(environments, { description: 'Environment of the event.' }),
    data,
  })

const events = {
  run: eventOf('EventOfRun', runTypes, RunSummary),
  schedule: eventOf('EventOfSchedule', scheduleTypes, ScheduleSummary),
  trigger: eventOf('EventOfTrigger', triggerTypes, TriggerSummary),
  document: eventOf('EventOfDocument', documentTypes, DocumentSummary),
  collection: eventOf('EventOfCollection', collectionTypes, CollectionSummary),
  connection: eventOf('EventOfConnection', connectionTypes, ConnectionSummary),
  connectionTools: eventOf('EventOfConnectionTools', connectionToolsTypes, ConnectionToolsSummary),
  connectionSync: eventOf('EventOfConnectionSync', connectionSyncTypes, ConnectionSyncSummary),
  member: eventOf('EventOfMember', memberTypes, MemberSummary),
  key: eventOf('EventOfKey', keyTypes, KeySummary),
  limit: eventOf('EventOfLimit', limitTypes, LimitSummary),
  webhook: eventOf('EventOfWebhook', [...webhookTypes, 'webhook.test'], WebhookSummary),
}
export const Event = Type.Union(
  [
    events.run,
    events.schedule,
    events.trigger,
    events.document,
    events.collection,
    events.connection,
    events.connectionTools,
    events.connectionSync,
    events.member,
    events.key,
    events.limit,
    events.webhook,
  ],
  {
    title: 'Event',
    description:
      'What happened, as it is listed and as it is delivered. The shape of `data` depends on `type`; more types may come.',
  },
)
export type Event = Static<typeof Event>

/** An event type, with the part of its data that the outbox stores. */
export type EventContent = Event extends infer One
  ? One extends { type: infer Type; data: infer Data }
    ? { type: Type; data: Omit<Data, keyof RunTexts> }
    : never
  : never

export const EventFilter = Type.Object({
  type: Type.Optional(
    stringEnum(eventChoices, {
      description: 'Only events of this type, or of a kind: `run.*`. `*` stands for all.',
    }),
  ),
  agentId: Type.Optional(idOf('agent', { description: 'Only events of this agent.' })),
  collectionId: Type.Optional(idOf('collection', { description: 'Only events of this collection.' })),
})
export type EventFilter = Static<typeof EventFilter>

export const eventExample: Event = {
  id: exampleId('event'),
  type: 'run.succeeded',
  createdAt: '2026-11-21T09:30:02.100Z',
  workspaceId: exampleId('workspace'),
  environment: 'live',
  data: {
    id: exampleId('run'),
    agentId: exampleId('agent'),
    conversationId: exampleId('conversation'),
    status: 'succeeded',
    errorCode: null,
    usage: { inputTokens: 812, outputTokens: 24, costUsd: 0.0031 },
    createdAt: '2026-11-21T09:30:00.000Z',
    finishedAt: '2026-11-21T09:30:02.100Z',
    metadata: { ticket: '4711' },
    output: 'You have 28 days of paid leave a year [1].',
    structuredOutput: null,
    pendingApprovals: [],
    pendingToolCalls: [],
    truncated: false,
  },
}

type Message = { summary: string; description: string; schema: TSchema }

const messagesOf = (schema: (typeof events)[keyof typeof events]): [EventType, Message][] => {
  // `stringEnum` keeps the types as the values of the schema.
  const { enum: types } = schema.properties.type as unknown as { enum: EventType[] }
  return types.map(type => [
    type,
    {
      summary: `Event ${type}`,
      description: `${eventTexts[type]} The body is the event as GET /events lists it.`,
      schema,
    },
  ])
}

/** The messages that the server sends about runs, by event type. */
export const runMessages: Record<string, Message> = Object.fromEntries(messagesOf(events.run))

/** The messages that the server sends, by event type. */
export const eventMessages: Record<string, Message> = Object.fromEntries(
  Object.values(events).flatMap(messagesOf),
)
