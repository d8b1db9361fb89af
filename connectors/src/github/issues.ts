/** Issues and pull requests with everything that was said about them. Each is one Markdown document. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Content, Context, Item } from '../connector.ts'
import { nullIfMissing } from '../http.ts'
import {
  getJson,
  getPage,
  getRows,
  type Issue,
  type Remark,
  readersOf,
  repositoryUrl,
  type User,
} from './api.ts'
import type { IssuesPosition, Part, Position, RepositoryState } from './position.ts'
import { type Settings, wants } from './settings.ts'

const pageSize = 100
/** The limit for comments, for reviews, and for remarks on the changes. */
const maxRemarkPages = 10
/** GitHub's copies of its data are not all equally fresh, so the last seconds are listed again. */
const overlapSeconds = 60

type IssueData = { repository: string; number: number; isPullRequest: boolean; visibility: string }

/**
 * Lists issues in the order of their last change and asks by its time, not by page numbers. Pages shift when issues
 * change.
 */
export async function listIssues(
  context: Context<Settings>,
  position: Position,
  known: RepositoryState | undefined,
): Promise<Part> {
  const { here, state } = position
  const isOpenOnly = context.config.state === 'open'
  const at = position.issues ?? { since: firstSince(known), page: 1, given: [] }
  const listed = await getPage<Issue>(context, `${repositoryUrl(here.name)}/issues`, {
    // Issues that were closed since the last sync have to be removed.
    state: isOpenOnly && known === undefined ? 'open' : 'all',
    sort: 'updated',
    direction: 'asc',
    since: at.since ?? undefined,
    per_page: pageSize,
    page: at.page,
  }).catch(nullIfMissing)
  const { rows, isLast } = listed ?? { rows: [], isLast: true }
  const fresh = rows
    .filter(({ number }) => !at.given.includes(number))
    .filter(issue => wants(context.config, issue.pull_request === undefined ? 'issues' : 'pull_requests'))
  const isWanted = (issue: Issue) => !isOpenOnly || issue.state === 'open'
  const updated = Math.max(
    state.updated,
    known?.updated ?? 0,
    ...rows.map(({ updated_at }) => secondsOf(updated_at)),
  )
  return {
    items: fresh.filter(isWanted).map(issue => itemOf(position, issue)),
    removed: fresh.filter(issue => !isWanted(issue)).map(({ number }) => issueId(here.id, number)),
    next:
      isLast || rows.length === 0
        ? null
        : { ...position, state: { ...state, updated }, issues: after(at, rows) },
    state: { ...state, updated },
  }
}

const firstSince = (known: RepositoryState | undefined): string | null =>
  known === undefined || known.updated === 0 ? null : timeOf(known.updated - overlapSeconds)

function after(at: IssuesPosition, rows: Issue[]): IssuesPosition {
  const last = rows.at(-1)?.updated_at ?? at.since
  // More issues were changed within one second than a page holds.
  if (last === null || last === at.since) return { ...at, page: at.page + 1 }
  const given = rows.filter(({ updated_at }) => updated_at === last).map(({ number }) => number)
  return { since: last, page: 1, given }
}

function itemOf({ here: { id, name, visibility } }: Position, issue: Issue): Item {
  const isPullRequest = issue.pull_request !== undefined
  const data: IssueData = { repository: name, number: issue.number, isPullRequest, visibility }
  return {
    id: issueId(id, issue.number),
    version: [issue.updated_at, issue.comments, visibility, name].join(' '),
    title: issue.title,
    data,
  }
}

const issueId = (repository: number, number: number): string => `repository-${repository}/issue-${number}`
const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000)
/** As GitHub writes times: without milliseconds. */
const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

/** Null if the issue was deleted, or transferred to another repository. */
export async function fetchIssue(context: Context<Settings>, data: unknown): Promise<Content | null> {
  // The item comes from `itemOf`.
  const { repository, number, visibility } = data as IssueData
  const read = await readIssue(context, repository, number).catch(nullIfMissing)
  if (read === null) return null
  const { issue, markdown } = read
  const kind = issue.pull_request === undefined ? 'issue' : 'pull_request'
  return {
    body: markdown,
    fileName: `${kind === 'issue' ? 'issue' : 'pull-request'}-${number}.md`,
    mediaType: 'text/markdown',
    title: `${issue.title} (${repository}#${number})`,
    metadata: withoutUndefined({
      url: issue.html_url,
      author: issue.user ? issue.user.login : undefined,
      createdAt: issue.created_at,
      updatedAt: issue.updated_at,
      readers: readersOf(repository, visibility),
      repository,
      kind,
      state: stateOf(issue),
      labels: issue.labels
        .map(label => (typeof label === 'string' ? label : (label.name ?? '')))
        .filter(name => name !== ''),
    }),
  }
}

/** Null if the issue now belongs to another repository. */
export async function readIssue(context: Context<Settings>, repository: string, number: number) {
  const base = repositoryUrl(repository)
  const issue = await getJson<Issue>(context, `${base}/issues/${number}`)
  if (issue.repository_url.toLowerCase() !== base.toLowerCase()) return null
  const remarks = async (path: string) =>
    await getRows<Remark>(context, `${base}/${path}`, {}, maxRemarkPages)
  const isPullRequest = issue.pull_request !== undefined
  const none = { rows: [], isWhole: true }
  return {
    issue,
    markdown: issueMarkdown(repository, issue, stateOf(issue), {
      comments: issue.comments > 0 ? await remarks(`issues/${number}/comments`) : none,
      reviews: isPullRequest ? await remarks(`pulls/${number}/reviews`) : none,
      reviewComments: isPullRequest ? await remarks(`pulls/${number}/comments`) : none,
    }),
  }
}

export const stateOf = ({ state, pull_request: pull }: Issue): string => (pull?.merged_at ? 'merged' : state)

// An issue or pull request with what was said about it, as Markdown.

type Remarks = { rows: Remark[]; isWhole: boolean }

function issueMarkdown(
  repository: string,
  issue: Issue,
  state: string,
  said: { comments: Remarks; reviews: Remarks; reviewComments: Remarks },
): string {
  const kind = issue.pull_request === undefined ? 'Issue' : 'Pull request'
  const labels = issue.labels.map(label => (typeof label === 'string' ? label : (label.name ?? '')))
  const facts = [
    `${kind} #${issue.number} in ${repository}, ${state}, opened by ${nameOf(issue.user)} on ${dayOf(issue.created_at)}${
      issue.closed_at === null ? '' : `, closed on ${dayOf(issue.closed_at)}`
    }.`,
    ...list('Labels', labels),
    ...list('Assigned to', issue.assignees?.map(nameOf) ?? []),
    ...list('Milestone', issue.milestone ? [issue.milestone.title] : []),
  ]
  return [
    `# ${issue.title}`,
    facts.join('\n'),
    issue.body ?? '',
    ...section('Comments', said.comments),
    // A review without text is an approval or similar. Its remarks on the changes follow below.
    ...section('Reviews', { ...said.reviews, rows: said.reviews.rows.filter(({ body }) => body) }),
    ...section('Remarks on the changes', said.reviewComments),
  ]
    .map(part => part.trim())
    .filter(part => part !== '')
    .join('\n\n')
    .concat('\n')
}

const list = (name: string, values: string[]): string[] => {
  const named = values.filter(value => value !== '')
  return named.length === 0 ? [] : [`${name}: ${named.join(', ')}.`]
}

function section(title: string, { rows, isWhole }: Remarks): string[] {
  if (rows.length === 0) return []
  return [
    `## ${title}`,
    ...rows.flatMap(({ user, body, path, created_at, submitted_at }) => [
      `### ${nameOf(user)}${onDay(created_at ?? submitted_at)}${path === undefined ? '' : `, on \`${path}\``}`,
      body ?? '',
    ]),
    ...(isWhole ? [] : [`(Only the first ${rows.length} are here.)`]),
  ]
}

/** GitHub also shows the author of a deleted account as `ghost`. */
const nameOf = (user: User): string => user?.login ?? 'ghost'
const dayOf = (time: string): string => time.slice(0, 10)
const onDay = (time: string | undefined): string => (time === undefined ? '' : `, ${dayOf(time)}`)
