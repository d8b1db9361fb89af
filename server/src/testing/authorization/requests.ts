/** A valid request for every operation of `openapi.json`, made of its examples where they are enough, and else of a table. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { RequestOptions } from '../test-app.ts'
import { type Area, batchId, mapSlots, type Slot } from './area.ts'
import { type Filled, fillings } from './fillings.ts'

/** As the published document, checked in, describes it: a changed permission is a changed line there. */
export type Operation = {
  id: string
  method: string
  path: string
  /** Null if any caller may. */
  permission: string | null
  isPublic: boolean
  /** Changes nothing. */
  isRead: boolean
  /** Knows `dryRun`. */
  triesDry: boolean
  isLiveOnly: boolean
  hasJsonBody: boolean
  example: unknown
  /** The parameters of its query that name an object. */
  queryIds: string[]
  /** By what it can group its rows. */
  groupings: string[]
  /** How many rows a page can have; null if it answers no list. */
  maxPageSize: number | null
}

export type Ask = { method: string; path: string } & Pick<
  RequestOptions,
  'body' | 'headers' | 'query' | 'form'
>

type Described = {
  operationId: string
  'x-permission'?: string
  security?: []
  parameters: (Parameter | Ref)[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, Partial<Ref>>
}

type Ref = { $ref: string }
type Parameter = { name: string; in: string; schema: { enum?: string[]; maximum?: number } }
type Components = { parameters: Record<string, Parameter>; responses: Record<string, unknown> }

export function readOperations(): Operation[] {
  const file = new URL('../../../../openapi.json', import.meta.url)
  const document = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Described>>
    components: Components
  }
  const published = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      operationOf(path, method.toUpperCase(), described, document.components),
    ),
  )
  // Runs begin before the budgets are set that a model without a price could not keep.
  const begins = ({ path }: Operation) => !path.includes('{')
  return [...ofOpenAi.filter(begins), ...published, ...ofOpenAi.filter(one => !begins(one))]
}

const store = '/vector_stores/{collectionId}'
const storedFile = `${store}/files/{documentId}`
const talk = '/conversations/{talk}'
/** A question with a body. */
const asked = { isRead: true, hasJsonBody: true }

/** Those of OpenAI's protocol, whose reference is its own: a changed permission is a changed line here. */
const ofOpenAi = [
  openAiOperation('listOpenAiModels', 'GET', '/models', 'agents:read'),
  openAiOperation('getOpenAiModel', 'GET', '/models/{model}', 'agents:read'),
  openAiOperation('createOpenAiChatCompletion', 'POST', '/chat/completions', 'agents:run'),
  openAiOperation('createOpenAiCompletion', 'POST', '/completions', 'agents:run'),
  openAiOperation('createOpenAiResponse', 'POST', '/responses', 'agents:run'),
  openAiOperation('createOpenAiEmbeddings', 'POST', '/embeddings', 'knowledge:read', asked),
  openAiOperation('getOpenAiResponse', 'GET', '/responses/{response}', 'agents:read'),
  openAiOperation('listOpenAiInputItems', 'GET', '/responses/{response}/input_items', 'agents:read'),
  openAiOperation('cancelOpenAiResponse', 'POST', '/responses/{response}/cancel', 'agents:run'),
  openAiOperation('deleteOpenAiResponse', 'DELETE', '/responses/{response}', 'agents:run'),
  openAiOperation('createOpenAiConversation', 'POST', '/conversations', 'agents:run'),
  openAiOperation('getOpenAiConversation', 'GET', talk, 'agents:read'),
  openAiOperation('updateOpenAiConversation', 'POST', talk, 'agents:run', { hasJsonBody: true }),
  openAiOperation('deleteOpenAiConversation', 'DELETE', talk, 'agents:run'),
  openAiOperation('listOpenAiConversationItems', 'GET', `${talk}/items`, 'agents:read'),
  openAiOperation('createOpenAiConversationItems', 'POST', `${talk}/items`, 'agents:run'),
  openAiOperation('getOpenAiConversationItem', 'GET', `${talk}/items/{talkItem}`, 'agents:read'),
  openAiOperation('deleteOpenAiConversationItem', 'DELETE', `${talk}/items/{talkItem}`, 'agents:run'),
  openAiOperation('listOpenAiFiles', 'GET', '/files', 'knowledge:read'),
  openAiOperation('createOpenAiFile', 'POST', '/files', 'knowledge:write', { hasJsonBody: false }),
  openAiOperation('getOpenAiFile', 'GET', '/files/{documentId}', 'knowledge:read'),
  openAiOperation('getOpenAiFileContent', 'GET', '/files/{documentId}/content', 'knowledge:read'),
  openAiOperation('deleteOpenAiFile', 'DELETE', '/files/{spareFile}', 'knowledge:write'),
  openAiOperation('listOpenAiVectorStores', 'GET', '/vector_stores', 'knowledge:read'),
  openAiOperation('createOpenAiVectorStore', 'POST', '/vector_stores', 'knowledge:write'),
  openAiOperation('getOpenAiVectorStore', 'GET', store, 'knowledge:read'),
  openAiOperation('updateOpenAiVectorStore', 'POST', store, 'knowledge:write', { hasJsonBody: true }),
  openAiOperation('deleteOpenAiVectorStore', 'DELETE', '/vector_stores/{spareStore}', 'knowledge:write'),
  openAiOperation('searchOpenAiVectorStore', 'POST', `${store}/search`, 'knowledge:read', asked),
  openAiOperation('listOpenAiVectorStoreFiles', 'GET', `${store}/files`, 'knowledge:read'),
  openAiOperation('createOpenAiVectorStoreFile', 'POST', `${store}/files`, 'knowledge:write'),
  openAiOperation('getOpenAiVectorStoreFile', 'GET', storedFile, 'knowledge:read'),
  openAiOperation('updateOpenAiVectorStoreFile', 'POST', storedFile, 'knowledge:write', {
    hasJsonBody: true,
  }),
  openAiOperation('deleteOpenAiVectorStoreFile', 'DELETE', `${store}/files/{otherFile}`, 'knowledge:write'),
  openAiOperation('createOpenAiFileBatch', 'POST', `${store}/file_batches`, 'knowledge:write'),
  openAiOperation('getOpenAiFileBatch', 'GET', `${store}/file_batches/{batchId}`, 'knowledge:read'),
  openAiOperation(
    'listOpenAiFileBatchFiles',
    'GET',
    `${store}/file_batches/{batchId}/files`,
    'knowledge:read',
  ),
]

function openAiOperation(
  id: string,
  method: string,
  path: string,
  permission: string,
  more: Partial<Operation> = {},
): Operation {
  return {
    id,
    method,
    path: `/v1${path}`,
    permission,
    isPublic: false,
    isRead: method === 'GET',
    triesDry: false,
    isLiveOnly: false,
    hasJsonBody: id.startsWith('create'),
    example: undefined,
    queryIds: [],
    groupings: [],
    maxPageSize: null,
    ...more,
  }
}

function operationOf(path: string, method: string, described: Described, components: Components): Operation {
  const { operationId, requestBody, responses } = described
  const parameters = described.parameters.flatMap(parameter =>
    '$ref' in parameter ? (components.parameters[nameOf(parameter.$ref)] ?? []) : parameter,
  )
  const forbidden = components.responses[nameOf(responses[403]?.$ref ?? '')]
  const query = parameters.filter(parameter => parameter.in === 'query').map(({ name }) => name)
  const schemaOf = (wanted: string) => parameters.find(({ name }) => name === wanted)?.schema
  const json = requestBody?.content['application/json']
  const isWrite = parameters.some(({ name }) => name === 'Idempotency-Key')
  return {
    id: operationId,
    method,
    path,
    permission: described['x-permission'] ?? null,
    isPublic: described.security?.length === 0,
    isRead: !isWrite,
    triesDry: query.includes('dryRun'),
    // A test key makes test keys: only its wish for a live one is refused.
    isLiveOnly:
      operationId !== 'createApiKey' && JSON.stringify(forbidden ?? '').includes('sandbox_forbidden'),
    hasJsonBody: json !== undefined,
    example: json?.example,
    queryIds: query.filter(name => name in slotOfParameter),
    groupings: schemaOf('groupBy')?.enum ?? [],
    maxPageSize: schemaOf('pageSize')?.maximum ?? null,
  }
}

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ''

/** What the parameter stands for; those of a path without another word stand for what the path is about. */
const slotOfParameter: Record<string, Slot> = {
  collectionId: 'collection',
  agentId: 'agent',
  model: 'agent',
  conversationId: 'conversation',
  talk: 'openAiConversation',
  talkItem: 'openAiItem',
  documentId: 'document',
  spareFile: 'spareDocument',
  otherFile: 'otherDocument',
  spareStore: 'importedCollection',
  resourceId: 'collection',
  teamId: 'team',
  keyId: 'key',
  eventId: 'event',
  memberId: 'member',
  deliveryId: 'delivery',
  syncId: 'connectionSync',
  scheduleId: 'schedule',
  triggerId: 'trigger',
}

const slotOfPath: Record<string, Slot> = {
  '/agents/{id}': 'agent',
  '/runs/{id}': 'run',
  '/conversations/{id}': 'conversation',
  '/model-providers/{id}': 'modelProvider',
  '/knowledge/collections/{id}': 'collection',
  '/knowledge/documents/{id}': 'document',
  '/knowledge/uploads/{id}': 'upload',
  '/knowledge/syncs/{id}': 'sync',
  '/knowledge/imports/{id}': 'import',
  '/events/{id}': 'event',
  '/webhooks/{id}': 'webhook',
  '/callbacks/deliveries/{id}': 'callback',
  '/integrations/{id}': 'connection',
  '/workspace/members/{id}': 'member',
  '/workspace/teams/{id}': 'team',
  '/workspace/invitations/{id}': 'invitation',
  '/api-keys/{id}': 'key',
  '/browser-tokens/{id}': 'browserToken',
}

/** Parameters of a path that are words and no ids. */
const words: Record<string, string> = {
  batchId,
  template: 'knowledge-assistant',
  revision: '1',
  version: '1',
  page: '1',
  externalId: 'wiki',
  integrationId: 'github',
}

/** The operation's valid request about the area's objects. Throws if none is known. */
export function requestFor(operation: Operation, area: Area, outside: string): Ask {
  const { id, method, path, example } = operation
  const filled: Filled = fillings[id]?.(area, outside) ?? {}
  const { target, ...rest } = filled
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const about =
      name === 'id' ? slotOfPath[/^(\/[a-z-]+)+\/\{id\}/.exec(path)?.[0] ?? ''] : slotOfParameter[name]
    if (name === 'response') return area.ids.rerun.replace('run_', 'resp_')
    const slot = name === 'id' ? (target ?? about) : about
    const value = words[name] ?? (slot === undefined ? undefined : area.ids[slot])
    assert.ok(value !== undefined, `no valid request is known for ${id}: ${path} names a ${name}`)
    return value
  })
  const sendsExample = operation.hasJsonBody && rest.form === undefined
  if (sendsExample && rest.body === undefined) {
    assert.ok(example !== undefined, `no valid request is known for ${id}: its body has no example`)
    assert.ok(
      !/_01kajz4v/.test(JSON.stringify(example)),
      `no valid request is known for ${id}: its example names objects`,
    )
  }
  return { method, path: url, body: sendsExample ? example : undefined, ...rest }
}

/** How an operation can be asked of an area's objects; `isSafe` where that changes nothing, whatever it answers. */
export type Way = { ask: (area: Area) => Ask; isSafe: boolean }

/** As usual, dry where that can be, dry of all that there is, with every filter that names an object, and grouped in every way. */
export function waysToAsk(operation: Operation, outside: string): Way[] {
  const { triesDry, queryIds, groupings, hasJsonBody, isRead, path } = operation
  const isOfAll = triesDry && hasJsonBody && !path.includes('{')
  const usual = (area: Area): Ask => requestFor(operation, area, outside)
  const withQuery =
    (query: (area: Area) => Record<string, string>) =>
    (area: Area): Ask => ({ ...usual(area), query: { ...usual(area).query, ...query(area) } })
  const dry = withQuery(() => ({ dryRun: 'true' }))
  const filter = ({ ids }: Area) =>
    Object.fromEntries(queryIds.map(name => [name, ids[slotOfParameter[name] as Slot]]))
  return [
    { ask: usual, isSafe: isRead },
    ...(triesDry ? [{ ask: dry, isSafe: true }] : []),
    ...(isOfAll ? [{ ask: (area: Area) => ({ ...dry(area), body: {} }), isSafe: true }] : []),
    ...(queryIds.length > 0 ? [{ ask: withQuery(filter), isSafe: isRead }] : []),
    ...groupings.map(groupBy => ({ ask: withQuery(() => ({ groupBy })), isSafe: isRead })),
  ]
}

/** The objects that a request names, found out by making it. */
export function slotsOf(ask: (area: Area) => Ask, area: Area): Set<Slot> {
  const used = new Set<Slot>()
  const watched = new Proxy(
    mapSlots(slot => area.ids[slot]),
    {
      get(ids, slot: Slot) {
        used.add(slot)
        return ids[slot]
      },
    },
  )
  ask({ ...area, ids: watched })
  return used
}
