/** Lists everything to sync: corpus by corpus, or folder by folder if folders were chosen. */
import type { Context, Item, Listing } from '../connector.ts'
import type { Http } from '../http.ts'
import {
  type Corpus,
  type DriveFile,
  findFile,
  getStartPageToken,
  isRefusal,
  listDrives,
  listFiles,
  quoted,
} from './drive-api.ts'
import { corpusOf, nextFolder, rootFolder } from './folders.ts'
import { folderType, isReadable, shortcutType } from './formats.ts'
import { chosenOf, type DriveConfig, itemOf } from './settings.ts'

/** More drives would not fit into `nextPage`. */
export const maxDrives = 60
const maxTargets = 20
const maxRestarts = 3
/** A page holds several small folders, until it has this many items. */
const enoughItems = 200
const maxFoldersPerPage = 10

export async function listEverything(context: Context<DriveConfig>, page: string | null): Promise<Listing> {
  let position: Next = page === null ? await begin(context) : readListing(page)
  const items: Item[] = []
  for (let steps = 0; steps < maxFoldersPerPage && items.length < enoughItems; steps++) {
    if (position.kind === 'end') break
    position = await (position.kind === 'folders'
      ? readFolder(context, position, items)
      : readCorpus(context, position, items))
  }
  return position.kind === 'end'
    ? { items, nextPage: null, since: sinceOf(position) }
    : { items, nextPage: write(position) }
}

type Next = ListingPosition | ({ kind: 'end' } & Since)

/** Reads the positions of the change logs first. A change during the listing is then found twice instead of never. */
async function begin({ config, http, now }: Context<DriveConfig>): Promise<ListingPosition> {
  const folders = await Promise.all(config.folderIds.map(id => rootFolder(http, id)))
  const isWhole = folders.length === 0
  const drives = isWhole ? await listDrives(http, maxDrives) : []
  const corpora = new Set<Corpus>(['user', ...drives, ...folders.map(corpusOf)])
  const tokens: Record<string, string> = {}
  for (const corpus of corpora) tokens[corpus] = await getStartPageToken(http, corpus)
  const known = { tokens, listedAt: now(), targets: [], chosen: chosenOf(config) }
  const common = { ...known, pageToken: null, restarts: 0 }
  return isWhole
    ? { ...common, kind: 'corpora', corpus: 'user' }
    : { ...common, kind: 'folders', root: 0, path: [folders[0]?.id ?? ''] }
}

const notFolders = `mimeType != ${quoted(folderType)} and trashed = false`

async function readCorpus(
  { http }: Context<DriveConfig>,
  position: ListingPosition & { kind: 'corpora' },
  items: Item[],
): Promise<Next> {
  const { tokens, corpus } = position
  const page = await readPage(http, corpus, notFolders, position)
  if (page === null) return restarted(position)
  for (const file of page.files) {
    // A shared drive is listed by itself, and so is the target of a shortcut.
    const isElsewhere = corpus === 'user' && file.driveId !== undefined && file.driveId in tokens
    if (!isElsewhere && isReadable(file)) items.push(itemOf(file))
  }
  if (page.nextPageToken !== undefined) return { ...position, pageToken: page.nextPageToken }
  const corpora = Object.keys(tokens)
  const next = corpora[corpora.indexOf(corpus) + 1]
  return next === undefined ? { ...position, kind: 'end' } : { ...position, corpus: next, pageToken: null }
}

async function readFolder(
  context: Context<DriveConfig>,
  position: ListingPosition & { kind: 'folders' },
  items: Item[],
): Promise<Next> {
  const { http, config } = context
  const root = await rootFolder(http, config.folderIds[position.root] ?? '')
  const corpus = corpusOf(root)
  const q = `${quoted(position.path.at(-1) ?? '')} in parents and ${notFolders}`
  const page = await readPage(http, corpus, q, position)
  if (page === null) return restarted(position)
  let targets = position.targets
  for (const file of page.files) {
    const target = await targetOf(http, file)
    if (target === null) continue
    items.push(itemOf(target))
    if (target !== file) targets = remember(targets, target.id)
  }
  const here = { ...position, targets }
  if (page.nextPageToken !== undefined) return { ...here, pageToken: page.nextPageToken }
  const path = await nextFolder(context, corpus, position.path)
  if (path !== null) return { ...here, path, pageToken: null }
  const nextRoot = config.folderIds[position.root + 1]
  if (nextRoot === undefined) return { ...here, kind: 'end' }
  const { id } = await rootFolder(http, nextRoot)
  return { ...here, root: position.root + 1, path: [id], pageToken: null }
}

/** The file, or the target of the shortcut; null if no document can be made of it. */
async function targetOf(http: Http, file: DriveFile): Promise<DriveFile | null> {
  if (file.mimeType !== shortcutType) return isReadable(file) ? file : null
  const { targetId, targetMimeType } = file.shortcutDetails ?? { targetId: '', targetMimeType: folderType }
  if (targetMimeType === folderType) return null
  const target = await findFile(http, targetId)
  return target !== null && target.trashed !== true && isReadable(target) ? target : null
}

function remember(targets: string[] | null, id: string): string[] | null {
  if (targets === null || targets.includes(id)) return targets
  return targets.length < maxTargets ? [...targets, id] : null
}

/** Null if Google no longer knows the page. */
async function readPage(http: Http, corpus: Corpus, q: string, { pageToken, restarts }: ListingPosition) {
  try {
    return await listFiles(http, corpus, { q, pageToken })
  } catch (error) {
    const isStale = pageToken !== null && isRefusal(error, ['unexpected_reply', 'missing'])
    if (isStale && error.status !== null && error.status < 500 && restarts < maxRestarts) return null
    throw error
  }
}

/** Page tokens live for some hours: https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list */
const restarted = (position: ListingPosition): ListingPosition => ({
  ...position,
  pageToken: null,
  restarts: position.restarts + 1,
})

// Where a listing stands, and what the next sync needs from it. Both are texts that another process reads.

type Tokens = Record<string, string>

/** The positions of the change logs before everything was listed, by corpus. */
export type Since = {
  tokens: Tokens
  /** When everything was listed, in milliseconds since 1970. */
  listedAt: number
  /**
   * With chosen folders: files elsewhere to which shortcuts in the folders lead. Their changes count. Null if there
   * are too many to remember; any change might then concern one of them.
   */
  targets: string[] | null
  /** The fingerprint of the chosen folders. For other folders, the known state is useless. */
  chosen: string
}

/** The position within a listing of everything. */
type ListingPosition = Since & {
  pageToken: string | null
  /**
   * How often Google no longer knew a page. It also makes the position after a restart differ from the one before.
   */
  restarts: number
} & ({ kind: 'corpora'; corpus: string } | { kind: 'folders'; root: number; path: string[] })

/** The position within the change logs. */
export type ChangesPosition = {
  /** Where the logs that have already been read end. */
  tokens: Tokens
  corpus: string
  pageToken: string
}

export const write = (position: Since | ListingPosition | ChangesPosition): string => JSON.stringify(position)

// Only `write` makes these texts, and they come back unchanged.
export const readSince = (text: string): Since => JSON.parse(text) as Since
const readListing = (text: string): ListingPosition => JSON.parse(text) as ListingPosition
export const readChanges = (text: string): ChangesPosition => JSON.parse(text) as ChangesPosition

export const sinceOf = ({ tokens, listedAt, targets, chosen }: Since): string =>
  write({ tokens, listedAt, targets, chosen })
