/**
 * What changed, by the change log of the account and of each shared drive.
 * https://developers.google.com/workspace/drive/api/guides/about-changes
 */
import type { Context, Item, Listing } from '../connector.ts'
import { type ChangePage, type DriveFile, isRefusal, listChanges, listDrives } from './drive-api.ts'
import { createInside } from './folders.ts'
import { folderType, isReadable, shortcutType } from './formats.ts'
import {
  type ChangesPosition,
  maxDrives,
  readChanges,
  readSince,
  type Since,
  sinceOf,
  write,
} from './listing.ts'
import { chosenOf, type DriveConfig, itemOf } from './settings.ts'

/** After this time everything is listed again, since the logs do not name the files of a folder that is gone. */
const trustedForMs = 7 * 24 * 3_600_000

const startsOver: Listing = { items: [], nextPage: null, startOver: true }

export async function listChangesSince(
  context: Context<DriveConfig>,
  sinceText: string,
  pageText: string | null,
): Promise<Listing> {
  const since = readSince(sinceText)
  if (pageText === null && (await isOutdated(context, since))) return startsOver
  const position = pageText === null ? begin(since) : readChanges(pageText)
  const page = await readChangePage(context, position)
  if (page === null) return startsOver
  const found = await judgeAll(context, since, position, page)
  if (found === null) return startsOver
  const next = positionAfter(since, position, page)
  return next.corpus === null
    ? { ...found, nextPage: null, since: sinceOf({ ...since, tokens: next.tokens }) }
    : { ...found, nextPage: write(next) }
}

async function isOutdated({ config, http, now }: Context<DriveConfig>, since: Since): Promise<boolean> {
  if (now() - since.listedAt > trustedForMs || since.chosen !== chosenOf(config)) return true
  if (config.folderIds.length > 0) return false
  const drives = await listDrives(http, maxDrives)
  const known = Object.keys(since.tokens).filter(corpus => corpus !== 'user')
  return drives.join() !== known.toSorted().join()
}

const begin = ({ tokens }: Since): ChangesPosition => ({
  tokens: {},
  corpus: 'user',
  // The account's own log is always read, for every config.
  pageToken: tokens.user ?? '',
})

/** Null if Google no longer knows the position in the log, or has no such log for the account. */
async function readChangePage(
  { config, http }: Context<DriveConfig>,
  { corpus, pageToken }: ChangesPosition,
): Promise<ChangePage | null> {
  // With chosen folders, each file is looked for in them.
  const pageSize = config.folderIds.length > 0 ? 100 : 1_000
  try {
    return await listChanges(http, corpus, { pageToken, pageSize })
  } catch (error) {
    if (isRefusal(error, ['missing', 'forbidden'])) return null
    if (isRefusal(error, ['unexpected_reply']) && error.status === 400) return null
    throw error
  }
}

/** Null if the log does not tell enough. */
async function judgeAll(
  context: Context<DriveConfig>,
  since: Since,
  { corpus }: ChangesPosition,
  { changes }: ChangePage,
): Promise<{ items: Item[]; removed: string[] } | null> {
  const isChosen = context.config.folderIds.length > 0
  const isInside = createInside(context)
  const items: Item[] = []
  const removed: string[] = []
  for (const { changeType, fileId, file } of changes) {
    if (changeType !== 'file' || fileId === undefined) continue
    // Only the shared drive's own log lists the drive's files reliably.
    if (corpus === 'user' && file?.driveId !== undefined && file.driveId in since.tokens) continue
    if (file === undefined || file.trashed === true) {
      if (file?.mimeType === folderType) return null
      removed.push(fileId)
    } else if (isStructure(file, isChosen)) return null
    else if (isReadable(file)) {
      const belongs = isChosen ? await isWanted(file, since, isInside) : true
      if (belongs === null) return null
      if (belongs) items.push(itemOf(file))
      else removed.push(fileId)
    }
  }
  return { items, removed }
}

/** A change of a folder affects all files in it, but the logs do not name these files. */
const isStructure = ({ mimeType }: DriveFile, isChosen: boolean): boolean =>
  mimeType === folderType || (isChosen && mimeType === shortcutType)

/** Null if it is unknown whether the file is wanted. */
async function isWanted(
  file: DriveFile,
  { targets }: Since,
  isInside: (file: DriveFile) => Promise<boolean>,
): Promise<boolean | null> {
  if (targets?.includes(file.id) || (await isInside(file))) return true
  return targets === null ? null : false
}

/** `corpus` is null once all logs are read. */
function positionAfter(
  since: Since,
  position: ChangesPosition,
  { nextPageToken, newStartPageToken }: ChangePage,
): ChangesPosition | { corpus: null; tokens: Record<string, string> } {
  if (nextPageToken !== undefined) return { ...position, pageToken: nextPageToken }
  const tokens = { ...position.tokens, [position.corpus]: newStartPageToken ?? position.pageToken }
  const corpora = Object.keys(since.tokens)
  const next = corpora[corpora.indexOf(position.corpus) + 1]
  if (next === undefined) return { corpus: null, tokens }
  return { tokens, corpus: next, pageToken: since.tokens[next] ?? '' }
}
