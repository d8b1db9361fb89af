/** The wire format of sync sessions. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'
import { givenExternalId } from '../records/schemas.ts'

/** Limit for one request. */
export const maxPageEntries = 10_000
/** Limit for all pages of a manifest. */
export const maxManifestEntries = 1_000_000
export const defaultDeleteShare = 0.2
/** A removal names at most this many documents, in one transaction. */
export const removedAtOnce = 500
/** At most this many of the documents to be deleted are named. */
export const sampledDeletes = 100

export const syncStatuses = ['open', 'completing', 'completed', 'cancelled', 'expired'] as const

export const SyncEntry = Type.Closed('SyncEntry', {
  externalId: givenExternalId({
    description: "The document's id in the source system.",
    examples: ['wiki/4711'],
  }),
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: "The hash of the document's file, in lower-case hexadecimal.",
    examples: ['74e7121f592b79d2b45f1b26afaeb149587c2c8b353720d854fd6a6a250c0cfb'],
  }),
})
export type SyncEntry = Static<typeof SyncEntry>

const entries = Type.Array(SyncEntry, {
  maxItems: maxPageEntries,
  description: 'A page of the manifest of your source. Each external id may appear once over all pages.',
})

export const NewSync = Type.Closed('SyncInput', {
  entries: Type.Optional(entries),
  maxDeleteShare: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: `Share of the source's documents that may be deleted without confirmation; ${defaultDeleteShare} by default. One or two documents may always be deleted.`,
    }),
  ),
  ifOpen: Type.Optional(
    stringEnum(['reject', 'resume', 'cancel'], {
      default: 'reject',
      description:
        'What to do if the collection has an open session. `reject` answers 409 `sync_in_progress`. `resume` answers 200 with that session and adds the entries to its manifest; `sync.entries` is how many it has. `cancel` ends it without deleting anything and opens another.',
    }),
  ),
})
export type NewSync = Static<typeof NewSync>

export const ManifestPage = Type.Closed('ManifestPage', { entries })
export type ManifestPage = Static<typeof ManifestPage>

export const SyncCompletion = Type.Closed('SyncCompletion', {
  confirmDeletes: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The exact number of documents to delete, required after `delete_guard`.',
    }),
  ),
})
export type SyncCompletion = Static<typeof SyncCompletion>

const count = (description: string) => Type.Integer({ minimum: 0, description })

const syncFields = {
  collectionId: idOf('collection'),
  status: stringEnum(syncStatuses, {
    description:
      '`completing` while documents are being deleted. An `open` session expires without requests.',
  }),
  entries: count('Entries of the manifest so far.'),
  added: count('New documents uploaded.'),
  changed: count('Documents with new content uploaded.'),
  unchanged: count('Documents that already have the content in the manifest.'),
  deleted: count('Documents moved to the trash because they are not in the manifest.'),
  failed: count('Requested documents that were not uploaded; for an open session: not yet uploaded.'),
  maxDeleteShare: Type.Number({ minimum: 0, maximum: 1 }),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
  expiresAt: timestamp({ description: 'When it expires without further requests.' }),
  finishedAt: nullable(timestamp(), { description: 'When it ended; null until then.' }),
}

export const Sync = Type.Closed('Sync', { id: idOf('sync'), ...syncFields })
export type Sync = Static<typeof Sync>

export const SyncPlan = Type.Closed('SyncPlan', {
  /** The counts are those of the manifest. `getSync` counts how far the uploads have come. */
  sync: Type.Closed({
    id: nullable(idOf('sync'), {
      description: 'Id of the session; null for a dry run, which opens none.',
    }),
    ...syncFields,
  }),
  upload: Type.Array(Type.Closed({ externalId: Type.String(), reason: stringEnum(['new', 'changed']) }), {
    description: 'Entries of this request whose documents you must upload.',
  }),
  unchanged: Type.Array(Type.String(), { description: 'External ids of the other entries.' }),
  wouldDelete: nullable(
    Type.Closed(
      {
        count: count('Number of documents that are not in the manifest.'),
        externalIds: Type.Array(Type.String(), { description: 'The first hundred of them.' }),
        needsConfirmation: Type.Boolean({ description: 'Whether `confirmDeletes` would be required.' }),
      },
      {
        description:
          'Only for a dry run, which has the whole manifest; otherwise call `complete` with `dryRun=true`.',
      },
    ),
  ),
})
export type SyncPlan = Static<typeof SyncPlan>

export const MissingEntry = Type.Closed('MissingEntry', {
  externalId: Type.String(),
  sha256: Type.String({ description: 'As in the manifest.' }),
  reason: stringEnum(['new', 'changed'], { description: 'Why it was asked for.' }),
})
export type MissingEntry = Static<typeof MissingEntry>

export const syncExample: Sync = {
  id: exampleId('sync'),
  collectionId: exampleId('collection'),
  status: 'open',
  entries: 3,
  added: 0,
  changed: 0,
  unchanged: 1,
  deleted: 0,
  failed: 2,
  maxDeleteShare: defaultDeleteShare,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
  expiresAt: '2026-11-22T09:30:00.000Z',
  finishedAt: null,
}

export const completedSyncExample: Sync = {
  ...syncExample,
  status: 'completed',
  added: 1,
  changed: 1,
  deleted: 4,
  failed: 0,
  finishedAt: '2026-11-21T09:32:10.000Z',
}

export const syncPlanExample: SyncPlan = {
  sync: syncExample,
  upload: [
    { externalId: 'wiki/4711', reason: 'changed' },
    { externalId: 'wiki/4712', reason: 'new' },
  ],
  unchanged: ['wiki/12'],
  wouldDelete: null,
}
