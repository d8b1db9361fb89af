/** Restores a backup into either database: everything in one transaction, or nothing. The server must not run. */
import { createReadStream } from 'node:fs'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createReindexService } from '../../features/knowledge/processing/reindex-service.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { createFolderBlobs } from '../../platform/blobs/folder.ts'
import { dayMs, systemClock } from '../../platform/clock.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import { checkCanary } from '../../platform/crypto/open-keyring.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { migrations } from '../../platform/database/migrations.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { createIds } from '../../platform/ids.ts'
import { makeFolder } from '../../platform/private-files.ts'
import type { Settings } from '../../settings/settings.ts'
import { databaseSettings } from '../../start/dependencies.ts'
import { OperatorError } from '../errors.ts'
import { keepServersOut } from '../session.ts'
import { filePath, type Manifest, readManifest, readTable, secretPath, tablePath } from './archive.ts'
import { type BackedUpTable, backedUpTables, derivedTables, type Row } from './snapshot.ts'

/** Throws a one-line error if a server runs, the data is not empty (unless `replace`), or the backup does not fit. */
export async function restoreBackup(
  settings: Settings,
  folder: string,
  options: { replace: boolean; progress: (line: string) => void },
) {
  const manifest = await readManifest(folder)
  checkVersion(manifest)
  makeFolder(settings.dataDir)
  const release = await keepServersOut(settings, 'atrium-restore')
  try {
    const database = await openDatabase({ ...databaseSettings(settings), transactionTimeoutMs: dayMs })
    try {
      if (!options.replace) await checkEmpty(database)
      const blobs = await createFolderBlobs({
        folder: join(settings.dataDir, 'files'),
        newId: createIds(systemClock),
      })
      const documents = await database.write(tx =>
        fill(tx, database, blobs, settings, folder, manifest, options.progress),
      )
      return { manifest, documents }
    } finally {
      await database.close()
    }
  } finally {
    release()
  }
}

async function fill(
  tx: Tx,
  database: Database,
  blobs: BlobStore,
  settings: Settings,
  folder: string,
  manifest: Manifest,
  progress: (line: string) => void,
): Promise<number> {
  await clear(tx, database)
  for (const table of backedUpTables) {
    const entry = manifest.tables[table]
    if (entry === undefined) throw new OperatorError(`The backup has no table ${table}`)
    for await (const rows of readTable(tablePath(folder, table), entry, rowsAtOnce)) {
      await insertRows(tx, table, rows)
      if (table === 'documents' || table === 'document_versions')
        await restoreFiles(blobs, folder, manifest, rows)
    }
    progress(`${table}: ${entry.rows} rows`)
  }
  // The workers of these jobs do not exist here, so other workers take them at once, as after a crash.
  await tx.updateTable('jobs').set({ lease_until: 0 }).where('state', '=', 'running').execute()
  const secret = await secretOf(settings, folder, manifest)
  // The same check as at a server's start, on the rows that this transaction has written.
  await checkCanary({ ...database, write: work => work(tx) }, createKeyring(secret))
  const documents = await createReindexService({ database, clock: systemClock }).rebuildWithin(tx)
  progress(`search index: ${documents} documents`)
  if (manifest.hasSecret && settings.secret === null) await placeSecret(settings, folder)
  return documents
}

const rowsAtOnce = 500
/** Both engines accept more parameters; SQLite 32,766. */
const maxParameters = 30_000

/** The backup's rows name the columns: the schema is the same for both engines. */
async function insertRows(tx: Tx, table: BackedUpTable, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const perStatement = Math.floor(maxParameters / Math.max(1, columns.length))
  for (let start = 0; start < rows.length; start += perStatement) {
    const tuples = rows
      .slice(start, start + perStatement)
      .map(row => sql`(${sql.join(columns.map(column => row[column]))})`)
    const names = sql.join(columns.map(column => sql.ref(column)))
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(tuples)}`.execute(tx)
  }
}

/** Also deletes the rows that a migration or a first start has put into an otherwise empty database. */
async function clear(tx: Tx, { engine }: Database): Promise<void> {
  const tables = [...derivedTables, ...[...backedUpTables].reverse()]
  if (engine === 'postgres') {
    await sql`truncate ${sql.join(tables.map(table => sql.table(table)))} restart identity cascade`.execute(
      tx,
    )
    return
  }
  for (const table of tables) {
    if (table === 'search_postings') {
      await sql`insert into search_postings (search_postings) values ('delete-all')`.execute(tx)
    } else {
      await sql`delete from ${sql.table(table)}`.execute(tx)
    }
  }
}

/** Files are written before the transaction commits: a failure leaves too many files, never too few. */
async function restoreFiles(blobs: BlobStore, folder: string, manifest: Manifest, versions: readonly Row[]) {
  for (const row of versions) {
    const { blob_id: blobId, sha256, name, media_type: statedMediaType, erase_at: eraseAt } = row
    const path = filePath(folder, String(blobId))
    if (manifest.missingFiles.includes(String(blobId))) continue
    // A document that was being erased may already have lost its files, including those of its versions.
    const mayBeGone = row.document_id !== undefined || typeof eraseAt === 'number'
    if (mayBeGone && (await stat(path).catch(() => null)) === null) continue
    const received = await blobs.receive(createReadStream(path), {
      name: String(name),
      statedMediaType: String(statedMediaType),
      maxBytes: Number.MAX_SAFE_INTEGER,
    })
    if (received.sha256 !== sha256) {
      await blobs.discard(received)
      throw new OperatorError(
        `${path} is damaged: it is not the file of the document ${String(row.document_id ?? row.id)}`,
      )
    }
    await blobs.adopt(received, String(blobId))
  }
}

/** ATRIUM_SECRET if it is set, otherwise the backup's secret, otherwise the data folder's. */
async function secretOf(settings: Settings, folder: string, manifest: Manifest): Promise<string> {
  if (settings.secret !== null) return settings.secret
  const path = manifest.hasSecret ? secretPath(folder) : join(settings.dataDir, 'secret')
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null)
    throw new OperatorError('The backup holds no secret: set ATRIUM_SECRET to the one it was made under')
  return text.trim()
}

/** The last step before the commit. The previous secret is kept beside the new one. */
async function placeSecret(settings: Settings, folder: string): Promise<void> {
  const path = join(settings.dataDir, 'secret')
  const present = await readFile(path, 'utf8').catch(() => null)
  if (present === (await readFile(secretPath(folder), 'utf8'))) return
  if (present !== null) await rename(path, `${path}.before-restore-${Date.now()}`)
  // Written, not copied: a copied file would keep the access rights of a backup that was carried elsewhere.
  await writeFile(path, await readFile(secretPath(folder)), { mode: 0o600, flush: true })
}

function checkVersion({ schemaVersion }: Manifest): void {
  const known = Math.max(...migrations.map(({ number }) => number))
  if (schemaVersion === known) return
  throw new OperatorError(
    `The backup has schema ${schemaVersion}, this version of Atrium has schema ${known}: restore it with the version that made it, then upgrade`,
  )
}

async function checkEmpty(database: Database): Promise<void> {
  const any = await database.read.selectFrom('workspaces').select('slug').limit(1).executeTakeFirst()
  if (any === undefined) return
  throw new OperatorError(
    `There is data already (workspace ${any.slug}): give another data folder or database, or --replace to erase it`,
  )
}
