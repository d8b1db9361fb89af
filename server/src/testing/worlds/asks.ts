/** Every question that the API takes and that changes nothing, made of the routes: about what there is, and about what there is not. */
import { fullQuery } from '../../http/full-query.ts'
import { apiPrefix, type Route } from '../../http/route.ts'
import type { Ids } from './world.ts'

export type Ask = {
  /** The same for the same question, whatever the other ids are. */
  label: string
  method: string
  path: string
  body?: object | FormData
  /** The foreign ids that it names. */
  foreign: string[]
}

/** A value of a parameter, and how it is called in labels where it is a foreign id. */
type Value = { text: string; label: string; isForeign: boolean }

export type Known = { own: Ids; foreign: Ids; words: readonly string[] }

const plain = (...texts: string[]) => texts.map((text): Value => ({ text, label: text, isForeign: false }))

/** So many of each kind, which are of every state: the rest says nothing new. */
const mostOwn = 5

function idsOf({ own, foreign }: Known, noun: string): Value[] {
  return [
    ...plain(...new Set((own[noun] ?? []).slice(0, mostOwn))),
    ...(foreign[noun] ?? []).map(text => ({ text, label: `<foreign ${noun}>`, isForeign: true })),
  ]
}

/** A response is a run. */
const responseIds = (known: Known): Value[] =>
  idsOf(known, 'runs').map(value => ({ ...value, text: value.text.replace('run_', 'resp_') }))

const everyId = (known: Known): Value[] => Object.keys(known.own).flatMap(noun => idsOf(known, noun))

/** What a path parameter is named by that is not the word before it. */
const pathNouns: Readonly<Record<string, string>> = {
  '/integrations/:id/syncs/:syncId': 'connectionSyncs',
  '/workspace/teams/:id/members/:memberId': 'members',
  '/callbacks/deliveries/:id': 'callbacks',
  '/files/:id': 'documents',
  '/vector_stores/:id': 'collections',
  '/vector_stores/:id/files/:documentId': 'documents',
}

/** The batch of OpenAI's protocol that all documents came with. */
export const batchId = 'vsfb_01kaj0000000000000000000b0'

type Source = (known: Known) => Value[]
const ids =
  (noun: string): Source =>
  known =>
    idsOf(known, noun)

const pathValues: Readonly<Record<string, Source>> = {
  template: () => plain('knowledge-assistant'),
  model: ids('agents'),
  integrationId: () => plain('scripted', 'github'),
  externalId: ids('externalIds'),
  version: () => plain('1', '2'),
  page: () => plain('1'),
  batchId: () => plain(batchId),
  itemId: () => plain('item_01kajz4v7qf3x8m2c9t5b6n0rw'),
  revision: () => plain('1', '2', '3', '4'),
}

const queryValues: Readonly<Record<string, Source>> = {
  collectionId: ids('collections'),
  agentId: ids('agents'),
  conversationId: ids('conversations'),
  with: ids('runs'),
  teamId: ids('teams'),
  keyId: ids('api-keys'),
  eventId: ids('events'),
  runId: ids('runs'),
  resourceId: everyId,
  requestId: ids('requests'),
  userId: () => [],
  integrationId: () => plain('scripted'),
  expand: () => plain('steps,citations'),
  externalId: ids('externalIds'),
  endUserId: ({ words }) => plain(...words),
  query: ({ words }) =>
    plain('harbour', 'kubernets', 'recieved', 'h*', ...words.flatMap(w => [w, `${w.slice(0, 3)}*`])),
  q: () => [],
  limit: () => plain('1'),
  include: () => plain('file_search_call.results'),
  'include[]': () => plain('file_search_call.results'),
  before: () => [],
  order: () => plain('asc'),
  filter: ({ words }) => plain(...words.map(word => JSON.stringify({ [`of_${word}`]: 7 }))),
  action: () => plain('agent.update', 'collection.create', 'document.upload'),
  size: () => plain('40'),
  name: ({ words }) => plain(...words),
  createdAfter: () => plain('2020-01-01T00:00:00.000Z'),
  createdBefore: () => plain('2020-01-01T00:00:00.000Z'),
  updatedAfter: () => plain('2020-01-01T00:00:00.000Z'),
  updatedBefore: () => plain('2020-01-01T00:00:00.000Z'),
  from: () => [],
  to: () => [],
}

/** The bodies of what is asked with one. */
const bodies: Readonly<Record<string, (known: Known) => (object | FormData)[]>> = {
  verifyCitations: ({ own, foreign }) =>
    [...(own.documents ?? []), ...(foreign.documents ?? [])].map(documentId => ({
      citations: [{ documentId, documentVersion: 1, quote: 'The harbour', startOffset: 0, endOffset: 11 }],
    })),
  retryDocuments: ({ own, foreign }) => [
    {},
    ...[...(own.collections ?? []), ...(foreign.collections ?? [])].map(collectionId => ({ collectionId })),
  ],
  openSync: ({ words }) => [
    { entries: words.map(word => ({ externalId: `${word}-1`, sha256: 'a'.repeat(64) })) },
  ],
  completeSync: () => [{}],
  replayWebhook: () => [{ createdAfter: '2020-01-01T00:00:00.000Z' }],
  leaveWorkspace: () => [{}],
  revokeInvitation: () => [{}],
  revokeApiKey: () => [{}],
  createOpenAiEmbeddings: () => [{ model: 'sandbox', input: 'The harbour' }],
  searchOpenAiVectorStore: ({ words }) => ['harbour', ...words].map(query => ({ query })),
  uploadDocuments: ({ own, foreign }) =>
    [own.collections?.[0] ?? [], foreign.collections?.[0] ?? []].flat().map(id => {
      const form = new FormData()
      form.append('collectionId', id)
      form.append('file', new Blob(['The same in each.']), 'note.txt')
      return form
    }),
}

export const isRead = ({ method, audit, destructive, triesDry, permission }: Route): boolean =>
  permission !== 'public' && (method === 'GET' || audit === null || destructive || triesDry)

/** Throws if a route has a parameter or a body for which no value is known. */
export function asksOf(route: Route, known: Known): Ask[] {
  const paths = pathsOf(route, known)
  const queries = queriesOf(route, known)
  const bare = [
    ...paths.map(path => withQuery(path, [])),
    ...queries.map(query => withQuery(paths[0], query)),
  ]
  const dry = route.destructive || route.triesDry
  return bare.flatMap(({ path, label, foreign }) => {
    const dryPath = dry ? `${path}${path.includes('?') ? '&' : '?'}dryRun=true` : path
    const asked = { label: `${route.method} ${label}`, method: route.method, path: dryPath, foreign }
    if (route.method === 'GET' || route.method === 'DELETE') return [asked]
    const bodiesOf = bodies[route.operationId]
    if (bodiesOf === undefined) throw new Error(`Say with which body ${route.operationId} is asked`)
    return bodiesOf(known).map((body, place): Ask => {
      const text = JSON.stringify(body)
      const { externalIds: _, ...foreign } = known.foreign
      const named = Object.values(foreign)
        .flat()
        .filter(id => text.includes(id))
      const what = named.length > 0 || place > 0 ? ` with ${named.length > 0 ? 'a foreign id' : place}` : ''
      return { ...asked, label: `${asked.label}${what}`, body, foreign: [...asked.foreign, ...named] }
    })
  })
}

type Text = { path: string; label: string; foreign: string[] }

function pathsOf({ path, operationId, protocol }: Route, known: Known): Text[] {
  let texts: Text[] = [{ path: protocol?.prefix ?? apiPrefix, label: protocol?.prefix ?? '', foreign: [] }]
  const segments = path.split('/').slice(1)
  for (const [place, segment] of segments.entries()) {
    if (!segment.startsWith(':')) {
      texts = texts.map(text => ({
        ...text,
        path: `${text.path}/${segment}`,
        label: `${text.label}/${segment}`,
      }))
      continue
    }
    const name = segment.slice(1)
    const noun = pathNouns[`/${segments.slice(0, place + 1).join('/')}`] ?? segments[place - 1] ?? ''
    const values =
      pathValues[name]?.(known) ?? (noun === 'responses' ? responseIds(known) : idsOf(known, noun))
    if (values.length === 0)
      throw new Error(`Say what :${name} of ${operationId} is: there is no id of ${noun}`)
    texts = texts.flatMap(text => values.map(value => joined(text, '/', value)))
  }
  return texts
}

const joined = (text: Text, between: string, { text: value, label, isForeign }: Value): Text => ({
  path: `${text.path}${between}${encodeURIComponent(value)}`,
  label: `${text.label}${between}${label}`,
  foreign: isForeign ? [...text.foreign, value] : text.foreign,
})

const withQuery = (text: Text | undefined, query: Query): Text => {
  let asked = text ?? { path: '', label: '', foreign: [] }
  for (const [place, [name, value]] of query.entries()) {
    asked = joined(asked, `${place === 0 ? '?' : '&'}${name}=`, value)
  }
  return asked
}

type Property = { enum?: string[]; anyOf?: { const?: string }[]; type?: string; items?: { enum?: string[] } }

/** Asked elsewhere. */
const commonParameters = new Set(['page', 'pageSize', 'after', 'dryRun'])

/** One parameter at a time, beside those that are needed. */
function queriesOf(route: Route, known: Known): Query[] {
  const { list, operationId } = route
  const properties: [string, Property][] = Object.entries(fullQuery(route).properties)
  const needed: Query = operationId === 'searchKnowledge' ? [given('query', 'harbour')] : []
  const paged: Query[] =
    list === undefined
      ? []
      : [
          [...needed, given('pageSize', '1')],
          [...needed, given('pageSize', '1'), given('page', '2')],
          [...needed, given('pageSize', String(list.maxPageSize))],
        ]
  const own = properties.filter(([name]) => !commonParameters.has(name))
  const each = own.flatMap(([name, property]) =>
    valuesOf(name, property, known, operationId).map(
      (value): Query =>
        name === 'query' ? [['query', value], given('pageSize', '50')] : [...needed, [name, value]],
    ),
  )
  return [...paged, ...each]
}

type Query = [name: string, value: Value][]

const given = (name: string, text: string): [string, Value] => [name, { text, label: text, isForeign: false }]

function valuesOf(name: string, property: Property, known: Known, operationId: string): Value[] {
  const source = queryValues[name]
  if (source !== undefined) return source(known)
  const options = property.enum ?? property.items?.enum ?? property.anyOf?.flatMap(one => one.const ?? [])
  if (options !== undefined && options.length > 0) return plain(...options)
  if (property.type === 'boolean') return plain('true')
  if (property.type === 'integer') return plain('1')
  throw new Error(`Say what ${operationId} is asked with as ${name}`)
}
