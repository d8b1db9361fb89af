/**
 * Replaces the master secret: in one transaction, everything under the old secret is put under the new one. So at
 * each moment exactly one of the two secrets opens the data. Before that, the new secret is written to a file.
 */
import { randomBytes } from 'node:crypto'
import { access, readFile, rename } from 'node:fs/promises'
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
import { flushFolder, writeWhole } from '../../platform/private-files.ts'
import type { Settings } from '../../settings/settings.ts'
import { databaseSettings } from '../../start/dependencies.ts'
import { OperatorError } from '../errors.ts'
import { keepServersOut, keepStartsOut } from '../session.ts'

export type Rotated = {
  /** How many workspaces' data keys were put under the new secret. */
  workspaces: number
  /** True if an earlier call had already changed the database. */
  wasResumed: boolean
  /** The file with the new secret, if the operator still has to put it into `ATRIUM_SECRET`; otherwise null. */
  newSecretFile: string | null
}

const rowsAtOnce = 500
/** The name under which the database knows this process. */
const purpose = 'atrium-secret'

/**
 * Throws a one-line error if a server runs, or if neither secret opens the data. May be called again after a crash.
 */
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

/** Returns the secret that `nextFile` holds in the end. A file that the operator names elsewhere stays unchanged. */
async function newSecretIn(nextFile: string, source: string, oldSecret: string): Promise<string> {
  const wanted = await keepSecret(source, makeSecret())
  if (wanted === oldSecret) throw new OperatorError('The new secret is the present one')
  // Throws if the secret is too short, before it is copied.
  createKeyring(wanted)
  if ((await keepSecret(nextFile, wanted)) === wanted) return wanted
  // The data may already be under the secret in that file.
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

/** The values behind mailed links, which `verifications.ts` of the feature `identity` seals. */
async function resealLinks(tx: Tx, rotation: Rotation): Promise<void> {
  const rows = await tx.selectFrom('verifications').select(['id', 'value']).execute()
  for (const { id, value } of rows) {
    const sealed = rotation.system(`${id}.value`, value)
    await tx.updateTable('verifications').set({ value: sealed }).where('id', '=', id).execute()
  }
}

/** The values in jobs that the master secret seals: tokens of invitations, and addresses of unsent letters. */
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
      // If the old secret does not open the value, something else sealed it, and the value stays unchanged.
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

// Files that hold a master secret: each is complete and on the disk before anything depends on it.

/** Throws a one-line error. */
async function readSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    throw new OperatorError(`The secret ${file} cannot be read`, { cause })
  }
}

/**
 * Returns the secret that `file` holds in the end: `secret`, unless the file exists already. An existing file is the
 * operator's choice, or is left from an interrupted call. Throws a one-line error.
 */
async function keepSecret(file: string, secret: string): Promise<string> {
  try {
    if (!(await isThere(file))) await writeWhole(file, `${secret}\n`)
    await flushFolder(dirname(file))
  } catch (cause) {
    const why = `The new secret cannot be written to ${file}`
    throw new OperatorError(`${why}; put one of your own there, or name another place`, { cause })
  }
  return await readSecret(file)
}

const makeSecret = (): string => randomBytes(48).toString('base64url')

/** Both files are in the same folder, so the rename is atomic. */
async function replaceSecret(file: string, next: string): Promise<void> {
  await rename(next, file)
  await flushFolder(dirname(file))
}

/** Checked before writing, because the file may be in a read-only folder. */
const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
