/** What GitHub's API answers, field by field as its documentation shows it. Addresses are those of the real service. */
const api = 'https://api.github.com'

export type StoredRepository = {
  id: number
  fullName: string
  visibility: 'public' | 'private' | 'internal'
  defaultBranch: string
}

export type StoredRemark = {
  id: number
  user: string
  body: string
  createdAt: string
  updatedAt: string
}

export type StoredIssue = {
  id: number
  number: number
  title: string
  body: string | null
  user: string
  state: 'open' | 'closed'
  labels: string[]
  createdAt: string
  updatedAt: string
  closedAt: string | null
  comments: StoredRemark[]
  /** Only pull requests have these. */
  pull: {
    mergedAt: string | null
    reviews: StoredRemark[]
    reviewComments: (StoredRemark & { path: string })[]
  } | null
}

/** https://docs.github.com/en/rest/users/users#get-the-authenticated-user */
export const userPayload = (login: string) => ({
  login,
  id: 1,
  node_id: 'MDQ6VXNlcjE=',
  avatar_url: 'https://github.com/images/error/octocat_happy.gif',
  gravatar_id: '',
  url: `${api}/users/${login}`,
  html_url: `https://github.com/${login}`,
  type: 'User',
  site_admin: false,
})

/** https://docs.github.com/en/rest/repos/repos#get-a-repository */
export function repositoryPayload({ id, fullName, visibility, defaultBranch }: StoredRepository) {
  const [owner = '', name = ''] = fullName.split('/')
  return {
    id,
    node_id: 'MDEwOlJlcG9zaXRvcnkxMjk2MjY5',
    name,
    full_name: fullName,
    owner: userPayload(owner),
    private: visibility !== 'public',
    html_url: `https://github.com/${fullName}`,
    description: 'This your first repo!',
    fork: false,
    url: `${api}/repos/${fullName}`,
    trees_url: `${api}/repos/${fullName}/git/trees{/sha}`,
    default_branch: defaultBranch,
    has_issues: true,
    archived: false,
    disabled: false,
    visibility,
    pushed_at: '2011-01-26T19:06:43Z',
    created_at: '2011-01-26T19:01:12Z',
    updated_at: '2011-01-26T19:14:43Z',
  }
}

/** https://docs.github.com/en/rest/issues/issues#list-repository-issues; a pull request has the key `pull_request`. */
export function issuePayload(fullName: string, issue: StoredIssue) {
  const { number, pull } = issue
  const url = `${api}/repos/${fullName}/issues/${number}`
  const page = `https://github.com/${fullName}/${pull === null ? 'issues' : 'pull'}/${number}`
  return {
    id: issue.id,
    node_id: 'MDU6SXNzdWUx',
    url,
    repository_url: `${api}/repos/${fullName}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: page,
    number,
    state: issue.state,
    state_reason: issue.state === 'closed' ? 'completed' : null,
    title: issue.title,
    body: issue.body,
    user: userPayload(issue.user),
    labels: issue.labels.map((name, index) => ({
      id: 208045946 + index,
      node_id: 'MDU6TGFiZWwyMDgwNDU5NDY=',
      url: `${api}/repos/${fullName}/labels/${name}`,
      name,
      description: "Something isn't working",
      color: 'f29513',
      default: true,
    })),
    assignee: null,
    assignees: [],
    milestone: null,
    locked: false,
    active_lock_reason: null,
    comments: issue.comments.length,
    draft: pull === null ? undefined : false,
    pull_request:
      pull === null
        ? undefined
        : {
            url: `${api}/repos/${fullName}/pulls/${number}`,
            html_url: page,
            diff_url: `${page}.diff`,
            patch_url: `${page}.patch`,
            merged_at: pull.mergedAt,
          },
    closed_at: issue.closedAt,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    author_association: 'COLLABORATOR',
  }
}

/** https://docs.github.com/en/rest/issues/comments#list-issue-comments */
export const commentPayload = (fullName: string, number: number, comment: StoredRemark) => ({
  id: comment.id,
  node_id: 'MDEyOklzc3VlQ29tbWVudDE=',
  url: `${api}/repos/${fullName}/issues/comments/${comment.id}`,
  html_url: `https://github.com/${fullName}/issues/${number}#issuecomment-${comment.id}`,
  body: comment.body,
  user: userPayload(comment.user),
  created_at: comment.createdAt,
  updated_at: comment.updatedAt,
  issue_url: `${api}/repos/${fullName}/issues/${number}`,
  author_association: 'COLLABORATOR',
})

/** https://docs.github.com/en/rest/pulls/reviews#list-reviews-for-a-pull-request */
export const reviewPayload = (fullName: string, number: number, review: StoredRemark) => ({
  id: review.id,
  node_id: 'MDE3OlB1bGxSZXF1ZXN0UmV2aWV3ODA=',
  user: userPayload(review.user),
  body: review.body,
  state: 'APPROVED',
  html_url: `https://github.com/${fullName}/pull/${number}#pullrequestreview-${review.id}`,
  pull_request_url: `${api}/repos/${fullName}/pulls/${number}`,
  submitted_at: review.createdAt,
  commit_id: 'ecdd80bb57125d7ba9641ffaa4d7d2c19d3f3091',
  author_association: 'COLLABORATOR',
})

/** https://docs.github.com/en/rest/pulls/comments#list-review-comments-on-a-pull-request */
export const reviewCommentPayload = (
  fullName: string,
  number: number,
  comment: StoredRemark & { path: string },
) => ({
  url: `${api}/repos/${fullName}/pulls/comments/${comment.id}`,
  pull_request_review_id: 42,
  id: comment.id,
  node_id: 'MDI0OlB1bGxSZXF1ZXN0UmV2aWV3Q29tbWVudDEw',
  diff_hunk: '@@ -16,33 +16,40 @@ public class Connection : IConnection...',
  path: comment.path,
  position: 1,
  commit_id: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  user: userPayload(comment.user),
  body: comment.body,
  created_at: comment.createdAt,
  updated_at: comment.updatedAt,
  html_url: `https://github.com/${fullName}/pull/${number}#discussion-diff-${comment.id}`,
  pull_request_url: `${api}/repos/${fullName}/pulls/${number}`,
})

/** https://docs.github.com/en/rest/branches/branches#get-a-branch */
export const branchPayload = (fullName: string, name: string, commit: string, tree: string) => ({
  name,
  commit: {
    sha: commit,
    node_id: 'MDY6Q29tbWl0MTI5NjI2OQ==',
    commit: {
      author: { name: 'The Octocat', email: 'octocat@nowhere.com', date: '2012-03-06T15:06:50-08:00' },
      message: 'Merge pull request #6 from Spaceghost/patch-1',
      tree: { sha: tree, url: `${api}/repos/${fullName}/git/trees/${tree}` },
      comment_count: 0,
    },
    url: `${api}/repos/${fullName}/commits/${commit}`,
    parents: [],
  },
  protected: false,
})

/** https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api */
export const problem = (status: number, message: string) => ({
  status,
  json: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
})

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
export const secondaryLimit = problem(
  403,
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
)

export const primaryLimit = (resetAtSeconds: number) => ({
  ...problem(403, 'API rate limit exceeded for user ID 1.'),
  headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(resetAtSeconds) },
})
