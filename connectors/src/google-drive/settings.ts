/** Settings of a connection to Google Drive, and how its files become documents. */
import type { Item, ObjectSchema } from '../connector.ts'
import { fingerprint } from '../fingerprint.ts'
import { idList } from '../schemas.ts'
import type { DriveFile } from './drive-api.ts'

export type DriveConfig = { folderIds: string[] }

export const idPattern = '^[A-Za-z0-9_-]{4,100}$'

export const configSchema: ObjectSchema = {
  type: 'object',
  properties: {
    folderIds: idList(
      idPattern,
      'Ids of folders or shared drives, as the last part of their addresses shows them: what lies in them, at any depth, is synced, and nothing else can be read. `root` stands for My Drive. None: whatever the account can see.',
      '1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvW',
    ),
  },
  additionalProperties: false,
}

/**
 * The time of change does not show new access rights. A file's own version changes each time a person looks at the
 * file.
 */
export const itemOf = (file: DriveFile): Item => ({
  id: file.id,
  version: fingerprint([
    ...[file.name, file.mimeType, file.modifiedTime, file.md5Checksum ?? null],
    (file.permissionIds ?? []).toSorted(),
  ]),
  title: file.name,
})

export const chosenOf = ({ folderIds }: DriveConfig): string => fingerprint(folderIds)
