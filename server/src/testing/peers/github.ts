/** A peer that answers as GitHub's REST API does, of repositories that the test fills, changes and empties. */

import type { TestContext } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { compared, contentsPayload } from './github-files.ts'
import {
  branchPayload,
  commentPayload,
  issuePayload,
  problem,
  repositoryPayload,
  reviewCommentPayload,
  reviewPayload,
  userPayload,
} from './github-payloads.ts'
import { createGitHubRepository, type GitHubRepository, wholeTree } from './github-repository.ts'
import { type LoopbackPeer, type PeerReply, type PeerRequest, startLoopbackPeer } from './loopback-peer.ts'

export type GitHubPeer = LoopbackPeer & {
  /** The only token that is accepted, unless a test says otherwise. */
  token: string
  accepts(token: string): boolean
  repositories: GitHubRepository[]
  /** A new repository, by its full name. */
  add(fullName: string, visibility?: GitHubRepository['visibility']): GitHubRepository
  /** More entries than this come `truncated` from a tree that is asked for as a whole. */
  maxTreeEntries: number
  /** Rows a page at most, whatever is asked for. */
  maxPageRows: number
  /** How much later each change is than the one before. */
  tickSeconds: number
  /** What was written over the API. */
  written: { path: string; body: Record<string, unknown> }[]
}

const usualMaxEntries = 100_000
const firstChangeMs = Date.parse('2026-03-01T08:00:00Z')

/** Stops with the test. */
export async function startGitHubPeer(t: TestContext): Promise<GitHubPeer> {
  const loopback = await startLoopbackPeer(t, request => answer(peer, request))
  let nowMs = firstChangeMs
  const tick = () => {
    nowMs += peer.tickSeconds * 1_000
    return new Date(nowMs).toISOString().replace('.000Z', 'Z')
  }
  const peer: GitHubPeer = Object.assign(loopback, {
    token: 'ghp_token',
    accepts: (token: string) => token === peer.token,
    repositories: [],
    add(fullName: string, visibility: GitHubRepository['visibility'] = 'public') {
      const id = 1_296_269 + peer.repositories.length
      const repository = createGitHubRepository({ id, fullName, visibility }, tick)
      peer.repositories.push(repository)
      return repository
    },
    maxTreeEntries: usualMaxEntries,
    maxPageRows: 100,
    tickSeconds: 600,
    written: [],
  })
  return peer
}

function answer(peer: GitHubPeer, request: PeerRequest): PeerReply {
  const { headers, path, query, method } = request
  const token = /^(?:Bearer|token) (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if (!peer.accepts(token)) return problem(401, 'Bad credentials')
  if (headers['user-agent'] === undefined) return problem(403, 'Request forbidden by administrative rules.')
  if (headers['x-github-api-version'] !== '2022-11-28')
    return problem(400, 'The test wants the version of the API')
  if (path === '/user') return { json: userPayload('octocat') }
  if (path === '/user/repos') return rows(peer, request, peer.repositories.map(repositoryPayload))
  if (path === '/search/issues') return found(peer, query)
  const [, fullName = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)(?:\/(.+))?$/.exec(path) ?? []
  const repository = peer.repositories.find(one => one.fullName.toLowerCase() === fullName.toLowerCase())
  if (repository === undefined) return problem(404, 'Not Found')
  if (rest === '') return { json: repositoryPayload(repository) }
  if (method === 'POST') return written(peer, repository, rest, request)
  return rest.startsWith('issues') || rest.startsWith('pulls')
    ? issuesOf(peer, repository, rest, request)
    : filesOf(peer, repository, rest, request)
}

function issuesOf(
  peer: GitHubPeer,
  repository: GitHubRepository,
  rest: string,
  request: PeerRequest,
): PeerReply {
  const name = repository.fullName
  if (rest === 'issues') return rows(peer, request, listed(repository, request.query))
  const [, number = '', part = ''] = /^(?:issues|pulls)\/(\d+)(?:\/(\w+))?$/.exec(rest) ?? []
  const issue = repository.issues.get(Number(number))
  if (issue === undefined) return problem(404, 'Not Found')
  const { pull } = issue
  switch (`${rest.startsWith('pulls') ? 'pulls' : 'issues'} ${part}`) {
    case 'issues ':
      return { json: issuePayload(name, issue) }
    case 'issues comments':
      return rows(
        peer,
        request,
        issue.comments.map(one => commentPayload(name, issue.number, one)),
      )
    case 'pulls reviews':
      return rows(peer, request, pull?.reviews.map(one => reviewPayload(name, issue.number, one)) ?? [])
    case 'pulls comments':
      return rows(
        peer,
        request,
        pull?.reviewComments.map(one => reviewCommentPayload(name, issue.number, one)) ?? [],
      )
    default:
      return problem(404, 'Not Found')
  }
}

/** https://docs.github.com/en/rest/issues/issues#list-repository-issues: newest first unless asked otherwise, open ones only. */
function listed(repository: GitHubRepository, query: URLSearchParams) {
  const state = query.get('state') ?? 'open'
  const since = Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z')
  const key = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt'
  const sign = query.get('direction') === 'asc' ? 1 : -1
  return [...repository.issues.values()]
    .filter(issue => state === 'all' || issue.state === state)
    .filter(issue => Date.parse(issue.updatedAt) >= since)
    .sort((a, b) => sign * (Date.parse(a[key]) - Date.parse(b[key]) || a.number - b.number))
    .map(issue => issuePayload(repository.fullName, issue))
}

function filesOf(
  peer: GitHubPeer,
  repository: GitHubRepository,
  rest: string,
  { query, headers }: PeerRequest,
): PeerReply {
  const [kind = '', ...names] = rest.split('/').map(decodeURIComponent)
  const last = repository.commits.at(-1)
  if (kind === 'branches') {
    const isThere = last !== undefined && names.join('/') === repository.defaultBranch
    if (!isThere) return problem(404, 'Branch not found')
    return { json: branchPayload(repository.fullName, repository.defaultBranch, last.sha, last.tree) }
  }
  if (kind === 'compare') return compared(repository, names.join('/'))
  if (kind === 'contents') return contentsPayload(repository, names.join('/'), query.get('ref'))
  const [object, sha = ''] = names
  if (kind === 'git' && object === 'blobs') {
    const content = repository.blobs.get(sha)
    if (content === undefined) return problem(404, 'Not Found')
    // https://docs.github.com/en/rest/git/blobs#get-a-blob: as it is, where it is asked for so.
    return headers.accept === 'application/vnd.github.raw+json'
      ? { body: content }
      : { json: { content: Buffer.from(content).toString('base64'), encoding: 'base64', sha } }
  }
  if (kind !== 'git' || object !== 'trees' || !repository.trees.has(sha)) return problem(404, 'Not Found')
  // https://docs.github.com/en/rest/git/trees#get-a-tree: any value of the parameter asks for everything.
  const isWhole = query.has('recursive')
  const tree = isWhole ? wholeTree(repository, sha) : (repository.trees.get(sha) ?? [])
  const truncated = isWhole && tree.length > peer.maxTreeEntries
  return { json: { sha, tree: truncated ? tree.slice(0, peer.maxTreeEntries) : tree, truncated } }
}

/** https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests */
function found(peer: GitHubPeer, query: URLSearchParams): PeerReply {
  const parts = (query.get('q') ?? '').split(/\s+/)
  const qualified = (name: string) =>
    parts.filter(part => part.startsWith(`${name}:`)).map(part => part.slice(name.length + 1))
  const [kind] = qualified('is')
  if (kind !== 'issue' && kind !== 'pull-request')
    return problem(422, "Query must include 'is:issue' or 'is:pull-request'")
  const [state] = qualified('state')
  const words = parts.filter(part => !part.includes(':')).map(word => word.toLowerCase())
  const items = peer.repositories
    .filter(({ fullName }) => qualified('repo').length === 0 || qualified('repo').includes(fullName))
    .flatMap(({ fullName, issues }) =>
      [...issues.values()]
        .filter(issue => (issue.pull === null) === (kind === 'issue'))
        .filter(issue => state === undefined || issue.state === state)
        .filter(({ title, body }) => words.every(word => `${title} ${body}`.toLowerCase().includes(word)))
        .map(issue => ({ ...issuePayload(fullName, issue), score: 1 })),
    )
  return { json: { total_count: items.length, incomplete_results: false, items } }
}

function written(
  peer: GitHubPeer,
  repository: GitHubRepository,
  rest: string,
  { body }: PeerRequest,
): PeerReply {
  const given = JSON.parse(body) as Record<string, string>
  const [, number = ''] = /^issues\/(\d+)\/comments$/.exec(rest) ?? []
  if (rest !== 'issues' && !repository.issues.has(Number(number))) return problem(404, 'Not Found')
  peer.written.push({ path: `${repository.fullName}/${rest}`, body: given })
  if (rest === 'issues') {
    const issue = repository.open({ title: given.title ?? '', body: given.body ?? null })
    return { status: 201, json: issuePayload(repository.fullName, issue) }
  }
  const comment = repository.comment(Number(number), 'octocat', given.body ?? '')
  return { status: 201, json: commentPayload(repository.fullName, Number(number), comment) }
}

/** https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api */
function rows(peer: GitHubPeer, { path, query }: PeerRequest, all: object[]): PeerReply {
  const size = Math.min(Number(query.get('per_page') ?? 30), peer.maxPageRows)
  const page = Number(query.get('page') ?? 1)
  const isLast = page * size >= all.length
  const next = new URLSearchParams(query)
  next.set('page', String(page + 1))
  return {
    json: all.slice((page - 1) * size, page * size),
    headers: withoutUndefined<Record<string, string>>({
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '4999',
      link: !isLast ? `<https://api.github.com${path}?${next}>; rel="next"` : undefined,
    }),
  }
}
