/** Examines an installation and changes nothing: each part is checked, even if others fail. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { runsBuilt } from '../built.js'
import { parserOptions } from '../features/knowledge/feature.ts'
import { type AttackReport, attackContainer } from '../features/knowledge/parsing/children/attacks.ts'
import { findContainer, warningOf } from '../features/knowledge/parsing/children/find-container.ts'
import { findPgvector } from '../features/knowledge/vectors/sign-indexes-store.ts'
import { createFolderBlobs } from '../platform/blobs/folder.ts'
import { dayMs, hourMs, minuteMs, secondMs, systemClock } from '../platform/clock.ts'
import { createKeyring } from '../platform/crypto/keyring.ts'
import { checkCanary, isUnderSecret } from '../platform/crypto/open-keyring.ts'
import { databaseNow } from '../platform/database/between-processes.ts'
import type { Database } from '../platform/database/database.ts'
import { migrations } from '../platform/database/migrations.ts'
import { openPostgres } from '../platform/database/postgres/postgres.ts'
import { isDataFolderLocked } from '../platform/database/server-lock.ts'
import { openSqlite } from '../platform/database/sqlite/sqlite.ts'
import { createIds } from '../platform/ids.ts'
import { createMailer } from '../platform/mail/mailer.ts'
import { livingNodes } from '../platform/nodes.ts'
import { openPaths } from '../platform/private-files.ts'
import { isLate } from '../platform/schedules/schedules.ts'
import { readTasks, type TaskState } from '../platform/schedules/schedules-store.ts'
import { type Block, readBlocks } from '../platform/watch/watch-files.ts'
import type { Settings } from '../settings/settings.ts'
import { databaseSettings } from '../start/dependencies.ts'
import { missingSecret } from '../start/secret-file.ts'

export type Check = { name: string; ok: boolean; detail: string }
export type Examination = { checks: Check[]; tasks: PeriodicTask[]; attacks: AttackReport[] }

const timeouts = { acquireTimeoutMs: 10 * secondMs, transactionTimeoutMs: 300 * secondMs }
const minFreeBytes = 1024 ** 3
const maxClockSkewMs = 5 * secondMs
const oldestPostgres = 150_000
const documentsAtOnce = 500
const listedAtMost = 5
const newestSchema = Math.max(...migrations.map(({ number }) => number))

export async function examine(settings: Settings): Promise<Examination> {
  const database = await openAsItIs(settings).catch((error: Error) => error)
  let attacks: AttackReport[] = []
  const outside = [
    await check('settings', async () => settingsDetail(settings)),
    await check('code', async () => codeDetail(settings)),
    await check('disk', () => examineDisk(settings.dataDir)),
    await check('mail', () => examineMail(settings)),
    await check('parsers', async () => {
      const found = await examineParsers(settings)
      attacks = found.attacks
      return found.detail
    }),
    await check('blocks', async () => examineBlocks(settings)),
  ]
  if (database instanceof Error)
    return {
      checks: [{ name: 'database', ok: false, detail: database.message }, ...outside],
      tasks: [],
      attacks,
    }
  try {
    let tasks: PeriodicTask[] = []
    const checks = [
      await check('database', () => examineVersion(database)),
      await check('schema', () => examineSchema(database)),
      await check('integrity', () => examineIntegrity(database)),
      await check('secret', () => examineSecret(settings, database)),
      await check('clock', () => examineClock(database)),
      await check('files', () => examineFiles(settings, database)),
      await check('jobs', () => examineJobs(database)),
      await check('tasks', async () => {
        if (await isOlder(database)) return 'known once a server of this version has started'
        const found = await examineTasks(settings, database)
        tasks = found.tasks
        if (found.faults !== null) throw new Error(found.faults)
        return found.summary
      }),
      ...outside,
    ]
    return { checks, tasks, attacks }
  } finally {
    await database.close()
  }
}

/** A check throws its fault, and returns a few words if all is well. */
async function check(name: string, work: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await work() }
  } catch (error) {
    const cause =
      (error as Error).cause instanceof Error ? ` (${((error as Error).cause as Error).message})` : ''
    return { name, ok: false, detail: `${(error as Error).message}${cause}` }
  }
}

/** Opens the database without a schema update, and without making a missing one. */
async function openAsItIs(settings: Settings): Promise<Database> {
  const place = databaseSettings(settings)
  if (place.engine === 'postgres') {
    return openPostgres({ ...timeouts, url: place.url, maxConnections: 2, applicationName: 'atrium-doctor' })
  }
  await stat(place.file).catch(() => {
    throw new Error(`There is no database ${place.file} yet: start the server once`)
  })
  return openSqlite({ ...timeouts, file: place.file, durable: true })
}

async function settingsDetail(settings: Settings): Promise<string> {
  const isPublic = settings.host !== '127.0.0.1' && settings.host !== 'localhost' && settings.host !== '::1'
  if (isPublic && settings.publicUrl === null) {
    throw new Error(
      `The server listens on ${settings.host}, but ATRIUM_PUBLIC_URL is not set: links in mails and OAuth callbacks would point to ${settings.host}`,
    )
  }
  return `read without a fault; data folder ${settings.dataDir}`
}

async function examineVersion({ engine, read }: Database): Promise<string> {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(read)
    return `SQLite ${rows[0]?.version}`
  }
  const { rows } = await sql<{ number: number; name: string }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name
  `.execute(read)
  const [{ number, name } = { number: 0, name: 'unknown' }] = rows
  if (number < oldestPostgres) throw new Error(`PostgreSQL ${name} is too old: 15 or newer is needed`)
  const { rows: icu } = await sql`select 1 from pg_collation where collname = 'und-x-icu'`.execute(read)
  if (icu.length === 0) throw new Error(`PostgreSQL ${name} has no ICU: names cannot be found or sorted by`)
  const pgvector = await findPgvector(read)
  return pgvector === null
    ? `PostgreSQL ${name}, without pgvector 0.8: vectors are searched up to ATRIUM_VECTOR_SCAN_LIMIT`
    : `PostgreSQL ${name}, pgvector ${pgvector.version} ${pgvector.isInstalled ? 'installed' : 'can be installed'}`
}

async function appliedSchema({ read }: Database): Promise<number> {
  const { rows } = await sql<{ number: number }>`select number from schema_migrations`.execute(read)
  return Math.max(0, ...rows.map(({ number }) => number))
}

const isOlder = async (database: Database): Promise<boolean> => (await appliedSchema(database)) < newestSchema

async function examineSchema(database: Database): Promise<string> {
  const applied = await appliedSchema(database)
  if (applied > newestSchema) {
    throw new Error(
      `The database has schema ${applied}, newer than this version's ${newestSchema}: use a newer version`,
    )
  }
  return applied === newestSchema ? `${applied}` : `${applied}; the next start brings it to ${newestSchema}`
}

async function examineIntegrity({ engine, read }: Database): Promise<string> {
  if (engine === 'postgres') {
    const { rows } = await sql<{ name: string }>`
      select indexrelid::regclass::text as name from pg_index where not indisvalid
        and not exists (select 1 from pg_stat_progress_create_index where index_relid = indexrelid)
    `.execute(read)
    if (rows.length > 0) throw new Error(`Invalid indexes: ${rows.map(({ name }) => name).join(', ')}`)
    return 'every index is valid'
  }
  const { rows: faults } = await sql<{
    quick_check: string
  }>`select quick_check from pragma_quick_check`.execute(read)
  const found = faults.map(fault => fault.quick_check).filter(text => text !== 'ok')
  const { rows: orphans } = await sql<{ table: string }>`
    select distinct "table" from pragma_foreign_key_check
  `.execute(read)
  found.push(...orphans.map(({ table }) => `${table} refers to rows that are not there`))
  if (found.length > 0)
    throw new Error(`Damaged, restore a backup: ${found.slice(0, listedAtMost).join('; ')}`)
  return 'the file is sound'
}

async function examineSecret(settings: Settings, database: Database): Promise<string> {
  if (!(await isUnderSecret(database.read)))
    throw new Error('The database was never started: start the server once')
  const file = join(settings.dataDir, 'secret')
  const secret = settings.secret ?? (await readFile(file, 'utf8').catch(reportMissing)).trim()
  await checkCanary(database, createKeyring(secret))
  if (settings.secret !== null) return 'ATRIUM_SECRET opens the data'
  const { mode } = await stat(file)
  if ((mode & 0o077) !== 0) throw new Error(`${file} can be read by others: chmod 600 it`)
  return `${file} opens the data; keep a copy of it`
}

function reportMissing(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' && error.path !== undefined ? missingSecret(error.path) : error
}

async function examineClock({ read }: Database): Promise<string> {
  const { rows } = await sql<{ now: number }>`select ${databaseNow(read)} as now`.execute(read)
  const skewMs = Math.abs((rows[0]?.now ?? 0) - systemClock())
  if (skewMs > maxClockSkewMs) {
    throw new Error(`The database's clock and this machine's differ by ${skewMs} ms: set both by NTP`)
  }
  return `${skewMs} ms from the database's clock`
}

/** Checks the existence and size of each document's file, in the trash or not, and of each earlier version's. */
async function examineFiles(settings: Settings, { read }: Database): Promise<string> {
  const blobs = await createFolderBlobs({
    folder: join(settings.dataDir, 'files'),
    newId: createIds(systemClock),
  })
  const faulty: string[] = []
  let count = 0
  const documents = (after: string): Promise<StoredFile[]> =>
    read
      .selectFrom('documents')
      .select(['id', 'blob_id', 'size_bytes'])
      .where(({ eb, or }) => or([eb('erase_at', 'is', null), eb('erase_at', '>', systemClock())]))
      .where('blob_id', '>', after)
      .orderBy('blob_id')
      .limit(documentsAtOnce)
      .execute()
  const versions = (after: string): Promise<StoredFile[]> =>
    read
      .selectFrom('document_versions')
      .select(['document_id as id', 'blob_id', 'size_bytes'])
      .where('blob_id', '>', after)
      .orderBy('blob_id')
      .limit(documentsAtOnce)
      .execute()
  for (const pageAfter of [documents, versions]) {
    for (let after = ''; ; ) {
      const page = await pageAfter(after)
      for (const { id, blob_id: blobId, size_bytes: sizeBytes } of page) {
        const size = await blobs.size(blobId).catch(() => null)
        if (size !== sizeBytes) faulty.push(id)
      }
      count += page.length
      const last = page.at(-1)
      if (last === undefined) break
      after = last.blob_id
    }
  }
  if (faulty.length > 0) {
    const some = faulty.slice(0, listedAtMost).join(', ')
    throw new Error(`${faulty.length} of ${count} files are missing or have another size: ${some}`)
  }
  return `${count} files are there`
}

type StoredFile = { id: string; blob_id: string; size_bytes: number }

async function examineJobs({ read }: Database): Promise<string> {
  const rows = await read
    .selectFrom('jobs')
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .where('state', '<>', 'done')
    .groupBy('state')
    .execute()
  const words = (state: string): string => (state === 'alone' ? 'waiting to run alone' : state)
  return rows.length === 0
    ? 'none waits'
    : rows.map(({ state, count }) => `${count} ${words(state)}`).join(', ')
}

const blocksListed = 3

/** What blocked servers on this data folder, the latest first. A block that ended a server is a fault for a day. */
function examineBlocks({ dataDir }: Settings): string {
  const blocks = readBlocks(dataDir).reverse()
  if (blocks.length === 0) return 'no server was blocked for 2 seconds'
  const isRecentEnd = ({ at, isEnd }: Block): boolean => isEnd && systemClock() - Date.parse(at) < dayMs
  const ends = blocks.filter(isRecentEnd)
  if (ends.length > 0) {
    throw new Error(
      `Blocked servers were ended ${ends.length} times within a day: ${linesOf(ends)}. Report it with these lines`,
    )
  }
  return `the last blocks: ${linesOf(blocks)}`
}

const linesOf = (blocks: readonly Block[]): string =>
  blocks
    .slice(0, blocksListed)
    .map(({ at, blockedMs, work, among, calls }) => {
      const names = (work === null ? among : [work]).map(({ kind, id, name }) => `${kind} ${name} ${id}`)
      const by = names.length === 0 ? 'no job or request' : names.join(' or ')
      const where = calls[0] === undefined ? '' : ` in ${calls[0]}`
      return `${at}, ${Math.round(blockedMs / 100) / 10} s by ${by}${where}`
    })
    .join('; ')

async function examineDisk(dataDir: string): Promise<string> {
  const { bavail, bsize } = await statfs(dataDir).catch(() => {
    throw new Error(`The data folder ${dataDir} cannot be read`)
  })
  const freeBytes = bavail * bsize
  const free = `${(freeBytes / 1024 ** 3).toFixed(1)} GB free`
  if (freeBytes < minFreeBytes) throw new Error(`${free}: less than 1 GB`)
  const { mode } = await stat(dataDir)
  if ((mode & 0o077) !== 0)
    throw new Error(`Other users of the machine can read the data folder: chmod 700 ${dataDir}`)
  const open = await openPaths(await realpath(dataDir), listedAtMost)
  if (open.length > 0) {
    throw new Error(
      `Other users of the machine could read ${open.join(', ')}: chmod -R go= ${dataDir}, or start the server`,
    )
  }
  return free
}

/** Never a fault: built files and sources do the same. */
const codeDetail = ({ connectorsDir }: Settings): string =>
  runsBuilt({ ATRIUM_CONNECTORS_DIR: connectorsDir ?? '' })
    ? 'a server starts from the built files'
    : 'a server starts from the sources: no build fits them, or ATRIUM_CONNECTORS_DIR is set'

/**
 * Only a fault if the operator asked for the whole container: files are read either way. Attacks a process that reads
 * files from within.
 */
async function examineParsers(settings: Settings): Promise<{ detail: string; attacks: AttackReport[] }> {
  const { folder, container } = parserOptions(settings, null)
  // The server makes its folder itself: made here, it could belong to another user.
  const isMade = existsSync(folder)
  const place = isMade ? folder : await mkdtemp(join(tmpdir(), 'atrium-doctor-'))
  const { has, missing } = await findContainer(place, container)
  const attacks = await attackContainer(place, settings.dataDir, has).finally(() =>
    isMade ? undefined : rm(place, { recursive: true, force: true }),
  )
  const successes = attacks.filter(({ both }) => both === null).map(({ attack }) => attack)
  const holds = successes.length === 0 ? 'every attack was stopped' : `not stopped: ${successes.join(', ')}`
  const faults = missing.map(({ stage, cause }) => `${warningOf(stage)} (${cause})`)
  if (settings.parserContainer === 'required' && faults.length > 0) throw new Error(faults.join('; '))
  const stages = has.size === 0 ? "Node's permissions alone" : `a container (${[...has].join(', ')})`
  return { detail: [`files are read in ${stages}; ${holds}`, ...faults].join('. '), attacks }
}

/** The doctor's attack as a table for people. */
export function attackLines(attacks: readonly AttackReport[]): string[] {
  if (attacks.length === 0) return []
  const stoppedBy = ({ permissions, container, both }: AttackReport): string => {
    if (both === null) return 'nothing'
    const walls = [
      permissions === null ? '' : "Node's permissions",
      container === null ? '' : 'the container',
    ]
    return walls.filter(Boolean).join(' and ') || 'both together'
  }
  const rows = attacks.map(report => [
    `${report.both === null ? '!' : ' '} ${report.attack}`,
    stoppedBy(report),
    report.both ?? '',
  ])
  return tableOf(['  ATTACK OF A FILE THAT TAKES OVER ITS READER', 'STOPPED BY', 'ERROR'], rows)
}

async function examineMail({ smtpUrl, mailFrom }: Settings): Promise<string> {
  const mailer = createMailer({ smtpUrl, from: mailFrom })
  if (!mailer.available) return 'no SMTP_URL: invitations are handed over as links'
  await mailer.verify()
  return 'the mail server answers'
}

// The doctor's report on the server's periodic tasks: how each one goes, and which has not succeeded for long.

/** One line of the table, and one object of `--json`. */
export type PeriodicTask = {
  name: string
  /**
   * Role and machine of the server, for a task that each server runs for itself; null if one server runs it for all.
   */
  server: string | null
  everySeconds: number
  succeededSecondsAgo: number | null
  durationMs: number | null
  failures: number
  error: string | null
  /** Null while the task is well. */
  fault: string | null
}

const failuresToReport = 3
const faultsListed = 5
const shownErrorLength = 100

/** `faults` is null if there are none. */
async function examineTasks(settings: Settings, database: Database) {
  const servers = await runningServers(settings, database)
  const states = await readTasks(database)
  // The states of a server that has ended say nothing about the running servers.
  const known = states.filter(({ server }) => server === null || servers.nameOf(server) !== null)
  const runningMs = Math.max(
    0,
    ...known.flatMap(state => (state.server === null ? [] : [state.registeredAgoMs])),
  )
  const tasks = known.map(state => taskOf(state, servers, runningMs))
  const failing = tasks.filter(({ fault }) => fault !== null)
  const listed = failing.slice(0, faultsListed).map(({ name, fault }) => `"${name}" ${fault}`)
  const more =
    failing.length > faultsListed ? [`and ${failing.length - faultsListed} more, marked by ! below`] : []
  return {
    tasks,
    summary: servers.isAny
      ? `${tasks.length} periodic tasks, none late or failing`
      : 'no server runs: periodic tasks wait for one',
    faults: failing.length === 0 ? null : `${[...listed, ...more].join('; ')}. ${advice}`,
  }
}

const advice =
  'Look for the warnings "A periodic task failed" in the log of the servers and remove their cause; the next round comes by itself. A task that fails at nothing and does not succeed hangs, or no server with ATRIUM_ROLE all or worker runs: start one again'

type RunningServers = {
  isAny: boolean
  /** Role and machine of a running server; null if the server does not run. */
  nameOf(server: string): string | null
}

async function runningServers(settings: Settings, { engine, read }: Database): Promise<RunningServers> {
  if (engine === 'sqlite') {
    const isAny = isDataFolderLocked(settings.dataDir)
    return { isAny, nameOf: () => (isAny ? 'this machine' : null) }
  }
  const names = new Map((await livingNodes(read)).map(({ id, role, host }) => [id, `${role} on ${host}`]))
  return { isAny: names.size > 0, nameOf: server => names.get(server) ?? null }
}

function taskOf(state: TaskState, servers: RunningServers, runningMs: number): PeriodicTask {
  const { name, server, everyMs, succeededAgoMs, durationMs, failures, error } = state
  return {
    name,
    server: server === null ? null : servers.nameOf(server),
    everySeconds: everyMs / secondMs,
    succeededSecondsAgo: succeededAgoMs === null ? null : Math.round(succeededAgoMs / secondMs),
    durationMs,
    failures,
    error,
    fault: faultOf(state, servers.isAny ? runningMs : 0),
  }
}

/**
 * `runningMs`: how long a server that could run the task has been up. A server that has just started is not late yet.
 */
function faultOf(state: TaskState, runningMs: number): string | null {
  const { everyMs, registeredAgoMs, succeededAgoMs, failedAgoMs, failures, error } = state
  if (failures >= failuresToReport) {
    return `failed ${failures} times in a row, last ${ageOf(failedAgoMs)} ago: ${error}`
  }
  const withoutSuccessMs = Math.min(succeededAgoMs ?? registeredAgoMs, registeredAgoMs, runningMs)
  if (!isLate(everyMs, withoutSuccessMs)) return null
  const last = succeededAgoMs === null ? 'has never succeeded' : `last succeeded ${ageOf(succeededAgoMs)} ago`
  return `${last}, although its turn comes every ${ageOf(everyMs)}${error === null ? '' : `: ${error}`}`
}

/** The tasks as a table for people. */
export function taskLines(tasks: readonly PeriodicTask[]): string[] {
  if (tasks.length === 0) return []
  const head = ['  PERIODIC TASK', 'EVERY', 'LAST SUCCESS', 'TOOK', 'SERVER', 'FAILURES SINCE']
  const rows = tasks.map(task => [
    `${task.fault === null ? ' ' : '!'} ${task.name}`,
    ageOf(task.everySeconds * secondMs),
    task.succeededSecondsAgo === null ? 'none yet' : `${ageOf(task.succeededSecondsAgo * secondMs)} ago`,
    task.durationMs === null ? '' : `${task.durationMs} ms`,
    task.server ?? 'one for all',
    task.error === null ? '0' : `${task.failures}: ${task.error.slice(0, shownErrorLength)}`,
  ])
  return tableOf(head, rows)
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map(cells => cells[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return ['', ...[head, ...rows].map(line)]
}

function ageOf(ms: number | null): string {
  if (ms === null) return 'some time'
  if (ms < 2 * minuteMs) return `${Math.round(ms / secondMs)} s`
  if (ms < 2 * hourMs) return `${Math.round(ms / minuteMs)} min`
  return `${Math.round(ms / hourMs)} h`
}
