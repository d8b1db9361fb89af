/** An issue or pull request with what was said about it, as Markdown. */
import type { Issue, Remark, User } from './api.ts'

export type Remarks = { rows: Remark[]; isWhole: boolean }

export function issueMarkdown(
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
    // A review without words is an approval or its like; its remarks stand below.
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
