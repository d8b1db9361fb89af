/** A repository of the GitHub peer: issues that change over time, and commits of files with trees and blobs of git's own ids. */
import { createHash } from 'node:crypto'
import type { StoredIssue, StoredRemark, StoredRepository } from './github-payloads.ts'

export type TreeEntry = { path: string; mode: string; type: 'blob' | 'tree'; sha: string; size?: number }
type File = { content: string; mode: string }
type Commit = { sha: string; tree: string; files: Map<string, File> }

export type GitHubRepository = StoredRepository & {
  issues: Map<number, StoredIssue>
  commits: Commit[]
  blobs: Map<string, string>
  trees: Map<string, TreeEntry[]>
  open(issue: Partial<StoredIssue> & { title: string }): StoredIssue
  /** Changes an issue, and with it its `updated_at`. */
  change(number: number, change: (issue: StoredIssue) => void): void
  comment(number: number, user: string, body: string): StoredRemark
  close(number: number): void
  /** A commit on the default branch: paths with their new content, null if they are deleted. */
  commit(changes: Record<string, string | null>, mode?: string): string
  /** Takes the last commit back, as `git push --force` does. */
  takeBack(): void
}

/** `tick` gives the time of each change. */
export function createGitHubRepository(
  about: Pick<StoredRepository, 'id' | 'fullName'> & Partial<StoredRepository>,
  tick: () => string,
): GitHubRepository {
  let ids = about.id * 1_000
  const nextId = () => {
    ids += 1
    return ids
  }
  const repository: GitHubRepository = {
    visibility: 'public',
    defaultBranch: 'main',
    ...about,
    issues: new Map(),
    commits: [],
    blobs: new Map(),
    trees: new Map(),
    open(given) {
      const at = tick()
      const number = Math.max(1_346, ...repository.issues.keys()) + 1
      const issue: StoredIssue = {
        id: nextId(),
        number,
        body: null,
        user: 'octocat',
        state: 'open',
        labels: [],
        createdAt: at,
        updatedAt: at,
        closedAt: null,
        comments: [],
        pull: null,
        ...given,
      }
      repository.issues.set(issue.number, issue)
      return issue
    },
    change(number, change) {
      const issue = repository.issues.get(number)
      if (issue === undefined) throw new Error(`There is no issue ${number}`)
      issue.updatedAt = tick()
      change(issue)
    },
    comment(number, user, body) {
      const remark = { id: nextId(), user, body, createdAt: '', updatedAt: '' }
      repository.change(number, issue => {
        remark.createdAt = issue.updatedAt
        remark.updatedAt = issue.updatedAt
        issue.comments.push(remark)
      })
      return remark
    },
    close: number =>
      repository.change(number, issue => {
        issue.state = 'closed'
        issue.closedAt = issue.updatedAt
      }),
    commit(changes, mode = '100644') {
      const files = new Map(repository.commits.at(-1)?.files)
      for (const [path, content] of Object.entries(changes)) {
        if (content === null) files.delete(path)
        else files.set(path, { content, mode })
      }
      const tree = treeOf(repository, files, '')
      const parent = repository.commits.at(-1)?.sha ?? ''
      const sha = gitId('commit', `tree ${tree}\nparent ${parent}\n\n${tick()}\n`)
      repository.commits.push({ sha, tree, files })
      return sha
    },
    takeBack: () => void repository.commits.pop(),
  }
  return repository
}

/** Keeps the tree of a folder with all that is below it, and answers its id. */
function treeOf(repository: GitHubRepository, files: Map<string, File>, folder: string): string {
  const entries = new Map<string, TreeEntry>()
  for (const [path, { content, mode }] of files) {
    if (!path.startsWith(folder)) continue
    const [name = '', ...below] = path.slice(folder.length).split('/')
    if (below.length === 0) {
      const sha = gitId('blob', content)
      repository.blobs.set(sha, content)
      entries.set(name, { path: name, mode, type: 'blob', sha, size: Buffer.byteLength(content) })
    } else if (!entries.has(name)) {
      const sha = treeOf(repository, files, `${folder}${name}/`)
      entries.set(name, { path: name, mode: '040000', type: 'tree', sha })
    }
  }
  const sorted = [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  const sha = gitId('tree', JSON.stringify(sorted))
  repository.trees.set(sha, sorted)
  return sha
}

/** A tree with all that is below it, by paths, as `recursive` asks for it. */
export function wholeTree(repository: GitHubRepository, sha: string): TreeEntry[] {
  return (repository.trees.get(sha) ?? []).flatMap(entry =>
    entry.type === 'blob'
      ? [entry]
      : [
          entry,
          ...wholeTree(repository, entry.sha).map(below => ({
            ...below,
            path: `${entry.path}/${below.path}`,
          })),
        ],
  )
}

export const gitId = (type: string, content: string): string =>
  createHash('sha1')
    .update(`${type} ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex')
