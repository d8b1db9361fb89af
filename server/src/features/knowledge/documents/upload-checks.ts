/** What can be told of a received file before it is taken in: what it is, and whether there is room for it. */
import type { ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { invalidField, ServiceError } from '../../../platform/errors.ts'
import type { Limits } from '../../limits/service.ts'
import { formats, supportedTypes } from '../parsing/formats.ts'
import { sniffFile } from '../parsing/sniff.ts'
import { sumStoredBytes } from '../records/collections-store.ts'

/** Whether pictures are taken, since their text is recognised here. */
export type PictureSupport = { readsPictures: boolean }

/** The media type by the file's content. Throws 400 for an empty file and 415 naming what is taken. */
export async function requireSupported(
  file: ReceivedFile,
  { readsPictures }: PictureSupport,
): Promise<string> {
  if (file.sizeBytes === 0) throw invalidField('file', 'is empty')
  const sniffed = await sniffFile(file.path, file.name)
  if (sniffed.format === null) throw unsupported(sniffed.seemsToBe, readsPictures)
  const { mediaType, label, isPicture } = formats[sniffed.format]
  if (isPicture === true && !readsPictures) {
    throw unsupported(
      `a ${label} (text in pictures is read where the operator has set up ATRIUM_OCR_COMMAND)`,
      readsPictures,
    )
  }
  return mediaType
}

/** Asked in the transaction that takes a file in, where uploads beside it count. */
export async function requireStorage(
  limits: Limits,
  caller: Caller,
  query: Query,
  sizeBytes: number,
): Promise<void> {
  const { storageBytes } = limits.of(caller)
  const usedBytes = await sumStoredBytes(caller.scope, query)
  if (usedBytes + sizeBytes <= storageBytes) return
  throw new ServiceError(
    'storage_limit',
    `The plan's storage of ${storageBytes} bytes would be exceeded: ${usedBytes} are in use, earlier versions and the trash among them`,
  )
}

export const unknownCollection = (): ServiceError =>
  invalidField('collectionId', 'There is no collection with this id')

const unsupported = (seemsToBe: string, withPictures: boolean): ServiceError =>
  new ServiceError(
    'unsupported_media_type',
    `The file seems to be ${seemsToBe}, which is not supported. Supported: ${supportedTypes({ withPictures }).join(', ')}`,
  )
