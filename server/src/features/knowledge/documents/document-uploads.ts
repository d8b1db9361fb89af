/** Taking a received file in, as a new document or as the next version of one, and queued in the transaction of its record. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { BlobStore, ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { notFound, ServiceError } from '../../../platform/errors.ts'
import type { Faults } from '../../../platform/faults.ts'
import type { NewId } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditRecorder, AuditService } from '../../audit/service.ts'
import type { Limits } from '../../limits/service.ts'
import { requireStorage } from '../../limits/storage-service.ts'
import { addToCollection, findCollection, lockCollection } from '../records/collections-store.ts'
import { ingestJob } from '../records/document-jobs.ts'
import {
  type DocumentRow,
  findByExternalId,
  findDocument,
  insertDocument,
  lockDocument,
} from '../records/documents-store.ts'
import type { UploadFields } from '../records/schemas.ts'
import { type DocumentChange, describe, replaceContent } from './document-changes.ts'
import { type IncomingFile, withIncomingFile } from './incoming-file.ts'
import { newDocument } from './new-document.ts'
import { lockStorage, unknownCollection } from './upload-checks.ts'

/** What became of the content: `unchanged` was there already, though title, metadata or name may be new. */
export type Outcome = 'created' | 'changed' | 'unchanged'

export type Upserted = { row: DocumentRow; outcome: Outcome }

/** The ETags of the request; `ifNoneMatch` is true where the document must not exist yet. `also` belongs to the change. */
export type Preconditions = {
  ifMatch: string | null
  ifNoneMatch: boolean
  also?: Also
  /** Present where the change is a part of another one, and is recorded as such. */
  audit?: AuditRecorder
}

type Made = { id?: string; audit?: AuditRecorder }

export type Uploads = {
  /**
   * A new document. Throws 400 for an unknown collection and an empty file, 409 `conflict` where the collection has a
   * document of this external id, 415 naming what is taken, and 403 `storage_limit`. The file is taken over. `id` is
   * the document's, where it was chosen before, so that what is tried again finds it.
   */
  takeIn(caller: Caller, fields: UploadFields, file: ReceivedFile, made?: Made): Promise<DocumentRow>
  /**
   * Makes the document with this external id what it is said to be: new, with a new version where the content
   * differs from its latest one, or left as it is. Title and metadata that are not given stay. Throws 404 for an
   * unknown collection, 412 where a precondition does not hold, and what `takeIn` throws. `also` belongs to the same
   * transaction.
   */
  upsert(
    caller: Caller,
    target: { collectionId: string; externalId: string },
    fields: DocumentChange,
    file: ReceivedFile,
    preconditions?: Preconditions,
  ): Promise<Upserted>
  /** The next version of a document that exists, whatever its external id. Throws 404 and what `upsert` throws. */
  replace(caller: Caller, id: string, file: ReceivedFile, told: Told): Promise<Upserted>
}

type Also = (tx: Tx, upserted: Upserted) => Promise<void>

/** What the audit log shall say, and what must hold of the document once it is locked. */
type Told = {
  ifMatch: string | null
  action: string
  details?: Record<string, unknown>
  externalId?: string
  /** The present content makes a version too, unless one is under way: that is a `conflict`. */
  isAgain?: boolean
  also?: Also | undefined
  audit?: AuditRecorder | undefined
}

/** Two that make or change the same document at once meet in one round, and not in the next. */
const maxRounds = 5

export type UploadDependencies = {
  database: Database
  blobs: BlobStore
  jobs: Jobs
  limits: Limits
  audit: AuditService
  clock: Clock
  newId: NewId
  faults: Faults
}

export function createUploads(dependencies: UploadDependencies): Uploads {
  const { database } = dependencies
  return {
    takeIn: (caller, fields, file, { id = dependencies.newId('document'), audit } = {}) =>
      withIncomingFile(dependencies, file, async incoming => {
        if ((await findCollection(caller.scope, database.read, fields.collectionId)) === undefined) {
          throw unknownCollection()
        }
        const told = { id, action: 'document.create', audit }
        const made = await create(dependencies, caller, fields, incoming, told)
        if ('taken' in made) throw externalIdTaken(fields.externalId ?? '', made.taken)
        return made.row
      }),

    upsert: (caller, target, fields, file, { ifMatch, ifNoneMatch, also, audit } = unconditional) =>
      withIncomingFile(dependencies, file, async incoming => {
        const { scope } = caller
        const { collectionId, externalId } = target
        if ((await findCollection(scope, database.read, collectionId)) === undefined) throw notFound()
        for (let round = 1; round <= maxRounds; round++) {
          const existing = await findByExternalId(scope, database.read, collectionId, externalId)
          if (existing !== undefined && ifNoneMatch) throw alreadyThere(externalId)
          if (existing === undefined) {
            if (ifMatch !== null) throw new ServiceError('precondition_failed')
            const made = await create(dependencies, caller, { ...said(fields), ...target }, incoming, {
              id: dependencies.newId('document'),
              action: 'document.put',
              also,
              audit,
            })
            if ('row' in made) return { row: made.row, outcome: 'created' }
          } else {
            const details = { externalId }
            const told = { ifMatch, action: 'document.put', details, externalId, also, audit }
            const replaced = await replace(dependencies, caller, existing.id, fields, incoming, told)
            if (replaced !== null) return replaced
          }
        }
        throw new ServiceError(
          'conflict',
          'Others make, change and delete the document all the time: try again',
        )
      }),

    replace: (caller, id, file, told) =>
      withIncomingFile(dependencies, file, async incoming => {
        for (let round = 1; round <= maxRounds; round++) {
          const replaced = await replace(dependencies, caller, id, {}, incoming, told)
          if (replaced !== null) return replaced
        }
        throw notFound()
      }),
  }
}

/** A crash in the middle leaves a file that no row names, or both. */
async function commit<T>({ database, faults }: UploadDependencies, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await database.write(async tx => {
    const value = await work(tx)
    faults.reach('upload.before-commit')
    return value
  })
  faults.reach('upload.committed')
  return result
}

/** Answers the id of the document that has the external id already, where there is one. */
async function create(
  dependencies: UploadDependencies,
  caller: Caller,
  fields: UploadFields,
  incoming: IncomingFile,
  told: { id: string } & Pick<Told, 'action' | 'also' | 'audit'>,
): Promise<{ row: DocumentRow } | { taken: string }> {
  const { database, jobs, limits } = dependencies
  const { id, action, also, audit = dependencies.audit } = told
  const { scope } = caller
  const { name, sizeBytes: bytes } = incoming.received
  const mediaType = await incoming.mediaType()
  const blobId = await incoming.place()
  const made = await commit(dependencies, async tx => {
    await lockStorage(limits, caller, tx, database.engine)
    const collection = await lockCollection(scope, tx, database.engine, fields.collectionId)
    if (collection === undefined) throw unknownCollection()
    if (fields.externalId !== undefined) {
      const same = await findByExternalId(scope, tx, fields.collectionId, fields.externalId)
      if (same !== undefined) return { taken: same.id }
    }
    await requireStorage(limits, caller, tx, bytes)
    const row = await insertDocument(
      scope,
      tx,
      newDocument(dependencies, caller, fields, incoming.received, { id, blobId, mediaType }),
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

/** Null where the document is gone, or another one than was meant by now. */
async function replace(
  dependencies: UploadDependencies,
  caller: Caller,
  id: string,
  change: DocumentChange,
  incoming: IncomingFile,
  told: Told,
): Promise<Upserted | null> {
  const { database, jobs, limits, clock } = dependencies
  const { audit = dependencies.audit } = told
  const { scope } = caller
  const { name, sizeBytes, sha256 } = incoming.received
  const named = { ...change, name: name === '' ? change.name : name }
  const current = await findDocument(scope, database.read, id)
  if (current === undefined) return null
  const placed = current.sha256 === sha256 && !told.isAgain ? null : await placeOf(incoming)
  const replaced = await commit(dependencies, async tx => {
    const row = await lockDocument(scope, tx, database.engine, id)
    if (row === undefined || (told.externalId !== undefined && row.external_id !== told.externalId))
      return null
    checkRevision(told.ifMatch, row)
    const record = (details: Record<string, unknown>) =>
      audit.record(tx, caller, {
        action: told.action,
        resourceId: id,
        details: { ...details, ...told.details },
      })
    const ended = async (upserted: DocumentRow, outcome: Outcome): Promise<Upserted> => {
      await told.also?.(tx, { row: upserted, outcome })
      return { row: upserted, outcome }
    }
    if (told.isAgain) requireSettled(row)
    else if (row.sha256 === sha256) {
      const changed = await describe({ jobs, clock }, caller, tx, row, named)
      if (changed.length > 0) await record({ changed })
      return ended(found(await findDocument(scope, tx, id)), 'unchanged')
    }
    // It was the same a moment ago, and the file has not been looked at: once more from the beginning.
    if (placed === null) return null
    await lockStorage(limits, caller, tx, database.engine)
    await requireStorage(limits, caller, tx, sizeBytes)
    const version = await replaceContent({ jobs, clock }, caller, tx, row, named, {
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
  throw new ServiceError('conflict', `The document is ${status}: wait until it is ready or failed`)
}

const placeOf = async (incoming: IncomingFile): Promise<{ mediaType: string; blobId: string }> => ({
  mediaType: await incoming.mediaType(),
  blobId: await incoming.place(),
})

/** The name of a new document is its file's. */
const said = ({ title, metadata }: DocumentChange): Pick<UploadFields, 'title' | 'metadata'> =>
  withoutUndefined({
    title,
    metadata,
  })

const unconditional: Preconditions = { ifMatch: null, ifNoneMatch: false }

function found(row: DocumentRow | undefined): DocumentRow {
  if (row === undefined) throw notFound()
  return row
}

/** Also for a change of the id and a restore from the trash. */
export const externalIdTaken = (externalId: string, id: string): ServiceError =>
  new ServiceError(
    'conflict',
    `The collection has a document ${id} with the external id ${externalId} already`,
  )

const alreadyThere = (externalId: string): ServiceError =>
  new ServiceError('precondition_failed', `There is a document with the external id ${externalId} already`)
