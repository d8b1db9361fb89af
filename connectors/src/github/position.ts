/**
 * Where a listing stands, and what one sync passes on to the next. Both are texts, from which another process may go
 * on.
 */
import type { Item } from '../connector.ts'

/** A repository as the pages of one listing need it. */
export type Here = { id: number; name: string; branch: string; visibility: string }

/** How far issues are read, by the time of their last change. No issue is missed when issues change meanwhile. */
export type IssuesPosition = {
  since: string | null
  page: number
  /** Issues that changed in exactly the second of `since` and were already given. */
  given: number[]
}

/** A folder on the way down a tree that is too large to be given at once. */
export type Folder = {
  sha: string
  name: string
  /**
   * `whole`: everything below the folder at once, from the entry `next` on. `parts`: its subfolders, from the entry
   * `next` on.
   */
  how: 'whole' | 'parts'
  next: number
}

export type FilesPosition = { head: string; folders: Folder[] }

export type Position = {
  here: Here
  stage: 'issues' | 'files'
  issues?: IssuesPosition
  files?: FilesPosition
  /** What was learnt of `here` so far. */
  state: RepositoryState
  /** The encoded states of the repositories that are done. */
  done: string
}

/** What the next sync has to know of a repository. */
export type RepositoryState = {
  visibility: string
  /** The time of the latest change of an issue, in seconds since 1970; 0 if there is no issue. */
  updated: number
  /** The commit of the listed files; empty if the repository has no commit. */
  head: string
}

export type States = ReadonlyMap<number, RepositoryState>

/** A part of a listing. The stage or repository that follows is not decided yet. */
export type Part = {
  items: Item[]
  removed: string[]
  /** Null if this stage of this repository is done. */
  next: Position | null
  /** What was learnt of the repository. */
  state: Position['state']
  /** True if only a listing of everything can tell what is gone. */
  isLost?: boolean
}

/**
 * Encodes the states in few characters. A commit's id has 20 or 32 bytes:
 * https://git-scm.com/docs/hash-function-transition
 */
export const encodeStates = (states: States): string =>
  [...states]
    .map(([id, { visibility, updated, head }]) =>
      [
        id.toString(36),
        `${visibility.slice(0, 2)}${updated.toString(36)}`,
        Buffer.from(head, 'hex').toString('base64url'),
      ].join('.'),
    )
    .join(',')

/** Null if the text does not have the format of `encodeStates`. */
export function decodeStates(text: string): States | null {
  const states = new Map<number, RepositoryState>()
  for (const entry of text === '' ? [] : text.split(',')) {
    const [, id, short, updated, head] = /^([0-9a-z]+)\.(pu|pr|in)([0-9a-z]+)\.([\w-]*)$/.exec(entry) ?? []
    const visibility = visibilities.find(name => name.startsWith(short ?? '-'))
    if (id === undefined || updated === undefined || visibility === undefined) return null
    states.set(Number.parseInt(id, 36), {
      visibility,
      updated: Number.parseInt(updated, 36),
      head: Buffer.from(head ?? '', 'base64url').toString('hex'),
    })
  }
  return states
}

const visibilities = ['public', 'private', 'internal']

export const encodePosition = (position: Position): string => JSON.stringify(position)

/** Positions come only from `encodePosition`, and the engine returns them unchanged. */
export const decodePosition = (text: string): Position => JSON.parse(text) as Position
