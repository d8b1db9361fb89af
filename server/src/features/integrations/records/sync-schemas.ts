/** The wire format of connections kept in sync. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'

export const connectionSyncStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export const connectionSyncPhases = ['listing', 'fetching', 'removing'] as const
export const connectionItemStatuses = ['failed', 'synced', 'pending', 'gone'] as const
export type ConnectionItemStatus = (typeof connectionItemStatuses)[number]

/** What becomes of the documents when their connection ends. */
export const afterwards = ['keep', 'trash'] as const
export type Afterwards = (typeof afterwards)[number]

export const minEveryMinutes = 15
/** A week. */
export const maxEveryMinutes = 10_080

export const NewConnectionSync = Type.Closed('ConnectionSyncInput', {
  full: Type.Optional(
    Type.Boolean({
      description:
        'True lists everything instead of only changes since the last sync. Items with an unchanged version are not fetched again.',
    }),
  ),
  confirmDeletes: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The exact number of documents to delete, required after `delete_guard`. To see them, list the items of that sync with `status=gone`.',
    }),
  ),
})
export type NewConnectionSync = Static<typeof NewConnectionSync>

const count = (description: string) => Type.Integer({ minimum: 0, description })

const ErrorText = Type.Closed({
  code: Type.String({ description: 'Error code for programs.' }),
  message: Type.String(),
})

export const ConnectionSync = Type.Closed('ConnectionSync', {
  id: idOf('connectionSync'),
  connectionId: idOf('connection'),
  collectionId: idOf('collection', { description: 'Collection of the documents.' }),
  status: stringEnum(connectionSyncStatuses, {
    description:
      'A `running` sync with `waitingUntil` pauses because the service asked for it or did not answer.',
  }),
  phase: nullable(stringEnum(connectionSyncPhases), {
    description:
      '`listing` the items of the service, `fetching` new and changed ones, `removing` documents of removed ones; null once it has ended.',
  }),
  startedBy: stringEnum(['request', 'schedule'], { description: 'What started it.' }),
  full: Type.Boolean({
    description: 'True if it lists everything, false if only changes since the last sync.',
  }),
  listed: count('Items listed so far.'),
  added: count('New documents.'),
  changed: count('Documents with new content.'),
  unchanged: count('Items whose document is up to date.'),
  deleted: count('Documents moved to the trash because their items are gone.'),
  failed: count('Items that could not be fetched or stored; every sync tries them again.'),
  waitingUntil: nullable(timestamp({ description: 'When it continues.' })),
  error: nullable(ErrorText, { description: 'Why it failed, or why it pauses.' }),
  createdAt: timestamp({ description: 'When it was created.' }),
  startedAt: nullable(timestamp(), { description: 'When work on it began; null until then.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
  finishedAt: nullable(timestamp(), { description: 'When it ended; null until then.' }),
})
export type ConnectionSync = Static<typeof ConnectionSync>

export const ConnectionSyncFilter = Type.Object({
  status: Type.Optional(stringEnum(connectionSyncStatuses, { description: 'Only syncs in this status.' })),
})

export const ConnectionItem = Type.Closed('ConnectionItem', {
  externalId: Type.String({
    description: "Id of the item at the service, which is its document's `externalId`.",
  }),
  title: nullable(Type.String()),
  status: stringEnum(connectionItemStatuses, {
    description:
      '`pending`: not tried yet. `failed`: the next sync tries again. `gone`: the service no longer has it, but its document still exists.',
  }),
  documentId: nullable(idOf('document'), {
    description: 'Its document; a failed item keeps its earlier one.',
  }),
  error: nullable(ErrorText, { description: 'Why it failed.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
})
export type ConnectionItem = Static<typeof ConnectionItem>

export const ConnectionItemFilter = Type.Object({
  status: Type.Optional(
    stringEnum(connectionItemStatuses, {
      description:
        'Only items in this status. `gone`: items whose documents a sync would remove now, as counted by `confirmDeletes`.',
    }),
  ),
})

/** How a connection is kept in sync, as it is shown with the connection. */
export const ConnectionSyncPlan = Type.Closed('ConnectionSyncPlan', {
  collectionId: nullable(idOf('collection'), {
    description: 'Collection of its documents; null before the first sync, which creates one.',
  }),
  everyMinutes: nullable(Type.Integer(), {
    description: 'Minutes between syncs; null for syncs on request only.',
  }),
  nextSyncAt: nullable(timestamp()),
})

export const ConnectionChange = Type.Closed(
  'ConnectionChange',
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    config: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          maxProperties: 50,
          description:
            "All settings, fitting the entry's `configSchema`. The next sync lists everything. An address that the credentials were not given for is refused.",
        },
      ),
    ),
    sync: Type.Optional(
      Type.Closed({
        collectionId: Type.Optional(
          nullable(idOf('collection'), {
            description:
              'Collection for the documents from the next sync on; null creates a new one. Documents in the previous collection stay there. Only one connection can sync to a collection.',
          }),
        ),
        everyMinutes: Type.Optional(
          nullable(Type.Integer({ minimum: minEveryMinutes, maximum: maxEveryMinutes }), {
            description: 'Minutes between scheduled syncs, which act for the member who sets this.',
          }),
        ),
      }),
    ),
  },
  { minProperties: 1 },
)
export type ConnectionChange = Static<typeof ConnectionChange>

export const connectionSyncExample: ConnectionSync = {
  id: exampleId('connectionSync'),
  connectionId: exampleId('connection'),
  collectionId: exampleId('collection'),
  status: 'succeeded',
  phase: null,
  startedBy: 'request',
  full: true,
  listed: 214,
  added: 12,
  changed: 3,
  unchanged: 198,
  deleted: 1,
  failed: 1,
  waitingUntil: null,
  error: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  startedAt: '2026-11-21T09:30:00.120Z',
  updatedAt: '2026-11-21T09:31:14.000Z',
  finishedAt: '2026-11-21T09:31:14.000Z',
}

export const queuedSyncExample: ConnectionSync = {
  ...connectionSyncExample,
  status: 'queued',
  phase: 'listing',
  listed: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  startedAt: null,
  updatedAt: '2026-11-21T09:30:00.000Z',
  finishedAt: null,
}

export const connectionItemExample: ConnectionItem = {
  externalId: 'issue/4711',
  title: 'The printer is on fire',
  status: 'failed',
  documentId: null,
  error: { code: 'payload_too_large', message: 'More than 104857600 bytes' },
  updatedAt: '2026-11-21T09:31:02.000Z',
}
