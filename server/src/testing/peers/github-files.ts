/** The GitHub peer's comparison of two commits, and the contents of files and folders. */
import { problem } from './github-payloads.ts'
import { type GitHubRepository, gitId } from './github-repository.ts'
import type { PeerReply } from './loopback-peer.ts'

const maxFiles = 300

/** https://docs.github.com/en/rest/commits/commits#compare-two-commits: `base...head`, at most 300 files. */
export function compared(repository: GitHubRepository, range: string): PeerReply {
  const [base = '', head = ''] = range.split('...')
  const indexOf = (sha: string) => repository.commits.findIndex(commit => commit.sha === sha)
  const [from, to] = [indexOf(base), indexOf(head)]
  const [before, after] = [repository.commits[from], repository.commits[to]]
  if (before === undefined || after === undefined) return problem(404, 'Not Found')
  const files = [...new Set([...before.files.keys(), ...after.files.keys()])]
    .filter(path => before.files.get(path)?.content !== after.files.get(path)?.content)
    .map(path => changedFile(path, before.files.get(path)?.content, after.files.get(path)?.content))
  return {
    json: {
      url: `https://api.github.com/repos/${repository.fullName}/compare/${range}`,
      status: to === from ? 'identical' : to > from ? 'ahead' : 'behind',
      ahead_by: Math.max(0, to - from),
      behind_by: Math.max(0, from - to),
      total_commits: Math.max(0, to - from),
      commits: [],
      files: joinedRenames(files).slice(0, maxFiles),
    },
  }
}

type ChangedFile = { sha: string; filename: string; status: string; previous_filename?: string }

const changedFile = (path: string, before: string | undefined, after: string | undefined): ChangedFile => ({
  sha: gitId('blob', after ?? before ?? ''),
  filename: path,
  status: after === undefined ? 'removed' : before === undefined ? 'added' : 'modified',
})

/** A file that is removed here and added there with the same content was renamed. */
function joinedRenames(files: ChangedFile[]): ChangedFile[] {
  const removed = files.filter(({ status }) => status === 'removed')
  const origins = new Map(
    files
      .filter(({ status }) => status === 'added')
      .flatMap(file => {
        const origin = removed.find(({ sha }) => sha === file.sha)
        return origin === undefined ? [] : [[file.filename, origin.filename] as const]
      }),
  )
  return files
    .filter(({ filename, status }) => status !== 'removed' || ![...origins.values()].includes(filename))
    .map(file => {
      const origin = origins.get(file.filename)
      return origin === undefined ? file : { ...file, status: 'renamed', previous_filename: origin }
    })
}

const maxShownBytes = 1024 * 1024

/** https://docs.github.com/en/rest/repos/contents#get-repository-content */
export function contentsPayload(repository: GitHubRepository, path: string, ref: string | null): PeerReply {
  const { commits, defaultBranch } = repository
  const commit =
    ref === null || ref === defaultBranch ? commits.at(-1) : commits.find(({ sha }) => sha === ref)
  const file = commit?.files.get(path)
  if (file !== undefined) {
    const size = Buffer.byteLength(file.content)
    const isShown = size <= maxShownBytes
    return {
      json: {
        type: 'file',
        encoding: isShown ? 'base64' : 'none',
        size,
        name: path.split('/').at(-1),
        path,
        // In lines, as the service sends it.
        content: isShown
          ? (
              Buffer.from(file.content)
                .toString('base64')
                .match(/.{1,60}/g) ?? []
            ).join('\n')
          : '',
        sha: gitId('blob', file.content),
      },
    }
  }
  const folder = path === '' ? '' : `${path}/`
  const names = new Set(
    [...(commit?.files.keys() ?? [])]
      .filter(one => one.startsWith(folder))
      .map(one => one.slice(folder.length).split('/')[0] ?? ''),
  )
  if (names.size === 0) return problem(404, 'Not Found')
  return {
    json: [...names].map(name => ({
      type: commit?.files.has(`${folder}${name}`) ? 'file' : 'dir',
      size: 0,
      name,
      path: `${folder}${name}`,
    })),
  }
}
