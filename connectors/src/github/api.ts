/**
 * The parts of GitHub's REST API that the connector uses, and the fields that it reads of the replies.
 * https://docs.github.com/en/rest/repos/repos, …/issues/issues, …/issues/comments, …/pulls/pulls, …/pulls/reviews,
 * …/pulls/comments, …/branches/branches, …/commits/commits#compare-two-commits, …/git/trees, …/git/blobs
 */
import type { Context } from '../connector.ts'
import { HttpFailure, type HttpRequest } from '../http.ts'
import { maxRepositories, type Settings } from './settings.ts'

export const api = 'https://api.github.com'

/** https://docs.github.com/en/rest/about-the-rest-api/api-versions */
export const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

export type Repository = {
  id: number
  full_name: string
  private: boolean
  /** `internal`: all members of an enterprise can see the repository. */
  visibility?: string
  default_branch: string
}

export type User = { login: string } | null

export type Issue = {
  number: number
  title: string
  body: string | null
  state: string
  user: User
  labels: (string | { name?: string })[]
  assignees?: User[]
  milestone?: { title: string } | null
  comments: number
  created_at: string
  updated_at: string
  closed_at: string | null
  html_url: string
  repository_url: string
  pull_request?: { merged_at?: string | null }
}

export type Remark = {
  user: User
  body?: string | null
  created_at?: string
  submitted_at?: string
  path?: string
}

export type TreeEntry = { path: string; mode: string; type: string; sha: string; size?: number }

export const repositoryUrl = (fullName: string): string => `${api}/repos/${fullName}`

export async function getJson<T>(
  { http }: Context<Settings>,
  url: string,
  query: NonNullable<HttpRequest['query']> = {},
): Promise<T> {
  return await http.json<T>(url, { headers, query })
}

/** One page of a list, and whether there are more. */
export async function getPage<T>(
  { http }: Context<Settings>,
  url: string,
  query: NonNullable<HttpRequest['query']>,
): Promise<{ rows: T[]; isLast: boolean }> {
  const { data, next } = await http.page<T[]>(url, { headers, query })
  if (!Array.isArray(data)) throw new HttpFailure('unexpected_reply', `${new URL(url).host} answered no list`)
  return { rows: data, isLast: next === null }
}

/** The rows of the first pages of a list. */
export async function getRows<T>(
  context: Context<Settings>,
  url: string,
  query: NonNullable<HttpRequest['query']>,
  maxPages: number,
): Promise<{ rows: T[]; isWhole: boolean }> {
  const rows: T[] = []
  for (let page = 1; page <= maxPages; page++) {
    const part = await getPage<T>(context, url, { ...query, per_page: 100, page })
    rows.push(...part.rows)
    if (part.isLast) return { rows, isWhole: true }
  }
  return { rows, isWhole: false }
}

/** The full names of the synchronised repositories, in an order that changes of the repositories do not affect. */
export async function repositoryNames(context: Context<Settings>): Promise<string[]> {
  const { repositories } = context.config
  return inOrder(repositories ?? (await visibleRepositories(context)).map(({ full_name }) => full_name))
}

export async function visibleRepositories(context: Context<Settings>): Promise<Repository[]> {
  const { rows, isWhole } = await getRows<Repository>(context, `${api}/user/repos`, { sort: 'full_name' }, 1)
  if (!isWhole || rows.length > maxRepositories) {
    throw new Error(
      `The credentials see more than ${maxRepositories} repositories: name those that are wanted in the connection's config, in \`repositories\``,
    )
  }
  return rows
}

/** Names that differ only in case count as one. The order is the one that `nameAfter` expects. */
const inOrder = (names: string[]): string[] =>
  [...new Map(names.map(name => [name.toLowerCase(), name]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, name]) => name)

/** Null if `last` is the last name. */
export const nameAfter = (names: string[], last: string | null): string | null =>
  names.find(name => last === null || name.toLowerCase() > last.toLowerCase()) ?? null

/** The readers that each document names. GitHub tells the people's names only to callers with push access. */
export const readersOf = (fullName: string, visibility: string): string[] =>
  visibility === 'public'
    ? ['everyone']
    : [visibility === 'internal' ? `group:internal:${fullName.split('/')[0]}` : `group:${fullName}`]

export const visibilityOf = ({ visibility, private: isPrivate }: Repository): string =>
  visibility ?? (isPrivate ? 'private' : 'public')
