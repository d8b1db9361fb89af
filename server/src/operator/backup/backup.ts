/** Makes a backup: one consistent view of the records, the files that they name, and the secret that opens them. */
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { toTimestamp } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import { makeFolder } from '../../platform/private-files.ts'
import { databaseSettings } from '../../start/dependencies.ts'
import { OperatorError } from '../errors.ts'
import type { Session } from '../session.ts'
import {
  filePath,
  type Manifest,
  manifestPath,
  secretPath,
  type TableEntry,
  tablePath,
  writeTable,
} from './archive.ts'
import { backedUpTables, openSnapshot, type Snapshot } from './snapshot.ts'

/** A file that is erased during the backup is in the view but not on the disk. Then the backup begins again. */
const maxAttempts = 3

/**
 * Writes the folder, which must be missing or empty; it gets its final name only when it is complete. Others may go
 * on writing: changes that they commit after the beginning are not in the backup.
 */
export async function makeBackup(session: Session, folder: string, progress: (line: string) => void) {
  const target = resolve(folder)
  await checkTarget(target)
  makeFolder(dirname(target))
  const unfinished = `${target}.unfinished-${process.pid}`
  try {
    for (let attempt = 1; ; attempt++) {
      await mkdir(join(unfinished, 'tables'), { recursive: true, mode: 0o700 })
      await mkdir(join(unfinished, 'files'), { recursive: true, mode: 0o700 })
      const manifest = await fillBackup(session, unfinished, attempt === maxAttempts, progress)
      if (manifest !== null) {
        await writeFile(manifestPath(unfinished), `${JSON.stringify(manifest, null, 2)}\n`, {
          mode: 0o600,
          flush: true,
        })
        await rmdir(target).catch(ignoreMissing)
        await rename(unfinished, target)
        return manifest
      }
      progress('Files were erased meanwhile: beginning again')
      await rm(unfinished, { recursive: true })
    }
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Null if a file was erased since the snapshot and `isLast` allows another attempt. */
async function fillBackup(
  session: Session,
  folder: string,
  isLast: boolean,
  progress: (line: string) => void,
): Promise<Manifest | null> {
  const { settings, clock, database } = session
  const snapshot = await openSnapshot(databaseSettings(settings))
  try {
    const createdAt = toTimestamp(clock())
    const tables: Record<string, TableEntry> = {}
    for (const table of backedUpTables) {
      const entry = await writeTable(tablePath(folder, table), snapshot.rows(table))
      tables[table] = entry
      progress(`${table}: ${entry.rows} rows`)
    }
    const { files, erased, missing } = await copyFiles(session, snapshot, folder)
    if (erased > 0 && !isLast) return null
    progress(`files: ${files}`)
    return {
      format: 'atrium-backup-1',
      createdAt,
      engine: database.engine,
      schemaVersion: snapshot.schemaVersion,
      tables,
      files,
      missingFiles: missing,
      hasSecret: await copySecret(session, folder),
    }
  } finally {
    await snapshot.close()
  }
}

async function copyFiles({ blobs, database }: Session, snapshot: Snapshot, folder: string) {
  let files = 0
  let erased = 0
  const missing: string[] = []
  for (const table of ['documents', 'document_versions'] as const) {
    for await (const page of snapshot.rows(table)) {
      for (const { blob_id: blobId } of page as { blob_id: string }[]) {
        const content = await blobs.open(blobId).catch(missingIsNull)
        if (content !== null) {
          await pipeline(content, createWriteStream(filePath(folder, blobId), { mode: 0o600, flush: true }))
          files += 1
        } else if (await isStillNamed(database, blobId)) missing.push(blobId)
        else erased += 1
      }
    }
  }
  return { files, erased, missing }
}

/**
 * Whether a document still names the file. Then the file was lost earlier, and a new attempt cannot find it. A
 * document that is being erased may already have lost its file, so it does not count.
 */
async function isStillNamed({ read }: Database, blobId: string): Promise<boolean> {
  const isKept = sql<boolean>`(erase_at IS NULL OR erase_at > ${Date.now()})`
  const document = await read
    .selectFrom('documents')
    .leftJoin('document_versions', 'document_versions.document_id', 'documents.id')
    .select('documents.id')
    .where(isKept)
    .where(({ eb, or }) =>
      or([eb('documents.blob_id', '=', blobId), eb('document_versions.blob_id', '=', blobId)]),
    )
    .limit(1)
    .executeTakeFirst()
  return document !== undefined
}

/** If the operator sets ATRIUM_SECRET, keeping the secret is the operator's task. */
async function copySecret({ settings }: Session, folder: string): Promise<boolean> {
  if (settings.secret !== null) return false
  const secret = await readFile(join(settings.dataDir, 'secret'))
  await writeFile(secretPath(folder), secret, { mode: 0o600, flush: true })
  return true
}

async function checkTarget(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error.code === 'ENOTDIR' ? new OperatorError(`${target} is a file: a backup is a folder`) : error
  })
  if (names.length > 0)
    throw new OperatorError(`${target} is not empty: name a folder that does not exist yet`)
}

function missingIsNull(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'not_found') return null
  throw error
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
