/** What agents can do on GitHub. If the config names repositories, the tools reach only these. */

import type { ConnectorTool, Context } from '../connector.ts'
import { objectSchema } from '../schemas.ts'
import { withoutOuter } from '../trim.ts'
import { api, getJson, headers, type Issue, repositoryUrl, visibilityOf, visibleRepositories } from './api.ts'
import { encodedPath } from './files.ts'
import { readIssue, stateOf } from './issues.ts'
import { isPathInside, repositorySchema, type Settings } from './settings.ts'

type Tool = ConnectorTool<Settings>

const number = { type: 'integer', minimum: 1, description: 'Of the issue or pull request.' }
const maxFound = 20

const searchIssues: Tool = {
  name: 'search_issues',
  description:
    'Finds issues and pull requests by words in their title, text and comments. Answers number, title, state and address of each.',
  input: objectSchema(
    {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        description: 'Words, or qualifiers of GitHub such as `label:bug`.',
      },
      kind: { type: 'string', enum: ['issue', 'pull_request'], description: 'Both unless given.' },
      repository: repositorySchema,
      state: { type: 'string', enum: ['open', 'closed'] },
    },
    ['query'],
  ),
  changes: false,
  async run(context, input) {
    const { query, kind, repository, state } = input as SearchInput
    if (repository !== undefined) assertReached(context, repository)
    const repositories = repository === undefined ? (context.config.repositories ?? []) : [repository]
    const found: FoundIssue[] = []
    // With some kinds of tokens, a query has to ask for either issues or pull requests.
    for (const one of kind === undefined ? (['issue', 'pull_request'] as const) : [kind]) {
      const q = [
        query,
        `is:${one.replace('_', '-')}`,
        ...(state === undefined ? [] : [`state:${state}`]),
        ...repositories.map(name => `repo:${name}`),
      ]
      const { items } = await getJson<{ items: Issue[] }>(context, `${api}/search/issues`, {
        q: q.join(' '),
        per_page: maxFound,
      })
      found.push(...items.map(issue => foundIssue(issue, one)))
    }
    // The query's text can name other repositories, so the results are filtered.
    return { issues: found.filter(issue => isReached(context, issue.repository)) }
  },
}

type SearchInput = {
  query: string
  kind?: 'issue' | 'pull_request'
  repository?: string
  state?: 'open' | 'closed'
}

const foundIssue = (issue: Issue, kind: string) => ({
  repository: issue.repository_url.slice(`${api}/repos/`.length),
  number: issue.number,
  title: issue.title,
  kind,
  state: stateOf(issue),
  updatedAt: issue.updated_at,
  url: issue.html_url,
})
type FoundIssue = ReturnType<typeof foundIssue>

const getIssue: Tool = {
  name: 'get_issue',
  description: 'Reads one issue or pull request with its comments and reviews.',
  input: objectSchema({ repository: repositorySchema, number }, ['repository', 'number']),
  changes: false,
  async run(context, input) {
    const { repository, number } = input as { repository: string; number: number }
    assertReached(context, repository)
    const read = await readIssue(context, repository, number)
    if (read === null) throw new Error(`${repository}#${number} was transferred to another repository`)
    return { url: read.issue.html_url, state: stateOf(read.issue), markdown: read.markdown }
  },
}

const listRepositories: Tool = {
  name: 'list_repositories',
  description: 'Lists the repositories that can be searched and read.',
  input: objectSchema({}, []),
  changes: false,
  async run(context) {
    const { repositories } = context.config
    if (repositories !== undefined) return { repositories: repositories.map(name => ({ name })) }
    const visible = await visibleRepositories(context)
    return {
      repositories: visible.map(one => ({ name: one.full_name, visibility: visibilityOf(one) })),
    }
  },
}

type Entry = { type: string; name: string; path: string; size: number }

const readFile: Tool = {
  name: 'read_file',
  description: 'Reads a text file of a repository up to 1 MB, or lists what a folder contains.',
  input: objectSchema(
    {
      repository: repositorySchema,
      path: {
        type: 'string',
        maxLength: 1_000,
        description: 'Such as `docs/guide.md`; left out for the top folder.',
      },
      ref: {
        type: 'string',
        minLength: 1,
        maxLength: 250,
        description: 'Branch, tag or commit; the default branch unless given.',
      },
    },
    ['repository'],
  ),
  changes: false,
  async run(context, input) {
    const { repository, path = '', ref } = input as { repository: string; path?: string; ref?: string }
    assertReached(context, repository)
    const wanted = withoutOuter(path, '/')
    if (wanted !== '' && !isPathInside(wanted)) throw new Error('path must lie within the repository')
    const url = `${repositoryUrl(repository)}/contents/${encodedPath(wanted)}`
    const found = await getJson<Entry[] | (Entry & { content?: string; encoding?: string })>(context, url, {
      ref,
    })
    if (Array.isArray(found)) return { entries: found.map(({ type, path, size }) => ({ type, path, size })) }
    // Larger files come without their content: https://docs.github.com/en/rest/repos/contents#get-repository-content
    if (found.encoding !== 'base64') throw new Error(`${wanted} is no file of at most 1 MB`)
    const text = Buffer.from(found.content ?? '', 'base64').toString()
    if (text.includes('\0')) throw new Error(`${wanted} is not a text file`)
    return { path: found.path, text }
  },
}

const createIssue: Tool = {
  name: 'create_issue',
  description: 'Opens a new issue in a repository.',
  input: objectSchema(
    {
      repository: repositorySchema,
      title: { type: 'string', minLength: 1, maxLength: 256 },
      body: { type: 'string', maxLength: 60_000, description: 'Markdown.' },
    },
    ['repository', 'title'],
  ),
  changes: true,
  async run(context, input) {
    const { repository, title, body } = input as { repository: string; title: string; body?: string }
    assertReached(context, repository)
    const url = `${repositoryUrl(repository)}/issues`
    const { number, html_url } = await context.http.json<Issue>(url, {
      method: 'POST',
      headers,
      body: { title, body },
    })
    return { number, url: html_url }
  },
}

const createIssueComment: Tool = {
  name: 'create_issue_comment',
  description: 'Writes a comment on an issue or pull request.',
  input: objectSchema(
    {
      repository: repositorySchema,
      number,
      body: { type: 'string', minLength: 1, maxLength: 60_000, description: 'Markdown.' },
    },
    ['repository', 'number', 'body'],
  ),
  changes: true,
  async run(context, input) {
    const { repository, number, body } = input as { repository: string; number: number; body: string }
    assertReached(context, repository)
    const url = `${repositoryUrl(repository)}/issues/${number}/comments`
    const { id, html_url } = await context.http.json<{ id: number; html_url: string }>(url, {
      method: 'POST',
      headers,
      body: { body },
    })
    return { id, url: html_url }
  },
}

export const tools: readonly Tool[] = [
  searchIssues,
  getIssue,
  listRepositories,
  readFile,
  createIssue,
  createIssueComment,
]

const isReached = ({ config }: Context<Settings>, repository: string): boolean =>
  config.repositories?.some(name => name.toLowerCase() === repository.toLowerCase()) ?? true

function assertReached(context: Context<Settings>, repository: string): void {
  if (isReached(context, repository)) return
  throw new Error(`This connection reaches ${context.config.repositories?.join(', ')}, and not ${repository}`)
}
