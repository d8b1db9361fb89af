/** What can be told of a received file before it is taken in: what it is, and whether there is room for it. */
import { sql } from 'kysely'
import type { ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Engine, Tx } from '../../../platform/database/database.ts'
import { takeTurn } from '../../../platform/database/take-turns.ts'
import { invalidField, ServiceError } from '../../../platform/errors.ts'
import type { Limits } from '../../limits/service.ts'
import { usedStorage } from '../../limits/storage-service.ts'
import { formats, supportedTypes } from '../parsing/formats.ts'
import { sniffFile } from '../parsing/sniff.ts'

/** The media type by the file's content. Throws 400 for an empty file and 415 naming what is taken. */
export async function requireSupported(file: ReceivedFile): Promise<string> {
  if (file.sizeBytes === 0) throw invalidField('file', 'is empty')
  const sniffed = await sniffFile(file.path, file.name)
  if (sniffed.format === null) throw unsupported(sniffed.seemsToBe)
  return formats[sniffed.format].mediaType
}

/** More than take files in at once: each may be as large as the plan's upload. */
const uploadsBeside = 100

/**
 * Until the transaction ends, what `requireStorage` finds holds: on PostgreSQL two that run beside each other would each
 * find the same room. Where there is room for all that may be under way they go on together, else by turns. Taken
 * behind a document's lock and before its collection's.
 */
export async function lockStorage(limits: Limits, caller: Caller, tx: Tx, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  const { scope } = caller
  const { storageBytes, uploadBytes } = limits.of(caller)
  const isRoomy = async (): Promise<boolean> =>
    (await usedStorage(scope, tx)) + uploadsBeside * uploadBytes <= storageBytes
  const name = `storage ${scope.workspaceId} ${scope.environment}`
  if (await isRoomy()) {
    await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(tx)
    if (await isRoomy()) return
  }
  await takeTurn(tx, engine, name)
}

export const unknownCollection = (): ServiceError =>
  invalidField('collectionId', 'There is no collection with this id')

const unsupported = (seemsToBe: string): ServiceError =>
  new ServiceError(
    'unsupported_media_type',
    `The file seems to be ${seemsToBe}, which is not supported. Supported: ${supportedTypes().join(', ')}`,
  )
