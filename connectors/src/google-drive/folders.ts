/**
 * Walks through the chosen folders and all that lies in them. The walk remembers only the path to the present folder.
 */
import type { Context } from '../connector.ts'
import type { Http } from '../http.ts'
import { type Corpus, type DriveFile, type FileDetails, findFile, listFiles, quoted } from './drive-api.ts'
import { folderType } from './formats.ts'
import type { DriveConfig } from './settings.ts'

/** Deeper folders are left out, because the path of a listing's position has to fit into `nextPage`. */
const maxDepth = 30
const maxSubfolderPages = 50

/**
 * One of the chosen folders. Throws if the folder is missing, since all that was synced from it would be taken for
 * deleted.
 */
export async function rootFolder(http: Http, id: string): Promise<FileDetails> {
  const folder = await findFile(http, id)
  if (folder === null || folder.trashed === true || folder.mimeType !== folderType) {
    throw new Error(`The folder ${id} of folderIds is not there, or not for this account`)
  }
  return folder
}

export const corpusOf = ({ driveId }: DriveFile): Corpus => driveId ?? 'user'

/**
 * The next folder after `path`, whose last folder has been read: its first subfolder, else its next sibling, else the
 * next sibling of an ancestor. Null at the end.
 */
export async function nextFolder(
  { http, log }: Context<DriveConfig>,
  corpus: Corpus,
  path: readonly string[],
): Promise<string[] | null> {
  const last = path.at(-1) ?? ''
  if (path.length < maxDepth) {
    const first = await nextSubfolder(http, corpus, last, '')
    if (first !== null) return [...path, first]
  } else log('Folders below this depth are left out', { folder: last, depth: maxDepth })
  for (let length = path.length - 1; length > 0; length--) {
    const next = await nextSubfolder(http, corpus, path[length - 1] ?? '', path[length] ?? '')
    if (next !== null) return [...path.slice(0, length), next]
  }
  return null
}

/** The subfolder with the smallest id after `after`. */
async function nextSubfolder(http: Http, corpus: Corpus, parent: string, after: string) {
  const q = `${quoted(parent)} in parents and mimeType = ${quoted(folderType)} and trashed = false`
  let pageToken: string | null = null
  let next: string | null = null
  for (let pages = 0; pages < maxSubfolderPages; pages++) {
    const page = await listFiles(http, corpus, { q, pageToken })
    for (const { id } of page.files) {
      if (id > after && (next === null || id < next)) next = id
    }
    pageToken = page.nextPageToken ?? null
    if (pageToken === null) return next
  }
  throw new Error(`The folder ${parent} has too many subfolders`)
}

/** Tells whether a file lies in one of the chosen folders. Each folder on the way is asked for once. */
export function createInside({ config, http }: Context<DriveConfig>): (file: DriveFile) => Promise<boolean> {
  let roots: Promise<Set<string>> | undefined
  const parentsById = new Map<string, readonly string[]>()

  const readRoots = async () => {
    const folders = await Promise.all(config.folderIds.map(id => rootFolder(http, id)))
    return new Set(folders.map(folder => folder.id))
  }
  const parentsOf = async (id: string): Promise<readonly string[]> => {
    const known = parentsById.get(id)
    if (known !== undefined) return known
    const parents = (await findFile(http, id))?.parents ?? []
    parentsById.set(id, parents)
    return parents
  }

  return async file => {
    roots ??= readRoots()
    const wanted = await roots
    let level: readonly string[] = file.parents ?? []
    // Folders of a drive are at most 100 deep.
    for (let depth = 0; depth <= 100 && level.length > 0; depth++) {
      if (level.some(id => wanted.has(id))) return true
      level = (await Promise.all(level.map(parentsOf))).flat()
    }
    return false
  }
}
