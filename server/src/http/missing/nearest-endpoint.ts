/** The endpoint that a wrong path probably means: a slip, a missing prefix, or the word of another API. */
import { nearestName } from '../../platform/text/nearest-name.ts'
import { type Route, urlOf } from '../route.ts'

/** Words of other APIs, as the words of paths here. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  assistants: ['agents'],
  audit: ['audit-log'],
  audit_logs: ['audit-log'],
  bots: ['agents'],
  chats: ['conversations'],
  connections: ['integrations'],
  connectors: ['integrations'],
  datasets: ['collections'],
  files: ['documents'],
  health: ['healthz'],
  hooks: ['webhooks'],
  indexes: ['collections'],
  invitations: ['invite'],
  invite: ['invitations'],
  keys: ['api-keys'],
  knowledge_bases: ['collections'],
  logs: ['audit-log'],
  people: ['members'],
  ping: ['healthz'],
  query: ['search'],
  sessions: ['conversations'],
  status: ['healthz'],
  swagger: ['openapi.json'],
  threads: ['conversations'],
  tokens: ['api-keys'],
  users: ['members'],
  vector_stores: ['collections'],
  whoami: ['me'],
}

type Endpoint = { method: string; url: string; words: readonly string[] }

const besideRoutes: readonly Endpoint[] = [
  { method: 'GET', url: '/docs', words: ['docs'] },
  { method: 'GET', url: '/healthz', words: ['healthz'] },
  { method: 'POST', url: '/mcp', words: ['mcp'] },
]

const mostSegments = 12

/**
 * Such as `POST /api/v1/agents/{id}/run`; null if none is near. With `onlyOfMethod`, the path exists, and another one
 * takes the method.
 */
export function nearestEndpoint(
  method: string,
  path: string,
  routes: readonly Route[],
  { onlyOfMethod = false } = {},
): string | null {
  const segments = path.split('/').filter(segment => segment !== '')
  const asked = withoutPrefix(segments)
  if (asked.length === 0 || asked.length > mostSegments) return null
  const sought = method === 'HEAD' ? 'GET' : method
  const endpoints = [...routes.map(endpointOf), ...besideRoutes].filter(
    endpoint => !onlyOfMethod || endpoint.method === sought,
  )
  const prefix = `/${segments.slice(0, segments.length - asked.length).join('/')}/`
  const ranked = endpoints
    .map(endpoint => ({ endpoint, cost: costOf(asked, endpoint.words) }))
    .filter(({ cost }) => cost <= (onlyOfMethod ? slip : mostCost))
    .map(({ endpoint, cost }) => ({
      endpoint,
      // Of two that are as near, the one that takes the method, then the one below the prefix that was asked for.
      rank: cost * 4 + (endpoint.method === sought ? 0 : 2) + (endpoint.url.startsWith(prefix) ? 0 : 1),
    }))
    .sort((one, other) => one.rank - other.rank)
  const [best] = ranked
  if (best === undefined) return null
  const { method: takes, url } = best.endpoint
  return `${method === 'HEAD' && takes === 'GET' ? 'HEAD' : takes} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
}

const endpointOf = (route: Route): Endpoint => ({
  method: route.method,
  url: urlOf(route),
  words: route.path.split('/').slice(1),
})

/** Without `api`, `v1` and their like, which many clients have twice, not at all or in another version. */
function withoutPrefix(segments: readonly string[]): string[] {
  const first = segments.findIndex(segment => !/^(api|v\d+)$/i.test(segment))
  return first < 0 ? [] : segments.slice(first)
}

/** Of one word: long words of two endpoints can be alike. */
const mostEdits = 2
const slip = 2
const lackingWord = 1
const mostCost = slip + lackingWord

/** How far the path is from the words of an endpoint, whose first one may be missing; infinite if they do not fit. */
function costOf(asked: readonly string[], words: readonly string[]): number {
  const lacking = words.length - asked.length
  // A path that would begin with an id says nothing about what was meant.
  if (lacking < 0 || lacking > 1 || words[lacking]?.startsWith(':') === true) return Infinity
  const costs = words.slice(lacking).map((word, place) => costOfWord(asked[place] ?? '', word))
  return costs.reduce((sum, cost) => sum + cost, lacking * lackingWord)
}

function costOfWord(asked: string, word: string): number {
  if (word.startsWith(':')) return 0
  const plain = asked.toLowerCase()
  if (plain === word) return 0
  const snake = plain.replaceAll('-', '_')
  if (Object.hasOwn(synonyms, snake) && synonyms[snake]?.includes(word)) return slip
  const isPart = plain.length > 2 && word.split(/[-.]/).includes(plain)
  return isPart || nearestName(plain, [word], { mostEdits }) !== null ? slip : Infinity
}
