/** Connections kept in sync, on the wire. */
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

export const NewConnectionSync = Type.Object(
  {
    full: Type.Optional(
      Type.Boolean({
        description:
          'Lists everything, where else only what changed since the last sync is asked for. What has the same version as before is not fetched again.',
      }),
    ),
    confirmDeletes: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The exact number of documents that go; needed where `delete_guard` names it. Which they are, the items of that sync say with `status=gone`.',
      }),
    ),
  },
  { title: 'NewConnectionSync', additionalProperties: false },
)
export type NewConnectionSync = Static<typeof NewConnectionSync>

const count = (description: string) => Type.Integer({ minimum: 0, description })

const ErrorText = Type.Object(
  { code: Type.String({ description: 'A word for programs.' }), message: Type.String() },
  { additionalProperties: false },
)

export const ConnectionSync = Type.Object(
  {
    id: idOf('connectionSync'),
    connectionId: idOf('connection'),
    collectionId: idOf('collection', { description: 'What the documents go into.' }),
    status: stringEnum(connectionSyncStatuses, {
      description:
        'A `running` one with `waitingUntil` pauses, since the service asked for it or was not there.',
    }),
    phase: nullable(stringEnum(connectionSyncPhases), {
      description:
        '`listing` what the service holds, `fetching` what is new or changed, `removing` what is gone; null once it has ended.',
    }),
    startedBy: stringEnum(['request', 'schedule']),
    full: Type.Boolean({ description: 'Whether everything is listed, or what changed since the last sync.' }),
    listed: count('Items that the service named, so far.'),
    added: count('Documents that were made.'),
    changed: count('Documents with a new content.'),
    unchanged: count('Items that have the version or the content of their document.'),
    deleted: count('Documents that went to the trash, since their items are gone.'),
    failed: count('Items that could not be fetched or taken in; they are tried again at each sync.'),
    waitingUntil: nullable(timestamp({ description: 'When it goes on.' })),
    error: nullable(ErrorText, { description: 'Why it failed, or what a paused one waits for.' }),
    createdAt: timestamp(),
    startedAt: nullable(timestamp()),
    updatedAt: timestamp(),
    finishedAt: nullable(timestamp()),
  },
  { title: 'ConnectionSync', additionalProperties: false },
)
export type ConnectionSync = Static<typeof ConnectionSync>

export const ConnectionSyncFilter = Type.Object({
  status: Type.Optional(stringEnum(connectionSyncStatuses, { description: 'Only syncs in this status.' })),
})

export const ConnectionItem = Type.Object(
  {
    externalId: Type.String({
      description: "The item's id at the service, and its document's `externalId`.",
    }),
    title: nullable(Type.String()),
    status: stringEnum(connectionItemStatuses, {
      description:
        '`pending` has not been tried yet, `failed` is tried again at the next sync, `gone` is at the service no more and its document is there still.',
    }),
    documentId: nullable(idOf('document'), {
      description: 'What it became; a failed one keeps its old one.',
    }),
    error: nullable(ErrorText, { description: 'Why it failed.' }),
    updatedAt: timestamp(),
  },
  { title: 'ConnectionItem', additionalProperties: false },
)
export type ConnectionItem = Static<typeof ConnectionItem>

export const ConnectionItemFilter = Type.Object({
  status: Type.Optional(
    stringEnum(connectionItemStatuses, {
      description:
        'Only items in this status. `gone` are those whose documents a sync would remove now: what `confirmDeletes` counts.',
    }),
  ),
})

/** How a connection is kept in sync, as it is shown with the connection. */
export const ConnectionSyncPlan = Type.Object(
  {
    collectionId: nullable(idOf('collection'), {
      description: 'What the documents go into; null before the first sync, which makes one.',
    }),
    everyMinutes: nullable(Type.Integer(), { description: 'Null where it is synchronized on request only.' }),
    nextSyncAt: nullable(timestamp()),
  },
  { additionalProperties: false },
)

export const ConnectionChange = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    config: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          maxProperties: 50,
          description:
            "The settings as a whole, as the entry's `configSchema` has them. The next sync lists everything. An address that the credentials were not given for is refused.",
        },
      ),
    ),
    sync: Type.Optional(
      Type.Object(
        {
          collectionId: Type.Optional(
            nullable(idOf('collection'), {
              description:
                'What the documents go into from the next sync on, which makes a new collection where this is null; those that are in another collection stay there. A collection is kept in sync by one connection.',
            }),
          ),
          everyMinutes: Type.Optional(
            nullable(Type.Integer({ minimum: minEveryMinutes, maximum: maxEveryMinutes }), {
              description: 'How often it is synchronized by itself, in the name of the member who sets this.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'ConnectionChange', additionalProperties: false, minProperties: 1 },
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
