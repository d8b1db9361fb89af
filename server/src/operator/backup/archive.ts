/**
 * The format of a backup: a folder with `manifest.json`, one `tables/NAME.jsonl.gz` for each table, and the files
 * under `files/`. It includes the master secret if the data folder has it. Both databases use the same format.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { fits } from '../../platform/json-schema/own-schema.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { OperatorError } from '../errors.ts'
import type { Row } from './snapshot.ts'

const TableEntry = Type.Object({ rows: Type.Integer(), sha256: Type.String() })
export type TableEntry = Static<typeof TableEntry>

const Manifest = Type.Object({
  format: Type.Literal('atrium-backup-1'),
  createdAt: Type.String(),
  engine: Type.String(),
  schemaVersion: Type.Integer(),
  tables: Type.Record(Type.String(), TableEntry),
  files: Type.Integer(),
  /** Ids of files that were already missing before the backup. */
  missingFiles: Type.Array(Type.String()),
  hasSecret: Type.Boolean(),
})
export type Manifest = Static<typeof Manifest>

export const tablePath = (folder: string, table: string): string =>
  join(folder, 'tables', `${table}.jsonl.gz`)
export const filePath = (folder: string, blobId: string): string => join(folder, 'files', blobId)
export const secretPath = (folder: string): string => join(folder, 'secret')
export const manifestPath = (folder: string): string => join(folder, 'manifest.json')

/** Throws if the folder holds no complete backup in a format that this version knows. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(manifestPath(folder), 'utf8').catch(() => null)
  if (text === null) throw new OperatorError(`${folder} holds no backup: there is no manifest.json in it`)
  const manifest = parseJson(text)
  if (!fits(Manifest, manifest)) {
    throw new OperatorError(
      `${folder}/manifest.json is not the manifest of a backup that this version can read`,
    )
  }
  return manifest
}

/** Writes a table, one line of JSON for each row. Returns the number of rows and the file's SHA-256 hash. */
export async function writeTable(path: string, pages: AsyncIterable<Row[]>): Promise<TableEntry> {
  let rows = 0
  const lines = async function* () {
    for await (const page of pages) {
      rows += page.length
      yield page.map(row => `${encodeRow(row)}\n`).join('')
    }
  }
  const hash = createHash('sha256')
  await pipeline(
    Readable.from(lines()),
    createGzip(),
    hashing(hash),
    createWriteStream(path, { mode: 0o600, flush: true }),
  )
  return { rows, sha256: hash.digest('hex') }
}

/** The table's rows, page by page. Throws at the end if the file differs from the one that was written. */
export async function* readTable(path: string, entry: TableEntry, rowsAtOnce: number): AsyncGenerator<Row[]> {
  const hash = createHash('sha256')
  const source = createReadStream(path)
  const unpacked = source.pipe(hashing(hash)).pipe(createGunzip())
  source.on('error', error => unpacked.destroy(error))
  let rows = 0
  let page: Row[] = []
  for await (const line of linesOf(unpacked)) {
    page.push(decodeRow(line))
    rows += 1
    if (page.length < rowsAtOnce) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
  if (rows !== entry.rows || hash.digest('hex') !== entry.sha256) {
    throw new OperatorError(`${path} is damaged: it is not the file that the backup's manifest describes`)
  }
}

/** Splits only at line feeds; `node:readline` also splits at separators that JSON does not escape. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  stream.setEncoding('utf8')
  let rest = ''
  for await (const piece of stream) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

const hashing = (hash: ReturnType<typeof createHash>): Transform =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece)
      done(null, piece)
    },
  })

/** JSON has no bytes, so they become `{"$bytes": "base64"}`; none of our columns holds objects. */
const encodeRow = (row: Row): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value,
      ]),
    ),
  )

function decodeRow(line: string): Row {
  const row = JSON.parse(line) as Row
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null && '$bytes' in value
        ? Buffer.from(String(value.$bytes), 'base64')
        : value,
    ]),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
