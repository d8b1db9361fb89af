/** Many files in one request, with zips unpacked. Each file is judged by itself: a bad one does not affect others. */
import { open } from 'node:fs/promises'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditRecorder, AuditService } from '../../audit/service.ts'
import { type Limits, requireStorage } from '../../limits/service.ts'
import { requireCollection, requireSupported, takeFile, type Uploads } from '../documents/document-uploads.ts'
import { presentDocument } from '../documents/documents-service.ts'
import type { Conversion } from '../parsing/formats.ts'
import { isZip, sniffFile } from '../parsing/sniff.ts'
import { findByExternalId, findDocument } from '../records/documents-store.ts'
import type { UploadFields } from '../records/schemas.ts'
import { faultOfPath, type UnpackBudget, type UnpackedEntry, unpackZip, ZipRefusal } from './unpack-zip.ts'
import { type Batch, type BatchFields, type BatchFile, maxZipEntries } from './upload-schemas.ts'

/** The zips of one request may together unpack to this many files of the largest size. */
const maxFilesOfFullSize = 4

/** A file as it was sent, with its folders. A file that was refused on arrival has the reason. */
export type SentFile =
  | { sentAs: string; file: ReceivedFile; refusal: null }
  | { sentAs: string; file: null; refusal: ServiceError }

export type BatchService = ReturnType<typeof createBatchService>

type Dependencies = Pick<Platform, 'database' | 'blobs'> & {
  limits: Limits
  audit: AuditService
  uploads: Uploads
  converted: ReadonlySet<Conversion>
}

/** One request in progress. */
type Taking = {
  caller: Caller
  fields: BatchFields
  dryRun: boolean
  /** The external ids of the files that were taken already. */
  seen: Set<string>
  outcomes: BatchFile[]
  /** One entry of the audit log stands for all files. */
  audit: AuditRecorder
  entriesLeft: number
  budget: UnpackBudget
}

export function createBatchService(dependencies: Dependencies) {
  const { database, blobs, limits } = dependencies

  const takeOne = async (taking: Taking, path: string, file: ReceivedFile): Promise<void> => {
    taking.outcomes.push(await judge(taking, path, () => settle(dependencies, taking, path, file)))
  }

  const takeZip = async (taking: Taking, sentAs: string, zip: ReceivedFile): Promise<void> => {
    const { uploadBytes } = limits.of(taking.caller)
    const allowed = { entries: taking.entriesLeft, entryBytes: uploadBytes }
    try {
      for await (const entry of unpackZip(zip.path, allowed, taking.budget)) {
        taking.entriesLeft -= 1
        taking.outcomes.push(await judge(taking, entry.path, () => takeEntry(taking, entry, uploadBytes)))
      }
    } catch (error) {
      taking.outcomes.push(rejected(taking, sentAs, error))
    }
  }

  const takeEntry = async (taking: Taking, entry: UnpackedEntry, maxBytes: number): Promise<Settled> => {
    const stream = await entry.open()
    const file = await blobs.receive(stream, { name: entry.path, statedMediaType: '', maxBytes })
    try {
      return await settle(dependencies, taking, entry.path, file)
    } finally {
      await blobs.discard(file)
    }
  }

  return {
    /**
     * Takes every file that can be taken, and returns what became of each, in order. A fault of ours ends the request
     * with an error. The files taken by then stay, and the same request finds them unchanged.
     */
    async take(
      caller: Caller,
      fields: BatchFields,
      files: readonly SentFile[],
      { dryRun }: { dryRun: boolean },
    ): Promise<Batch> {
      await requireCollection(caller.scope, database.read, fields.collectionId)
      const budget = { leftBytes: limits.of(caller).uploadBytes * maxFilesOfFullSize }
      const begun = { seen: new Set<string>(), outcomes: [], entriesLeft: maxZipEntries, budget }
      const audit = dependencies.audit.partsOf({
        action: 'document.batch',
        resourceId: fields.collectionId,
        details: { files: files.length },
      })
      const taking: Taking = { caller, fields, dryRun, audit, ...begun }
      for (const { sentAs, file, refusal } of files) {
        const path = sentAs.replaceAll('\\', '/').replace(/^(\.\/)+/, '')
        if (refusal !== null) taking.outcomes.push(rejected(taking, path, refusal))
        else if (await isArchive(file)) await takeZip(taking, path, file)
        else await takeOne(taking, path, file)
      }
      return { dryRun, ...countsOf(taking.outcomes), files: taking.outcomes }
    },
  }
}

type Settled = Pick<BatchFile, 'outcome' | 'document'>

/** True for a zip that is not itself a document, such as a text document or a workbook. */
async function isArchive(file: ReceivedFile): Promise<boolean> {
  const handle = await open(file.path, 'r')
  const head = Buffer.alloc(4)
  await handle.read(head, 0, head.length, 0).finally(() => handle.close())
  if (!isZip(head)) return false
  const sniffed = await sniffFile(file.path, file.name)
  return sniffed.format === null && sniffed.isArchive === true
}

async function judge(taking: Taking, path: string, take: () => Promise<Settled>): Promise<BatchFile> {
  try {
    const fault = faultOfPath(path)
    if (fault !== null) throw new ZipRefusal('unsafe_name', fault)
    const externalId = externalIdOf(taking, path)
    if (externalId !== null && taking.seen.has(externalId)) {
      throw new ServiceError('already_exists', 'The request has a file of this name already', {
        details: { resource: 'document', field: 'externalId', id: null },
      })
    }
    const { outcome, document } = await take()
    if (externalId !== null) taking.seen.add(externalId)
    return { name: path, externalId, outcome, document, error: null }
  } catch (error) {
    return rejected(taking, path, error)
  }
}

async function settle(dependencies: Dependencies, taking: Taking, path: string, sent: ReceivedFile) {
  const { uploads } = dependencies
  const { caller, fields, dryRun, audit } = taking
  const file = { ...sent, name: path }
  const externalId = externalIdOf(taking, path)
  if (dryRun) return foresee(dependencies, caller, fields.collectionId, externalId, file)
  const { collectionId, metadata } = fields
  const given = withoutUndefined<UploadFields>({
    collectionId,
    metadata,
    externalId: externalId ?? undefined,
  })
  const { row, outcome } = await takeFile(uploads, caller, given, file, { audit })
  return { outcome, document: presentDocument(row) }
}

async function foresee(
  { database, limits, converted }: Dependencies,
  caller: Caller,
  collectionId: string,
  externalId: string | null,
  file: ReceivedFile,
): Promise<Settled> {
  const query = database.read
  const same =
    externalId === null ? undefined : await findByExternalId(caller.scope, query, collectionId, externalId)
  const row = same === undefined ? undefined : await findDocument(caller.scope, query, same.id)
  const document = row === undefined ? null : presentDocument(row)
  if (row?.sha256 === file.sha256) return { outcome: 'unchanged', document }
  await requireSupported(file, converted)
  await requireStorage(limits, caller, query, file.sizeBytes)
  return { outcome: row === undefined ? 'created' : 'changed', document }
}

const externalIdOf = ({ fields }: Taking, path: string): string | null =>
  fields.externalIds === 'none' ? null : path

/** The outcome of a rejected file. Rethrows an error that is not the file's fault. */
function rejected(taking: Taking, path: string, error: unknown): BatchFile {
  const isTheirs = error instanceof ZipRefusal || (error instanceof ServiceError && error.statusCode < 500)
  if (!isTheirs) throw error
  const [fault] = error instanceof ServiceError ? error.errors : []
  const message = fault === undefined ? error.message : `The ${fault.field} ${fault.message}`
  return {
    name: path,
    externalId: externalIdOf(taking, path),
    outcome: 'rejected',
    document: null,
    error: { code: error.code, message },
  }
}

function countsOf(files: readonly BatchFile[]): Omit<Batch, 'dryRun' | 'files'> {
  const counts = { created: 0, changed: 0, unchanged: 0, rejected: 0 }
  for (const { outcome } of files) counts[outcome] += 1
  return counts
}
