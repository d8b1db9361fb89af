/** Many files in one request, on the wire. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum } from '../../../platform/schemas.ts'
import { Document, documentExample, UploadFields } from '../records/schemas.ts'

export const maxBatchFiles = 200
/** Of all zips of one request. */
export const maxZipEntries = 2_000

/** The text parts beside the files. */
export const BatchFields = Type.Closed({
  collectionId: idOf('collection', { description: 'Collection for the files.' }),
  externalIds: Type.Optional(
    stringEnum(['path', 'none'], {
      default: 'path',
      description:
        "`path` (the default) uses each file's path as its external id, so that sending the same files again changes nothing. `none` creates a new document for each file.",
    }),
  ),
  metadata: Type.Optional(UploadFields.properties.metadata),
})
export type BatchFields = Static<typeof BatchFields>

export const fileOutcomes = ['created', 'changed', 'unchanged', 'rejected'] as const

export const BatchFile = Type.Closed('BatchFile', {
  name: Type.String({ description: 'Name as sent or as in the zip, with its folders.' }),
  externalId: nullable(Type.String({ description: 'Null with `externalIds=none`.' })),
  outcome: stringEnum(fileOutcomes, { description: 'Result for this file, independent of the others.' }),
  document: nullable(Document, {
    description: 'Null if it was rejected, or in a preview of a new document.',
  }),
  error: nullable(
    Type.Closed({ code: Type.String(), message: Type.String() }, { description: 'Why it was `rejected`.' }),
  ),
})
export type BatchFile = Static<typeof BatchFile>

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const Batch = Type.Closed('Batch', {
  dryRun: Type.Boolean({ description: 'Whether this is a preview: nothing was stored.' }),
  created: count('New documents.'),
  changed: count('Documents with a new version.'),
  unchanged: count('Files that the collection already has.'),
  rejected: count('Files that were refused.'),
  files: Type.Array(BatchFile, { description: 'One entry for each file, in the order sent.' }),
})
export type Batch = Static<typeof Batch>

export const batchExample: Batch = {
  dryRun: false,
  created: 1,
  changed: 0,
  unchanged: 0,
  rejected: 1,
  files: [
    {
      name: 'handbook/leave.md',
      externalId: 'handbook/leave.md',
      outcome: 'created',
      document: {
        ...documentExample,
        id: exampleId('document'),
        externalId: 'handbook/leave.md',
        name: 'handbook/leave.md',
        status: 'queued',
        progress: 0,
        chunkCount: 0,
      },
      error: null,
    },
    {
      name: 'handbook/team.png',
      externalId: 'handbook/team.png',
      outcome: 'rejected',
      document: null,
      error: {
        code: 'unsupported_media_type',
        message: 'The file seems to be a PNG image, which is not supported.',
      },
    },
  ],
}
