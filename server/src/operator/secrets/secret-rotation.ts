/**
 * Another master secret: everything that the old one protects is put under the new one, in one transaction, so that at each
 * moment exactly one of the two opens the data. The new secret lies in a file before anything depends on it.
 */
import { randomBytes } from 'node:crypto'
import { access, link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createKeyring, createRotation, type Keyring, type Rotation } from '../../platform/crypto/keyring.ts'
import {
  opensCanary,
  readEarlierPeppers,
  replaceCanary,
  writeEarlierPeppers,
} from '../../platform/crypto/open-keyring.ts'
import type { Tx } from '../../platform/database/database.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { countOf } from '../../platform/database/rows.ts'
import type { Settings } from '../../settings/settings.ts'
import { databaseSettings } from '../../start/dependencies.ts'
import { OperatorError } from '../errors.ts'
import { keepServersOut, keepStartsOut } from '../session.ts'

export type Rotated = {
  /** How many workspaces' data keys are under the new secret. */
  workspaces: number
  /** True if an earlier call had come as far as the database already. */
  wasResumed: boolean
  /** Where the new secret lies, where it still has to be put into `ATRIUM_SECRET`. */
  newSecretFile: string | null
}

const rowsAtOnce = 500
/** How the database knows who asks. */
const purpose = 'atrium-secret'

/** Throws in one line if a server runs, or if neither secret opens the data. May be called again after a crash. */
export async function rotateSecret(
  settings: Settings,
  options: { newSecretFile: string | null; progress: (line: string) => void },
): Promise<Rotated> {
  const { progress } = options
  const release = await keepServersOut(settings, purpose)
  try {
    const secretFile = join(settings.dataDir, 'secret')
    const oldSecret = settings.secret ?? (await readSecret(secretFile))
    const named = options.newSecretFile
    const nextFile = (settings.secret === null ? null : named) ?? `${secretFile}.next`
    const newSecret = await newSecretIn(nextFile, named ?? nextFile, oldSecret)
    const { workspaces, wasResumed } = await rewrap(settings, { oldSecret, newSecret, progress })
    if (settings.secret !== null) return { workspaces, wasResumed, newSecretFile: nextFile }
    await replaceSecret(secretFile, nextFile)
    return { workspaces, wasResumed, newSecretFile: null }
  } finally {
    release()
  }
}

/** As it lies in `nextFile` in the end; a file that the operator names elsewhere stays what and where it is. */
async function newSecretIn(nextFile: string, source: string, oldSecret: string): Promise<string> {
  const wanted = await keepSecret(source, makeSecret())
  if (wanted === oldSecret) throw new OperatorError('The new secret is the present one')
  // Throws if it is too short, before it is copied.
  createKeyring(wanted)
  if ((await keepSecret(nextFile, wanted)) === wanted) return wanted
  // The data may be under that one already.
  const rest = 'which is finished first, without --new-secret-file'
  throw new OperatorError(`${nextFile} holds the new secret of a rotation that was interrupted, ${rest}`)
}

async function rewrap(
  settings: Settings,
  {
    oldSecret,
    newSecret,
    progress,
  }: { oldSecret: string; newSecret: string; progress: (line: string) => void },
): Promise<{ workspaces: number; wasResumed: boolean }> {
  const [before, after] = [createKeyring(oldSecret), createKeyring(newSecret)]
  const place = databaseSettings(settings)
  const database = await openDatabase(
    place.engine === 'postgres' ? { ...place, applicationName: purpose } : place,
  )
  try {
    return await database.write(async tx => {
      if (database.engine === 'postgres') await keepStartsOut(tx)
      if (await opensCanary(tx, after)) return { workspaces: await countWorkspaces(tx), wasResumed: true }
      const isOurs = await opensCanary(tx, before)
      if (isOurs === null) throw new OperatorError('There is nothing yet that a secret protects')
      if (!isOurs) throw new OperatorError('Neither the present secret nor the new one opens the data')
      const rotation = createRotation(oldSecret, await readEarlierPeppers(tx, before), newSecret)
      const workspaces = await rewrapDataKeys(tx, rotation, progress)
      await resealLinks(tx, rotation)
      await resealJobs(tx, before, rotation)
      await writeEarlierPeppers(tx, after, rotation.earlier)
      await replaceCanary(tx, after)
      return { workspaces, wasResumed: false }
    })
  } finally {
    await database.close()
  }
}

async function rewrapDataKeys(tx: Tx, rotation: Rotation, progress: (line: string) => void): Promise<number> {
  let [done, last] = [0, '']
  for (;;) {
    const rows = await tx
      .selectFrom('workspaces')
      .select(['id', 'data_key'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute()
    for (const { id, data_key } of rows) {
      const wrapped = rotation.dataKey(id, data_key)
      await tx.updateTable('workspaces').set({ data_key: wrapped }).where('id', '=', id).execute()
    }
    done += rows.length
    last = rows.at(-1)?.id ?? last
    if (rows.length < rowsAtOnce) return done
    progress(`${done} workspaces`)
  }
}

/** The values behind links that were mailed, as `verifications.ts` of the feature `identity` seals them. */
async function resealLinks(tx: Tx, rotation: Rotation): Promise<void> {
  const rows = await tx.selectFrom('verifications').select(['id', 'value']).execute()
  for (const { id, value } of rows) {
    const sealed = rotation.system(`${id}.value`, value)
    await tx.updateTable('verifications').set({ value: sealed }).where('id', '=', id).execute()
  }
}

/** What jobs carry under the master secret: the tokens of invitations and the addresses of letters on their way. */
async function resealJobs(tx: Tx, before: Keyring, rotation: Rotation): Promise<void> {
  const rows = await tx
    .selectFrom('jobs')
    .select(['id', 'queue', 'payload'])
    .where('payload', 'like', '%"sealed%')
    .execute()
  for (const { id, queue, payload } of rows) {
    const fields = JSON.parse(payload) as Record<string, unknown>
    const resealed = Object.entries(fields).map(([name, value]) => {
      if (!name.startsWith('sealed') || typeof value !== 'string') return [name, value]
      const field = name === 'sealedToken' ? `${String(fields.invitationId)}.token` : queue
      // What it does not open was sealed by somebody else, and stays theirs.
      return [name, opens(before, field, value) ? rotation.system(field, value) : value]
    })
    const text = JSON.stringify(Object.fromEntries(resealed))
    await tx.updateTable('jobs').set({ payload: text }).where('id', '=', id).execute()
  }
}

function opens(keyring: Keyring, field: string, sealed: string): boolean {
  try {
    keyring.openSystem(field, sealed)
    return true
  } catch {
    return false
  }
}

const countWorkspaces = (tx: Tx): Promise<number> => countOf(tx.selectFrom('workspaces'))

// Files that hold a master secret: each is whole, and on the disk, before anything depends on it.

/** Throws in one line. */
async function readSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    throw new OperatorError(`The secret ${file} cannot be read`, { cause })
  }
}

/**
 * The secret that lies in `file` in the end: `secret`, unless one is there already, which is the operator's choice or that of
 * a call that was interrupted. Throws in one line.
 */
async function keepSecret(file: string, secret: string): Promise<string> {
  try {
    if (!(await isThere(file))) await writeWhole(file, secret)
    await flushFolder(dirname(file))
  } catch (cause) {
    const why = `The new secret cannot be written to ${file}`
    throw new OperatorError(`${why}; put one of your own there, or name another place`, { cause })
  }
  return await readSecret(file)
}

const makeSecret = (): string => randomBytes(48).toString('base64url')

/** Both lie in one folder. */
async function replaceSecret(file: string, next: string): Promise<void> {
  await rename(next, file)
  await flushFolder(dirname(file))
}

/** A read-only folder may hold the file, too. */
const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

async function writeWhole(file: string, secret: string): Promise<void> {
  const partial = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    const handle = await open(partial, 'wx', 0o600)
    try {
      await handle.writeFile(`${secret}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // Unlike a rename, it never takes the place of a file that is there.
    await link(partial, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(partial, { force: true })
  }
}

/** Without it a new name can be forgotten when the power fails. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
