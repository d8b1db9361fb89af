/** Which operations share a page of the reference: those of a tag, or of a part of a large tag. */
import { type Endpoint, eventsOf, type OpenApi, operationsOf } from './open-api.ts'

export type Group = {
  /** The page's address below `/docs/`. */
  name: string
  title: string
  /** A group of received events has no tag. */
  tag: string | null
  description: string
  /** The guides that say how to use its operations. */
  guides: readonly string[]
  endpoints: Endpoint[]
}

type Plan = {
  name: string
  title: string
  tag: string
  /** Without it, the page takes all that no other page of the tag takes. */
  paths?: RegExp
  guides: readonly string[]
}

/** In the order of the menu. A tag that is not listed gets one page under its own name. */
const plans: readonly Plan[] = [
  { name: 'agents', title: 'Agents', tag: 'agents', guides: ['agents', 'tools'] },
  {
    name: 'runs',
    title: 'Runs',
    tag: 'agents',
    paths: /^\/runs|^\/agents\/(\{id\}\/runs?|last-runs)$/,
    guides: ['runs', 'structured-output', 'tools'],
  },
  {
    name: 'conversations',
    title: 'Conversations',
    tag: 'agents',
    paths: /^\/conversations/,
    guides: ['conversations'],
  },
  {
    name: 'starters',
    title: 'Schedules and triggers',
    tag: 'agents',
    paths: /\/(schedules|triggers)\b/,
    guides: ['schedules'],
  },
  {
    name: 'chat',
    title: 'Chat in web pages',
    tag: 'agents',
    paths: /^\/browser-tokens|\/public-chat\b/,
    guides: ['own-pages'],
  },
  { name: 'models', title: 'Models', tag: 'models', guides: ['models'] },
  {
    name: 'collections',
    title: 'Collections',
    tag: 'knowledge',
    paths: /^\/knowledge\/(collections(\/\{id\}(\/(restore|export))?)?$|imports)/,
    guides: ['documents', 'export'],
  },
  { name: 'documents', title: 'Documents', tag: 'knowledge', guides: ['documents', 'formats'] },
  {
    name: 'uploads',
    title: 'Uploads',
    tag: 'knowledge',
    paths: /^\/knowledge\/(uploads|documents\/(batch|from-url)$)/,
    guides: ['uploads'],
  },
  { name: 'syncs', title: 'Sync sessions', tag: 'knowledge', paths: /\/syncs\b/, guides: ['sync'] },
  {
    name: 'search',
    title: 'Search',
    tag: 'knowledge',
    paths: /^\/knowledge\/(search|citations)/,
    guides: ['search', 'filters'],
  },
  {
    name: 'integrations',
    title: 'Integrations',
    tag: 'integrations',
    guides: ['integrations', 'services', 'http-api', 'mcp-servers'],
  },
  { name: 'events', title: 'Events', tag: 'events', guides: ['webhooks'] },
  { name: 'webhooks', title: 'Webhooks', tag: 'webhooks', guides: ['webhooks'] },
  { name: 'workspace', title: 'Workspace', tag: 'workspace', guides: ['workspaces'] },
  {
    name: 'members',
    title: 'Members and invitations',
    tag: 'workspace',
    paths: /^\/workspace\/(members|invitations)/,
    guides: ['members'],
  },
  { name: 'teams', title: 'Teams', tag: 'workspace', paths: /^\/workspace\/teams/, guides: ['members'] },
  {
    name: 'api-keys',
    title: 'API keys',
    tag: 'workspace',
    paths: /^\/api-keys/,
    guides: ['members', 'sandbox'],
  },
  {
    name: 'usage',
    title: 'Usage and audit log',
    tag: 'workspace',
    paths: /^\/(usage|audit-log)/,
    guides: ['usage'],
  },
  { name: 'openapi', title: 'OpenAPI document', tag: 'meta', guides: [] },
]

/** Each operation is in exactly one group. */
export function groupsOf(openApi: OpenApi): Group[] {
  const operations = operationsOf(openApi)
  const unplanned = [...new Set(operations.flatMap(({ tags }) => tags.slice(0, 1)))]
    .filter(name => !plans.some(({ tag }) => tag === name))
    .map((name): Plan => ({ name, title: capital(name), tag: name, guides: [] }))
  const all = [...plans, ...unplanned]
  const groups = all.map(plan => ({
    ...plan,
    description: descriptionOf(plan, all, openApi),
    endpoints: operations.filter(operation => planOf(operation, all) === plan),
  }))
  const events: Group = {
    name: 'received-events',
    title: 'Events received',
    tag: null,
    description: 'What the server sends to your webhook endpoints and callbacks, each signed.',
    guides: ['webhooks'],
    endpoints: eventsOf(openApi),
  }
  return [...groups, events].filter(({ endpoints }) => endpoints.length > 0)
}

function planOf({ tags, path }: Endpoint, all: readonly Plan[]): Plan | undefined {
  const ofTag = all.filter(({ tag }) => tag === tags[0])
  return ofTag.find(({ paths }) => paths?.test(path)) ?? ofTag.find(({ paths }) => paths === undefined)
}

/** A tag's description holds for a page that has the whole tag. */
const descriptionOf = ({ tag }: Plan, all: readonly Plan[], openApi: OpenApi): string =>
  all.filter(other => other.tag === tag).length > 1
    ? ''
    : (openApi.tags.find(({ name }) => name === tag)?.description ?? '')

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
