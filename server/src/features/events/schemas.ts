/** What goes over the wire about the outbox: what happened, for the programs that follow it. */

import { environments, type Permission } from '../../platform/caller.ts'
import { type Static, type TSchema, Type } from '../../platform/json-schema/type.ts'
import { exampleId, idOf, stringEnum, timestamp } from '../../platform/schemas.ts'
import {
  CollectionSummary,
  ConnectionSummary,
  ConnectionSyncSummary,
  DocumentSummary,
  KeySummary,
  LimitSummary,
  MemberSummary,
  RunSummary,
  WebhookSummary,
} from './data-schemas.ts'

const runTypes = ['run.succeeded', 'run.failed', 'run.cancelled', 'run.waiting'] as const
const documentTypes = ['document.ready', 'document.failed', 'document.deleted'] as const
const collectionTypes = ['collection.deleted'] as const
const connectionTypes = [
  'connection.active',
  'connection.needs_reauth',
  'connection.failed',
  'connection.deleted',
] as const
const connectionSyncTypes = ['connection.sync_succeeded', 'connection.sync_failed'] as const
const memberTypes = ['member.joined', 'member.changed', 'member.removed'] as const
const keyTypes = ['key.created', 'key.rotated', 'key.revoked'] as const
const limitTypes = ['limit.reached'] as const
const webhookTypes = ['webhook.disabled'] as const

/** What an endpoint can receive. */
export const subscribableTypes = [
  ...runTypes,
  ...documentTypes,
  ...collectionTypes,
  ...connectionTypes,
  ...connectionSyncTypes,
  ...memberTypes,
  ...keyTypes,
  ...limitTypes,
  ...webhookTypes,
] as const

/** A test is sent to one endpoint, whatever else it receives. */
export const eventTypes = [...subscribableTypes, 'webhook.test'] as const
export type EventType = (typeof eventTypes)[number]

/** What a reader needs besides `webhooks:read`: an event tells no more than the records that it is about. */
const readPermissions: Readonly<Record<string, Permission>> = {
  run: 'agents:read',
  document: 'knowledge:read',
  collection: 'knowledge:read',
  connection: 'integrations:read',
  member: 'members:read',
  key: 'keys:read',
  limit: 'usage:read',
  webhook: 'webhooks:read',
}
export const permissionFor = (type: EventType): Permission =>
  readPermissions[type.slice(0, type.indexOf('.'))] ?? 'webhooks:read'

/** The kinds of those that are narrowed themselves: a key and an endpoint may reach further than the reader. */
export const narrowedKinds = ['key', 'webhook'] as const

export const isOfNarrowed = (type: EventType): boolean =>
  narrowedKinds.some(kind => type.startsWith(`${kind}.`))

const eventOf = <const Types extends readonly EventType[], Data extends TSchema>(
  title: string,
  types: Types,
  data: Data,
) =>
  Type.Object(
    {
      id: idOf('event', { description: 'Id of the event; ids sort in the order of time.' }),
      environment: stringEnum(environments, { description: 'Environment of the event.' }),
      type: stringEnum(types, { description: 'What happened.' }),
      data,
      createdAt: timestamp({ description: 'When it happened.' }),
    },
    { title, additionalProperties: false },
  )

export const Event = Type.Union(
  [
    eventOf('EventOfRun', runTypes, RunSummary),
    eventOf('EventOfDocument', documentTypes, DocumentSummary),
    eventOf('EventOfCollection', collectionTypes, CollectionSummary),
    eventOf('EventOfConnection', connectionTypes, ConnectionSummary),
    eventOf('EventOfConnectionSync', connectionSyncTypes, ConnectionSyncSummary),
    eventOf('EventOfMember', memberTypes, MemberSummary),
    eventOf('EventOfKey', keyTypes, KeySummary),
    eventOf('EventOfLimit', limitTypes, LimitSummary),
    eventOf('EventOfWebhook', [...webhookTypes, 'webhook.test'], WebhookSummary),
  ],
  { title: 'Event', description: 'What happened; the shape of `data` depends on `type`.' },
)
export type Event = Static<typeof Event>

/** A type with the data that belongs to it. */
export type EventContent = Event extends infer One
  ? One extends { type: infer Type; data: infer Data }
    ? { type: Type; data: Data }
    : never
  : never

export const EventFilter = Type.Object({
  type: Type.Optional(stringEnum(eventTypes, { description: 'Only events of this type.' })),
  agentId: Type.Optional(idOf('agent', { description: 'Only events of this agent.' })),
  collectionId: Type.Optional(idOf('collection', { description: 'Only events of this collection.' })),
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
