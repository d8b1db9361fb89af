/** Imports on the wire. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'

export const importStatuses = ['queued', 'running', 'succeeded', 'failed'] as const

export const CollectionImport = Type.Closed('CollectionImport', {
  id: idOf('import'),
  status: stringEnum(importStatuses, { description: '`succeeded` and `failed` are final.' }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'From 0 to 1.' }),
  error: nullable(
    Type.Closed(
      {
        code: stringEnum(['archive_invalid', 'archive_version', 'storage_limit', 'processing_failed']),
        message: Type.String({ description: 'What went wrong, for people.' }),
      },
      { description: 'Why it `failed`; a failed import leaves nothing.' },
    ),
  ),
  collectionId: nullable(idOf('collection'), {
    description: 'The new collection, once it has `succeeded`.',
  }),
  documentCount: Type.Integer({ description: 'Number of imported documents.' }),
  sizeBytes: Type.Integer({ description: 'Bytes of the archive.' }),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
  finishedAt: nullable(timestamp(), { description: 'When it ended; null until then.' }),
})
export type CollectionImport = Static<typeof CollectionImport>

export const ImportFields = Type.Closed({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      description: 'Name of the new collection; by default the name in the archive.',
    }),
  ),
})
export type ImportFields = Static<typeof ImportFields>

export const importExample: CollectionImport = {
  id: exampleId('import'),
  status: 'succeeded',
  progress: 1,
  error: null,
  collectionId: exampleId('collection'),
  documentCount: 12,
  sizeBytes: 402_118,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:04.000Z',
  finishedAt: '2026-11-21T09:30:04.000Z',
}
