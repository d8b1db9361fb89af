/** Stores a received file as a document or a new version, and queues it in the same transaction. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { sql } from 'kysely'
import type { ReceivedFile } from '../../../platform/blobs/blobs.ts'
import { safeName } from '../../../platform/blobs/file-name.ts'
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { takeTurn } from '../../../platform/database/between-processes.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import { engineOf } from '../../../platform/database/statement.ts'
import {
  found,
  invalidField,
  isUnavailable,
  notFound,
  ServiceError,
  tooLarge,
} from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditRecorder, AuditService } from '../../audit/service.ts'
import { type Limits, requireStorage, usedStorage } from '../../limits/service.ts'
import { type Conversion, formats, supportedTypes, takenOf } from '../parsing/formats.ts'
import { maxTextBytes, maxTextLength } from '../parsing/limits.ts'
import { sniffFile } from '../parsing/sniff.ts'
import { addToCollection, findCollection, lockCollection } from '../records/collections-store.ts'
import { ingestJob } from '../records/document-jobs.ts'
import {
  type DocumentRow,
  findByExternalId,
  findDocument,
  insertDocument,
  keepFromDeletion,
  lockDocument,
  type NewDocumentRow,
} from '../records/documents-store.ts'
import type { UploadFields } from '../records/schemas.ts'
import { type DocumentChange, describe, replaceContent } from './document-changes.ts'

/** `unchanged`: the document already had this content, but its title, metadata or name may have changed. */
export type Outcome = 'created' | 'changed' | 'unchanged'

export type Upserted = { row: DocumentRow; outcome: Outcome }

/** The ETags of the request. `ifNoneMatch`: the document must not exist yet. `also` joins the transaction. */
export type Preconditions = {
  ifMatch: string | null
  ifNoneMatch: boolean
  also?: Also
  /** Given if the change is a part of a larger change. It then records the change as such a part. */
  audit?: AuditRecorder | undefined
}

export type Uploads = ReturnType<typeof createUploads>

type Also = (tx: Tx, upserted: Upserted) => Promise<void>

/** What the audit log says about a replacement, and what must be true of the locked document. */
type Replacement = {
  ifMatch: string | null
  action: string
  details?: Record<string, unknown>
  externalId?: string
  /** Makes a version even of the same content. Throws `document_in_progress` while one is in progress. */
  isAgain?: boolean
  also?: Also | undefined
  audit?: AuditRecorder | undefined
}

/** Two requests that make or change the same document at the same time collide in one round, but not in the next. */
const maxRounds = 5

export type UploadDependencies = Pick<Platform, 'database' | 'blobs' | 'jobs' | 'clock' | 'newId'> & {
  limits: Limits
  audit: AuditService
  /** The formats that the operator's program converts. */
  converted: ReadonlySet<Conversion>
}

export function createUploads(dependencies: UploadDependencies) {
  const { database } = dependencies
  return {
    /**
     * Creates a document, and takes over the file. Throws 400 for an unknown collection and an empty file, and 403
     * `storage_limit`. Throws 409 `already_exists` if the collection has a document with this external id, and 415
     * naming the supported types. A caller that may retry chooses the document's `id`, so that the retry finds the
     * document.
     */
    takeIn: (
      caller: Caller,
      fields: UploadFields,
      file: ReceivedFile,
      { id = dependencies.newId('document'), audit }: { id?: string; audit?: AuditRecorder } = {},
    ): Promise<DocumentRow> =>
      withIncomingFile(dependencies, file, async incoming => {
        await requireCollection(caller.scope, database.read, fields.collectionId)
        const made = await create(dependencies, caller, fields, incoming, {
          id,
          action: 'document.create',
          audit,
        })
        if ('taken' in made) throw externalIdTaken(fields.externalId ?? '', made.taken)
        return made.row
      }),

    /**
     * Creates the document with this external id, or updates it. It gets a new version if the content differs from
     * the latest version. A title or metadata that is not given stays. Throws 404 for an unknown collection, 412 if a
     * precondition does not hold, and the errors of `takeIn`. `also` runs in the same transaction.
     */
    upsert: (
      caller: Caller,
      target: { collectionId: string; externalId: string },
      fields: DocumentChange,
      file: ReceivedFile,
      { ifMatch, ifNoneMatch, also, audit }: Preconditions = { ifMatch: null, ifNoneMatch: false },
    ): Promise<Upserted> =>
      withIncomingFile(dependencies, file, async incoming => {
        const { scope } = caller
        const { collectionId, externalId } = target
        found(await findCollection(scope, database.read, collectionId))
        for (let round = 1; round <= maxRounds; round++) {
          const existing = await findByExternalId(scope, database.read, collectionId, externalId)
          if (existing !== undefined && ifNoneMatch) throw alreadyThere(externalId)
          if (existing === undefined) {
            if (ifMatch !== null) throw new ServiceError('precondition_failed')
            // The name of a new document is the name of its file.
            const { title, metadata } = fields
            const made = await create(
              dependencies,
              caller,
              withoutUndefined<UploadFields>({ ...target, title, metadata }),
              incoming,
              { id: dependencies.newId('document'), action: 'document.put', also, audit },
            )
            if ('row' in made) return { row: made.row, outcome: 'created' }
          } else {
            const replaced = await replace(dependencies, caller, existing.id, fields, incoming, {
              ifMatch,
              action: 'document.put',
              details: { externalId },
              externalId,
              also,
              audit,
            })
            if (replaced !== null) return replaced
          }
        }
        throw new ServiceError(
          'concurrent_change',
          'Others make, change and delete the document all the time: try again',
          { details: { resource: 'document', id: externalId } },
        )
      }),

    /** Adds a version to a document, with or without an external id. Throws 404 and the errors of `upsert`. */
    replace: (caller: Caller, id: string, file: ReceivedFile, replacement: Replacement): Promise<Upserted> =>
      withIncomingFile(dependencies, file, async incoming => {
        for (let round = 1; round <= maxRounds; round++) {
          const replaced = await replace(dependencies, caller, id, {}, incoming, replacement)
          if (replaced !== null) return replaced
        }
        throw notFound()
      }),
  }
}

/** Like `upsert` if the fields name an external id, otherwise like `takeIn`. */
export async function takeFile(
  uploads: Uploads,
  caller: Caller,
  fields: UploadFields,
  file: ReceivedFile,
  made: { id?: string; audit?: AuditRecorder } = {},
): Promise<Upserted> {
  const { collectionId, externalId, ...given } = fields
  if (externalId === undefined) {
    return { row: await uploads.takeIn(caller, fields, file, made), outcome: 'created' }
  }
  const conditions = { ifMatch: null, ifNoneMatch: false, audit: made.audit }
  return uploads.upsert(caller, { collectionId, externalId }, given, file, conditions)
}

/** If the external id is taken, returns the id of the document that has it. */
async function create(
  dependencies: UploadDependencies,
  caller: Caller,
  fields: UploadFields,
  incoming: IncomingFile,
  {
    id,
    action,
    also,
    audit = dependencies.audit,
  }: { id: string } & Pick<Replacement, 'action' | 'also' | 'audit'>,
): Promise<{ row: DocumentRow } | { taken: string }> {
  const { database, jobs, limits } = dependencies
  const { scope } = caller
  const { name, sizeBytes: bytes } = incoming.received
  const placed = await incoming.place()
  const made = await database.write(async tx => {
    await lockStorage(limits, caller, tx)
    const collection = await lockCollection(scope, tx, fields.collectionId)
    if (collection === undefined) throw unknownCollection()
    if (fields.externalId !== undefined) {
      const same = await findByExternalId(scope, tx, fields.collectionId, fields.externalId)
      if (same !== undefined) return { taken: same.id }
    }
    await requireStorage(limits, caller, tx, bytes)
    const row = await insertDocument(
      scope,
      tx,
      newDocument(dependencies, caller, fields, incoming.received, { id, ...placed }),
    )
    await addToCollection(scope, tx, fields.collectionId, { documents: 1, bytes, storedBytes: bytes })
    await jobs.enqueue(tx, ingestJob(scope, id, 1))
    await audit.record(tx, caller, {
      action,
      resourceId: id,
      details: { name, collectionId: fields.collectionId, sizeBytes: bytes },
    })
    await also?.(tx, { row, outcome: 'created' })
    return { row }
  })
  if ('row' in made) incoming.keep()
  return made
}

/** Null if the document is gone, or no longer has the expected external id. */
async function replace(
  dependencies: UploadDependencies,
  caller: Caller,
  id: string,
  change: DocumentChange,
  incoming: IncomingFile,
  replacement: Replacement,
): Promise<Upserted | null> {
  const { database, limits } = dependencies
  const { audit = dependencies.audit } = replacement
  const { scope } = caller
  const { name, sizeBytes, sha256 } = incoming.received
  const named = { ...change, name: name === '' ? change.name : name }
  const current = await findDocument(scope, database.read, id)
  if (current === undefined) return null
  const placed = current.sha256 === sha256 && !replacement.isAgain ? null : await incoming.place()
  const replaced = await database.write(async tx => {
    const row = await lockDocument(scope, tx, id)
    if (
      row === undefined ||
      (replacement.externalId !== undefined && row.external_id !== replacement.externalId)
    )
      return null
    checkRevision(replacement.ifMatch, row)
    await keepFromDeletion(tx, row)
    const record = (details: Record<string, unknown>) =>
      audit.record(tx, caller, {
        action: replacement.action,
        resourceId: id,
        details: { ...details, ...replacement.details },
      })
    const ended = async (upserted: DocumentRow, outcome: Outcome): Promise<Upserted> => {
      await replacement.also?.(tx, { row: upserted, outcome })
      return { row: upserted, outcome }
    }
    if (replacement.isAgain) requireSettled(row)
    else if (row.sha256 === sha256) {
      const changed = await describe(dependencies, caller, tx, row, named)
      if (changed.length > 0) await record({ changed })
      return ended(found(await findDocument(scope, tx, id)), 'unchanged')
    }
    // The content was the same a moment ago, so the file was not checked or stored. The caller starts again.
    if (placed === null) return null
    await lockStorage(limits, caller, tx)
    await requireStorage(limits, caller, tx, sizeBytes)
    const version = await replaceContent(dependencies, caller, tx, row, named, {
      file: incoming.received,
      ...placed,
    })
    await record({ version, sizeBytes })
    return ended(found(await findDocument(scope, tx, id)), 'changed')
  })
  if (replaced?.outcome === 'changed') incoming.keep()
  return replaced
}

function requireSettled({ status }: DocumentRow): void {
  if (status === 'ready' || status === 'failed') return
  throw new ServiceError(
    'document_in_progress',
    `The document is ${status}: wait until it is ready or failed`,
    {
      details: { status },
    },
  )
}

/** Used for uploads, changes of the external id, and restores from the trash. */
export const externalIdTaken = (externalId: string, id: string): ServiceError =>
  new ServiceError(
    'already_exists',
    `The collection has a document ${id} with the external id ${externalId} already`,
    { details: { resource: 'document', field: 'externalId', id } },
  )

const alreadyThere = (externalId: string): ServiceError =>
  new ServiceError('precondition_failed', `There is a document with the external id ${externalId} already`)

/** A received file. It is checked and moved to its place once, and deleted if no document keeps it. */
type IncomingFile = {
  received: ReceivedFile
  /** Makes the file permanent. Throws for unsupported content. */
  place(): Promise<PlacedFile>
  /** Keeps the file: once the transaction is committed, a row names its blob. */
  keep(): void
}

type PlacedFile = { blobId: string; mediaType: string }

/** Runs `work`. Afterwards it removes a placed file that no row names, even if `work` fails. */
async function withIncomingFile<T>(
  { blobs, newId, converted }: Pick<UploadDependencies, 'blobs' | 'newId' | 'converted'>,
  received: ReceivedFile,
  work: (incoming: IncomingFile) => Promise<T>,
): Promise<T> {
  const file: { placed: PlacedFile | null; isKept: boolean } = { placed: null, isKept: false }
  try {
    return await work({
      received,
      async place() {
        if (file.placed !== null) return file.placed
        const mediaType = await requireSupported(received, converted)
        const blobId = newId('blob')
        await blobs.adopt(received, blobId)
        file.placed = { blobId, mediaType }
        return file.placed
      },
      keep() {
        file.isKept = true
      },
    })
  } catch (error) {
    // If the database failed during the commit, a row may name the file. If no row does, the sweep removes the file.
    if (isUnavailable(error)) file.isKept = true
    throw error
  } finally {
    if (file.placed !== null && !file.isKept) await blobs.remove(file.placed.blobId)
  }
}

/** The first row of a new document. */
function newDocument(
  { clock }: { clock: Clock },
  { scope: { workspaceId, environment } }: Caller,
  fields: UploadFields,
  file: ReceivedFile,
  made: PlacedFile & { id: string },
): NewDocumentRow {
  const now = clock()
  return {
    id: made.id,
    workspace_id: workspaceId,
    environment,
    collection_id: fields.collectionId,
    external_id: fields.externalId ?? null,
    // A text in a JSON body may come without a name.
    name: file.name === '' ? safeName(fields.title ?? '') : file.name,
    title: fields.title ?? null,
    given_title: fields.title ?? null,
    media_type: made.mediaType,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    version: 1,
    served_version: null,
    status: 'queued',
    progress: 0,
    error_code: null,
    error_message: null,
    metadata: encodeJson(fields.metadata ?? {}),
    blob_id: made.blobId,
    text_length: null,
    page_count: null,
    warnings: encodeJson([]),
    chunk_count: 0,
    deleted_at: null,
    erase_at: null,
    created_at: now,
    updated_at: now,
    revision: 1,
  }
}

/** The media type, detected from the content. Throws 400 for an empty file and 415 naming the supported types. */
export async function requireSupported(file: ReceivedFile, converted: ReadonlySet<Conversion>) {
  if (file.sizeBytes === 0) throw invalidField('file', 'is empty')
  const sniffed = takenOf(await sniffFile(file.path, file.name), converted)
  if (sniffed.format === null) throw unsupported(sniffed.seemsToBe, converted)
  const { mediaType, label, isWhole } = formats[sniffed.format]
  if (isWhole === true && file.sizeBytes > maxTextBytes) {
    throw tooLarge(`The file, ${label},`, maxTextBytes, {
      remedy: `, and a document has at most ${maxTextLength} characters: split it into several files`,
      field: 'file',
      actual: file.sizeBytes,
    })
  }
  return mediaType
}

/** More than the uploads in progress at any time. Each may be as large as the plan's upload limit. */
const uploadsBeside = 100

/**
 * Keeps the result of `requireStorage` valid until the transaction ends. On PostgreSQL, two concurrent transactions
 * would otherwise both count the same free room. If there is room for all uploads in progress they run together,
 * otherwise in turns. Call this after locking a document and before locking its collection.
 */
export async function lockStorage(limits: Limits, caller: Caller, tx: Tx): Promise<void> {
  if (engineOf(tx) === 'sqlite') return
  const { scope } = caller
  const { storageBytes, uploadBytes } = limits.of(caller)
  const isRoomy = async (): Promise<boolean> =>
    (await usedStorage(scope, tx)) + uploadsBeside * uploadBytes <= storageBytes
  const name = `storage ${scope.workspaceId} ${scope.environment}`
  if (await isRoomy()) {
    await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(tx)
    if (await isRoomy()) return
  }
  await takeTurn(tx, name)
}

/** Throws 400 for a collection that does not exist for the scope. */
export async function requireCollection(scope: Scope, query: Query, id: string): Promise<void> {
  if ((await findCollection(scope, query, id)) === undefined) throw unknownCollection()
}

const unknownCollection = (): ServiceError =>
  invalidField('collectionId', 'There is no collection with this id')

function unsupported(seemsToBe: string, converted: ReadonlySet<Conversion>): ServiceError {
  const accepted = supportedTypes(converted)
  return new ServiceError(
    'unsupported_media_type',
    `The file seems to be ${seemsToBe}, which is not supported. Supported: ${accepted.join(', ')}`,
    {
      errors: [{ field: 'file', message: `seems to be ${seemsToBe}, which is not supported` }],
      details: { accepted, detected: seemsToBe },
    },
  )
}
