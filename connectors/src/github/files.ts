/** Files of a repository's default branch. A full listing reads its trees, later ones compare two commits. */
import type { Content, Context, Item } from '../connector.ts'
import { fileTimeoutMs, nullIfMissing } from '../http.ts'
import { getJson, headers, readersOf, repositoryUrl, type TreeEntry } from './api.ts'
import type { FilesPosition, Folder, Here, Part, Position, RepositoryState } from './position.ts'
import { type Settings, wantsFile, wantsFolder } from './settings.ts'

const filesAPage = 1_000
/** GitHub answers a tree of up to 100,000 entries. */
const maxTreeValues = 1_500_000
/** A comparison of commits names no more files than this. */
const maxComparedFiles = 300
/** A longer path is known by its hash, since an item's id has a limit. Paths beyond `longestPath` are left out. */
const maxPathCharacters = 300
const longestPath = 2_000

type FileData = { path: string; repository: string; branch: string; visibility: string; sha: string }

export const isFile = (data: unknown): data is FileData =>
  typeof data === 'object' && data !== null && 'path' in data

export async function listFiles(
  context: Context<Settings>,
  position: Position,
  known: RepositoryState | undefined,
): Promise<Part> {
  if (position.files !== undefined) return await listTree(context, position, position.files)
  const head = await headOf(context, position.here)
  const state = { ...position.state, head: head?.commit ?? '' }
  const nothing: Part = { items: [], removed: [], next: null, state }
  if (known !== undefined && known.head === state.head) return nothing
  if (head === null) return { ...nothing, isLost: known !== undefined }
  if (known !== undefined && known.head !== '')
    return await compare(context, { ...position, state }, known.head)
  const root: Folder = { sha: head.tree, name: '', how: 'whole', next: 0 }
  return await listTree(context, { ...position, state }, { head: head.commit, folders: [root] })
}

type Branch = { commit: { sha: string; commit: { tree: { sha: string } } } }

/** Null if nothing was committed yet. */
async function headOf(context: Context<Settings>, { name, branch }: Here) {
  const url = `${repositoryUrl(name)}/branches/${encodeURIComponent(branch)}`
  const head = await getJson<Branch>(context, url).catch(nullIfMissing)
  return head === null ? null : { commit: head.commit.sha, tree: head.commit.commit.tree.sha }
}

type Comparison = {
  status: string
  files?: { filename: string; previous_filename?: string; status: string; sha: string | null }[]
}

/**
 * A part `isLost` if the comparison cannot name all changes: commits were taken back, or too many files changed. Only
 * a listing of everything finds these changes.
 */
async function compare(context: Context<Settings>, position: Position, base: string): Promise<Part> {
  const { here, state } = position
  const lost: Part = { items: [], removed: [], next: null, state, isLost: true }
  const url = `${repositoryUrl(here.name)}/compare/${base}...${state.head}`
  const comparison = await getJson<Comparison>(context, url, { per_page: 1 }).catch(nullIfMissing)
  const { status, files = [] } = comparison ?? {}
  if (status !== 'ahead' || files.length >= maxComparedFiles) return lost
  const isHere = (path: string) => isTaken(context.config, path)
  const items: Item[] = []
  const removed: string[] = []
  for (const file of files) {
    const { filename, previous_filename: before = filename, sha } = file
    const isGone = file.status === 'removed'
    if (isHere(before) && (isGone || before !== filename)) removed.push(await fileId(here.id, before))
    if (!isGone && sha !== null && isHere(filename)) items.push(await itemOf(here, filename, sha))
  }
  return { items, removed, next: null, state }
}

/**
 * One step: reads the last of the folders. If GitHub cannot give the folder whole, its subfolders are read one after
 * another.
 */
async function listTree(context: Context<Settings>, position: Position, { head, folders }: FilesPosition) {
  const { config } = context
  const { here, state } = position
  const current = folders.at(-1)
  if (current === undefined) return { items: [], removed: [], next: null, state }
  const rest = folders.slice(0, -1)
  const path = folders
    .slice(1)
    .map(({ name }) => name)
    .join('/')
  const pathOf = (entry: TreeEntry) => (path === '' ? entry.path : `${path}/${entry.path}`)
  const url = `${repositoryUrl(here.name)}/git/trees/${current.sha}`
  const { tree, truncated } = await context.http.json<{ tree: TreeEntry[]; truncated: boolean }>(url, {
    headers,
    // The parameter counts with any value, so it is left out to turn it off.
    query: current.how === 'whole' ? { recursive: 1 } : {},
    maxValues: maxTreeValues,
  })
  const go = async (entries: TreeEntry[], remaining: Folder[]): Promise<Part> => ({
    items: await Promise.all(entries.map(entry => itemOf(here, pathOf(entry), entry.sha))),
    removed: [],
    next: remaining.length === 0 ? null : { ...position, state, files: { head, folders: remaining } },
    state,
  })
  if (current.how === 'whole' && truncated) return await go([], [...rest, { ...current, how: 'parts' }])
  const wanted = tree.filter(entry => isRegular(entry) && isTaken(config, pathOf(entry)))
  if (current.how === 'whole') {
    const next = current.next + filesAPage
    const remaining = next < wanted.length ? [...rest, { ...current, next }] : rest
    return await go(wanted.slice(current.next, next), remaining)
  }
  const isBelow = ({ type }: TreeEntry) => type === 'tree'
  const index = tree.findIndex(
    (entry, position) => position >= current.next && isBelow(entry) && wantsFolder(config, pathOf(entry)),
  )
  const below = tree[index]
  const remaining: Folder[] =
    below === undefined
      ? rest
      : [
          ...rest,
          { ...current, next: index + 1 },
          { sha: below.sha, name: below.path, how: 'whole', next: 0 },
        ]
  return await go(current.next === 0 ? wanted : [], remaining)
}

const isTaken = (config: Settings, path: string): boolean =>
  path.length <= longestPath && wantsFile(config, path)

/** Whether the entry is a file, neither a symbolic link nor empty. */
const isRegular = ({ type, mode, size }: TreeEntry): boolean =>
  type === 'blob' && mode !== '120000' && size !== 0

async function itemOf(here: Here, path: string, sha: string): Promise<Item> {
  const { name: repository, branch, visibility } = here
  const data: FileData = { path, repository, branch, visibility, sha }
  return {
    id: await fileId(here.id, path),
    version: [sha, visibility, repository, branch].join(' '),
    title: path,
    data,
  }
}

async function fileId(repository: number, path: string): Promise<string> {
  if (path.length <= maxPathCharacters) return `repository-${repository}/file/${path}`
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(path))
  return `repository-${repository}/file-by-hash/${Buffer.from(digest).toString('hex')}`
}

/** Null if the file is empty or missing. */
export async function fetchFile({ http }: Context<Settings>, data: FileData): Promise<Content | null> {
  const { path, repository, branch, visibility, sha } = data
  const bytes = await http
    .bytes(`${repositoryUrl(repository)}/git/blobs/${sha}`, {
      headers: { ...headers, accept: 'application/vnd.github.raw+json' },
      timeoutMs: fileTimeoutMs,
    })
    .catch(nullIfMissing)
  if (bytes === null || bytes.byteLength === 0) return null
  if (isPointer(bytes)) throw new Error(`${path} is kept in Git LFS, which GitHub's API does not serve`)
  return {
    body: bytes,
    fileName: path.split('/').at(-1) ?? path,
    mediaType: 'application/octet-stream',
    title: `${repository}/${path}`,
    metadata: {
      url: `https://github.com/${repository}/blob/${encodedPath(branch)}/${encodedPath(path)}`,
      readers: readersOf(repository, visibility),
      repository,
      kind: 'file',
      path,
    },
  }
}

/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
const isPointer = (bytes: Uint8Array): boolean =>
  bytes.byteLength < 1_024 &&
  new TextDecoder().decode(bytes).startsWith('version https://git-lfs.github.com/spec/')

export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
