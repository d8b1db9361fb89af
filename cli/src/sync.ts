/**
 * `sync DIR` makes a collection hold what a folder holds. Unchanged files are not sent. What was sent before the command
 * was killed is there, so that the next call goes on.
 */
import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { ApiError, type Atrium, ConflictError } from '@atrium/sdk'
import picomatch from 'picomatch'
import { limitOf } from './ask.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'

/** Above this a file is sent in pieces, and goes on where a broken line has left it. */
const largeBytes = 32 * 1024 * 1024
const entriesAtOnce = 10_000
const usualAtOnce = 4
/** What editors, systems and version control leave in folders. */
const usuallyLeftOut = ['**/.*', '**/.*/**', '**/node_modules/**', '**/~$*', '**/Thumbs.db']

type Entry = { externalId: string; sha256: string }
type Found = Entry & { path: string; bytes: number }

export async function sync(context: Context): Promise<void> {
  const { terminal, options, words, atrium, signal } = context
  const [given, ...rest] = words
  if (given === undefined || rest.length > 0)
    throw new Failure('Usage: atrium sync DIR [--collection NAME]', 'usage')
  const folder = resolve(given)
  const info = await stat(folder).catch(() => null)
  if (info?.isDirectory() !== true) throw new Failure(`${folder} is no folder`, 'usage')
  const found = await read(folder, context)
  const client = await atrium()
  const named = (options.collection as string | undefined) ?? basename(folder)
  const entries = found.map(({ externalId, sha256 }) => ({ externalId, sha256 }))
  const known = await findCollection(client, named)
  if (options['dry-run'] === true) return preview(context, client, { known, named, entries })
  const collectionId = known ?? (await client.knowledge.collections.create({ name: named })).id

  const opened = await client.knowledge.syncs.open(collectionId, {
    entries: entries.slice(0, entriesAtOnce),
    ifOpen: 'cancel',
  })
  const wanted = new Set(opened.upload.map(({ externalId }) => externalId))
  for (let from = entriesAtOnce; from < entries.length; from += entriesAtOnce) {
    const more = await client.knowledge.syncs.add(opened.sync.id, entries.slice(from, from + entriesAtOnce))
    for (const { externalId } of more.upload) wanted.add(externalId)
  }
  const { failed, unsupported, supported } = await send(context, client, {
    collectionId,
    files: found.filter(({ externalId }) => wanted.has(externalId)),
  })
  signal.throwIfAborted()
  if (supported !== null) terminal.note(`The server reads ${supported}.`)
  const isSkipping = options['skip-unsupported'] === true
  if (failed > 0 || (unsupported > 0 && !isSkipping)) {
    // What could not be read is not gone.
    await client.knowledge.syncs.cancel(opened.sync.id)
    const remedy = unsupported === 0 ? '' : `\n${remedyFor(unsupported)}`
    throw new Failure(
      `${failed + unsupported} of ${wanted.size} files could not be sent. Nothing was deleted.${remedy}`,
    )
  }
  await complete(context, client, opened.sync.id)
}

const remedyFor = (unsupported: number): string =>
  `The server cannot read ${unsupported} of them: leave them out with --exclude GLOB, or all of this kind with --skip-unsupported.`

async function complete({ terminal, options }: Context, client: Atrium, id: string): Promise<void> {
  const confirmed = options['confirm-deletes']
  const confirmation = confirmed === undefined ? {} : { confirmDeletes: Number(confirmed) }
  try {
    const { added, changed, unchanged, deleted } = await client.knowledge.syncs.complete(id, confirmation)
    terminal.value({ added, changed, unchanged, deleted })
    terminal.line(`${added} added, ${changed} changed, ${unchanged} unchanged, ${deleted} deleted`)
  } catch (error) {
    if (!(error instanceof ConflictError) || error.code !== 'delete_guard') throw error
    await client.knowledge.syncs.cancel(id)
    throw new Failure(
      `${error.message}\nIf that is right, repeat the command with --confirm-deletes N. Nothing was deleted.`,
    )
  }
}

/** The plan that the server makes; where there is no collection yet, one of the same lists. */
async function preview(
  { terminal }: Context,
  client: Atrium,
  { known, named, entries }: { known: string | null; named: string; entries: Entry[] },
): Promise<void> {
  if (known !== null && entries.length > entriesAtOnce) {
    throw new Failure(`A dry run takes at most ${entriesAtOnce} files; the folder has ${entries.length}`)
  }
  if (known === null) terminal.note(`There is no collection named “${named}” yet. It would be created.`)
  const plan =
    known === null
      ? {
          upload: entries.map(({ externalId }) => ({ externalId, reason: 'new' as const })),
          unchanged: [],
          wouldDelete: { count: 0, externalIds: [], needsConfirmation: false },
        }
      : await client.knowledge.syncs.preview(known, { entries })
  const filesOf = (reason: 'new' | 'changed'): string[] =>
    plan.upload.filter(entry => entry.reason === reason).map(({ externalId }) => externalId)
  const files = {
    added: filesOf('new'),
    changed: filesOf('changed'),
    deleted: plan.wouldDelete?.externalIds.toSorted(),
  }
  const added = files.added.length
  const changed = files.changed.length
  const unchanged = plan.unchanged.length
  const deleted = plan.wouldDelete?.count ?? 0
  // The fields of a sync that is carried out come first, so that a program reads both alike.
  const needsConfirmation = plan.wouldDelete?.needsConfirmation
  terminal.value({ added, changed, unchanged, deleted, needsConfirmation, files })
  terminal.line(`${added} would be added, ${changed} changed, ${deleted} deleted; ${unchanged} are unchanged`)
}

/** Null if there is none of this name. */
async function findCollection(client: Atrium, named: string): Promise<string | null> {
  if (/^col_/.test(named)) return named
  const { items } = await client.knowledge.collections.list({ name: named }).page()
  if (items.length > 1) throw new Failure(`Several collections are named “${named}”: name one by its id`)
  return items[0]?.id ?? null
}

async function read(folder: string, { terminal, options, signal }: Context): Promise<Found[]> {
  const isLeftOut = picomatch([...usuallyLeftOut, ...((options.exclude as string[] | undefined) ?? [])], {
    dot: true,
  })
  const found: Found[] = []
  for await (const entry of await opendir(folder, { recursive: true })) {
    signal.throwIfAborted()
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const externalId = relative(folder, path).split(sep).join('/')
    if (isLeftOut(externalId)) continue
    const { size } = await stat(path)
    if (size === 0) {
      terminal.value({ skipped: externalId, message: isEmpty })
      terminal.note(`${externalId}: ${isEmpty}`)
      continue
    }
    found.push({ externalId, path, bytes: size, sha256: await hashOf(path) })
    terminal.progress(found.length, found.length, `files read  ${externalId}`)
  }
  terminal.clear()
  return found.sort((one, other) => (one.externalId < other.externalId ? -1 : 1))
}

const isEmpty = 'The file is empty: left out'

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}

/** How many could not be sent, how many the server cannot read, and what it says it reads, where it was asked too much. */
type Sent = { failed: number; unsupported: number; supported: string | null }

async function send(
  { terminal, options, signal }: Context,
  client: Atrium,
  { collectionId, files }: { collectionId: string; files: Found[] },
): Promise<Sent> {
  const queue = files.values()
  let done = 0
  const sent: Sent = { failed: 0, unsupported: 0, supported: null }
  const work = async (): Promise<void> => {
    for (const { externalId, path, bytes } of queue) {
      signal.throwIfAborted()
      try {
        const name = basename(path)
        if (bytes > largeBytes) {
          await client.knowledge.uploads.send({ collectionId, externalId, name }, await openAsBlob(path), {
            signal,
          })
        } else {
          const file = { name, content: await openAsBlob(path) }
          await client.knowledge.documents.put({ collectionId, externalId, file }, { signal })
        }
        terminal.value({ sent: externalId })
      } catch (error) {
        signal.throwIfAborted()
        // A file that the server does not take, or that has gone, costs no other one.
        const isOfFile =
          error instanceof ApiError
            ? !error.retryable && error.statusCode !== 401 && error.statusCode !== 403
            : isMissing(error)
        if (!isOfFile) throw error
        const isUnsupported = error instanceof ApiError && error.code === 'unsupported_media_type'
        // The list of all types is the same for each file, and long: it is shown once.
        const [message = '', supported] = (error as Error).message.split(' Supported: ')
        if (isUnsupported) sent.supported ??= supported ?? null
        sent[isUnsupported ? 'unsupported' : 'failed']++
        const isSkipped = isUnsupported && options['skip-unsupported'] === true
        terminal.value({ [isSkipped ? 'skipped' : 'failed']: externalId, message })
        if (isSkipped) terminal.note(`${externalId}: ${message}`)
        else terminal.fault(`${externalId}: ${message}`)
      }
      done++
      terminal.progress(done, files.length, externalId)
    }
  }
  const atOnce = limitOf(options.parallel, usualAtOnce, 16)
  await Promise.all(Array.from({ length: atOnce }, work))
  terminal.clear()
  return sent
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'EACCES', 'ERR_INVALID_ARG_VALUE'].includes(String((error as NodeJS.ErrnoException).code))
