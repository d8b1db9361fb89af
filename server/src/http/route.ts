/** A route as a value: the server, the validation, the filter and the OpenAPI document are made from it. */
import type { Readable } from 'node:stream'
import type { Allowance } from '../platform/admission.ts'
import type { ReceivedFile } from '../platform/blobs/blobs.ts'
import type { Caller, Permission, RequestCaller } from '../platform/caller.ts'
import type { Patience } from '../platform/clock.ts'
import type { SortField } from '../platform/database/lists/list-order.ts'
import { type Page, type PageRequest, previewedIds } from '../platform/database/page.ts'
import type { ErrorCode, ServiceError } from '../platform/errors.ts'
import type { Static, TObject, TSchema } from '../platform/json-schema/type.ts'
import { etagOf, type Revised } from '../platform/revision.ts'
import type { effectResources } from './envelope.ts'
import type { CutOff, FollowEvents } from './replies/event-stream.ts'

export const apiPrefix = '/api/v1'

/**
 * A protocol whose clients other people wrote. Its routes are outside the API's prefix but share its gate, limits,
 * audit and keys. They ignore unknown fields and parameters, and their errors have the protocol's fields beside ours.
 */
export type Protocol = {
  prefix: `/${string}`
  describeError(error: ServiceError): { fields: Record<string, unknown>; headers: Record<string, string> }
  /** A path behind which everything is one name, since many clients do not encode the slashes of names. */
  namesBehind?: string
}

/** The URL of a route, with the names of its path parameters. */
export const urlOf = ({ protocol, path }: Pick<Route, 'protocol' | 'path'>): string =>
  `${protocol?.prefix ?? apiPrefix}${path}`

/** The names in a path such as `/agents/:id/runs`. */
type PathNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

export type PageMeta = {
  page: number
  pageSize: number
  total: number
  next?: string | null
  ignored?: string[]
}

/** A handler's answer; `serve` adds the envelope. */
export type Reply<Data> =
  | { kind: 'data'; status: 200 | 201 | 202; data: Data; headers: Record<string, string> }
  | { kind: 'list'; data: Data; meta: PageMeta }
  | { kind: 'preview'; effects: Effect[] }
  | { kind: 'empty'; headers: Record<string, string> }
  /** JSON text that is sent unchanged, without an envelope. */
  | { kind: 'raw'; json: string; headers: { etag: string } }
  /** JSON of a protocol that has no envelope. */
  | { kind: 'bare'; status: number; body: unknown; headers: Record<string, string> }
  /** A file that is made while it is sent: its length is unknown, and no part of it can be asked for. */
  | { kind: 'file'; stream: Readable; headers: Record<string, string> }
  | { kind: 'stored'; file: StoredFile }
  | { kind: 'events'; follow: FollowEvents; headers: Record<string, string>; cutOff: CutOff | null }

/** A file in the blob store: its ETag is its hash, and a client may ask for a part of it. */
export type StoredFile = {
  sizeBytes: number
  /** In hexadecimal. */
  sha256: string
  headers: Record<string, string>
  /** Called only if bytes are needed; `part` is inclusive at both ends. */
  open: (part?: { start: number; end: number }) => Promise<Readable>
}

/** One line of a preview: how many records of a kind a destructive call would change. */
export type Effect = {
  effect: 'deleted' | 'revoked' | 'disabled' | 'detached' | 'queued'
  /** One word for a kind of record, the same in all previews. */
  resource: EffectResource
  count: number
  /** At least the first `previewedIds` ids. */
  ids: string[]
}

type EffectResource = (typeof effectResources)[number]

/**
 * A received file part; `sentAs` is its name with the folders. Only a route that takes many files gets refused ones.
 */
export type ReceivedPart =
  | { sentAs: string; file: ReceivedFile; refusal: null }
  | { sentAs: string; file: null; refusal: ServiceError }

/** The request as a handler gets it; everything in it has been validated. */
export type RouteRequest<Path extends string, Query, Body, Fields, Headers = unknown> = {
  caller: RequestCaller
  params: Record<PathNames<Path>, string>
  query: Query
  body: Body
  /** The headers that the route names. */
  headers: Headers
  /**
   * The text parts and the file of a multipart upload, or every file part of a route that takes many. Files lie in
   * staging until the blob store adopts them.
   */
  upload: { fields: Fields; file: ReceivedFile; parts: readonly ReceivedPart[] }
  /** The bytes of a JSON body as they came, if the route keeps them. */
  bodyBytes: Buffer
  /** For a public route, which has no caller and handles the key itself. */
  origin(): {
    requestId: string
    address: string
    idempotencyKey: string | null
    page: string | null
    hops: number
  }
  /** The unread bytes of the body, if the route streams it. */
  bytes: Readable
  /** Throws if the caller is no longer let in, for a handler to which the bytes come slowly. */
  checkCaller: () => Promise<void>
  /** The ETag of `If-Match`; `checkRevision` compares it inside the change's transaction. */
  ifMatch: string | null
  /** The page that a list route's query asks for. */
  page: PageRequest
  /** True if a destructive call must only report its effects. */
  dryRun: boolean
  /** How long to wait for the end of the work: as `Prefer` says, otherwise `unlessSaidSeconds`; 0 unless given. */
  patience(unlessSaidSeconds?: number): Patience
  /** Whether the client's `Accept` asks for a stream of events. */
  wantsEvents: boolean
  /** The id of the last event that the client has; it wants the events after it. */
  lastEventId: string | null
  /** True if a GET route answers a HEAD request. */
  isHead: boolean
  /** Aborted when the client goes away. */
  signal(): AbortSignal
}

type Upload<Fields extends TObject> = {
  /** The name of the file part. */
  file: string
  /** The text parts; parts that are not named here are refused. */
  fields: Fields
  /** Names of text parts that hold JSON. */
  jsonFields: readonly string[]
  /** Example values of the text parts, for the documentation. */
  example: Static<Fields>
  /** Set if the file part may be repeated. A refused file then does not affect the others. */
  many?: { maxFiles: number }
  /**
   * Set if the file may also come as text in a JSON body: the fields, `text` and `name`. Deprecated and not in the
   * document, because most generators read one media type of a body. The route for texts is below this one, at `below`.
   */
  asJson?: { body: TSchema; below: `/${string}` }
}

/** A body of plain bytes that the handler reads as they come. */
type StreamedBody = { mediaType: string; isOptional: boolean; description: string }

export type ListOptions = {
  defaultPageSize: number
  maxPageSize: number
  /** Ordered by relevance, so a client cannot continue after a given row. */
  ranked?: boolean
  /** The fields that `sort` may name. The usual order is descending by the first field. */
  sorts?: readonly SortField[]
  /** The times for filters such as `createdAfter` and `createdBefore`. */
  dates?: readonly ('created' | 'updated')[]
  /** Set if items can be found by `name` and `query`: the fields that `query` searches, in words. */
  named?: string
}

/** What most lists use. */
export const standardList: ListOptions = { defaultPageSize: 20, maxPageSize: 100 }

type WriteOrRead =
  | { method: 'GET' | 'OPTIONS'; audit?: never }
  /** A question that needs a body for its words: it changes nothing that the audit log records. */
  | { method: 'POST'; audit: null }
  | {
      method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      /** The action that the audit log records for this write, such as `agent.create`. */
      audit: string
    }

/** The limits of a JSON body on a route whose bodies exceed the usual limits. */
type BodyLimits = { maxBytes: number; maxValues: number }

/** A request that the server sends: the description of its body for the reference. */
export type Message = { summary: string; description: string; schema: TSchema; example?: unknown }

/** The description of a route besides its schemas. */
type RouteCore = {
  operationId: string
  summary: string
  description: string
  /** The permission that the caller needs; `public` needs no key, `any` a key with any permissions. */
  permission: Permission | 'public' | 'any'
  /** Also lets viewers in: the handler checks that they may use the agent or the conversation. */
  viewersToo?: boolean
  /** The description of a reply, by status, if the name of its data says too little. */
  replyTexts?: Partial<Record<200 | 201 | 202 | 204, string>>
  /**
   * For a list: adds `page`, `pageSize`, `after` and the list's own parameters to the query, and `meta` to the reply.
   */
  list?: ListOptions | undefined
  /**
   * Answers with server-sent events: always, or if `Accept` asks for them. `events` is the schema of their `data`.
   */
  answersEvents?: 'always' | 'asked'
  events?: TSchema
  eventsExample?: unknown
  /** Answers the repetition of a request whose reply was a stream or a 202; `location` is from that reply. */
  followAgain?: FollowAgain
  /** The messages that the server POSTs to the address that this route stores, by name. */
  sends?: Readonly<Record<string, Message>>
  /** The same for an address that belongs to this one request: `field` of the body holds the address. */
  callsBack?: { field: string; messages: Readonly<Record<string, Message>> }
  bodyLimits?: BodyLimits
  /** Two optional fields of the body, one of which must be there. */
  needsOneOf?: readonly [string, string]
  /** Further names of query parameters, by the name in the document, where such a parameter is needed. */
  aliases?: Readonly<Record<string, string>>
  /** The media types of an answered file, if they are known. */
  fileTypes?: readonly string[]
  /** The JSON body holds a `text`, and perhaps a `name`, that the handler gets as an uploaded file. */
  storesText?: boolean
  /** Absent for the API's own routes; only they are in the document. */
  protocol?: Protocol
  streamedBody?: StreamedBody
  /**
   * For a public route whose path names a secret: counts the request for the record that the secret opens, before the
   * body is read. Null if it opens nothing; then the request counts for its address.
   */
  countedBy?: (params: Record<string, string>) => Promise<Allowance | null>
  /** Set on every reply of the route, including errors. */
  replyHeaders?: Record<string, string>
}

/** Settings that have a default, and that few routes change. */
type RouteTraits = {
  /** The heading of the route in the reference. Its feature sets it. */
  tag: string
  /** The success statuses that the handler answers with. */
  success: readonly (200 | 201 | 202 | 204)[]
  /** The route's own error codes, besides those that every route has. */
  errors: readonly ErrorCode[]
  /** A bulk or destructive call: `dryRun` is added to the query. */
  destructive: boolean
  /** `dryRun` is added to the query, and a dry run's reply has the usual shape. */
  triesDry: boolean
  /** Honours `Prefer: wait=N` and `respond-async`. */
  waits: boolean
  /** Parameters of the path that are not our ids but any text, percent-encoded. */
  pathTexts: PathTexts
  /** Returns a file instead of JSON. */
  answersFile: boolean
  /** Fields of `data` that hold a secret: shown once, left out if an idempotent reply is repeated. */
  secrets: readonly string[]
  /** Open to keys that are narrowed to a filter, though it reads documents: such keys see only matching documents. */
  appliesFilter: boolean
  /**
   * Open to pages with a browser token. Such a page sees only its end user's records. A public route of this kind
   * answers every page; it refuses wrong origins itself.
   */
  opensToPages: boolean
  /** A test key gets 403 `sandbox_forbidden`. */
  liveOnly: boolean
  /** Changes what belongs to the whole workspace, so that a narrowed key gets 403 `permission_missing`. */
  wholeWorkspace: boolean
  /** The reply is the same for every request. */
  isFixed: boolean
  /** Also gives the handler the bytes of its JSON body, for a signature. */
  keepsBytes: boolean
}

const usualTraits: RouteTraits = {
  tag: '',
  success: [200],
  errors: [],
  destructive: false,
  triesDry: false,
  waits: false,
  pathTexts: {},
  answersFile: false,
  secrets: [],
  appliesFilter: false,
  opensToPages: false,
  liveOnly: false,
  wholeWorkspace: false,
  isFixed: false,
  keepsBytes: false,
}

type RouteParts<Path extends string, Query, Body, Fields, Headers, Data> = RouteCore &
  Partial<RouteTraits> &
  WriteOrRead & {
    path: Path
    handle: (request: RouteRequest<Path, Query, Body, Fields, Headers>) => Promise<Reply<Data>>
  }

type PathTexts = Readonly<Record<string, { description: string; example: string }>>

type FollowAgain = (request: {
  caller: Caller
  location: string
  /** Whether the first reply was a stream. */
  asEvents: boolean
  lastEventId: string | null
  patience: (unlessSaidSeconds?: number) => Patience
}) => Promise<Reply<unknown>>

/** A route after `defineRoute`: one type for all routes, so that code can walk a list of them. */
export type Route = RouteCore &
  RouteTraits & {
    method: 'GET' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    path: string
    audit?: string | null
    query?: TObject
    headers?: TObject
    body?: TSchema
    bodyExample?: unknown
    upload?: Upload<TObject>
    data?: TSchema
    example?: unknown
    handle: (request: RouteRequest<string, unknown, unknown, unknown>) => Promise<Reply<unknown>>
  }

/** Checks a route's parts against each other, and drops their exact types so that routes form one list. */
export function defineRoute<
  const Path extends string,
  Data extends TSchema,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TSchema = TObject<Record<never, never>>,
  Fields extends TObject = TObject<Record<never, never>>,
  Headers extends TObject = TObject<Record<never, never>>,
>(
  parts: RouteParts<Path, Static<Query>, Static<Body>, Static<Fields>, Static<Headers>, Static<Data>> & {
    query?: Query
    /** Request headers by name, read like query parameters; all others are ignored. */
    headers?: Headers
    body?: Body
    bodyExample?: Static<Body>
    upload?: Upload<Fields>
    /** The schema of `data`; absent if the route answers nothing (204) or a file. */
    data?: Data
    example?: Static<Data>
  },
): Route {
  // The handler's exact types were checked above; `serve` hands it what the schemas have validated.
  return { ...usualTraits, ...parts } as unknown as Route
}

export const ok = <Data>(data: Data, headers: Record<string, string> = {}): Reply<Data> => ({
  kind: 'data',
  status: 200,
  data,
  headers,
})

export const created = <Data>(
  data: Data,
  location: string,
  headers: Record<string, string> = {},
): Reply<Data> => ({
  kind: 'data',
  status: 201,
  data,
  headers: { location: `/api/v1${location}`, ...headers },
})

/** A record in its public form, with the ETag of its revision, which `send` completes. */
export const okRecord = <Row extends Revised, Data>(row: Row, present: (row: Row) => Data): Reply<Data> =>
  ok(present(row), etagOf(row))

/** A new record in its public form, with its ETag and its address below `folder`. */
export const createdRecord = <Row extends Revised, Data>(
  row: Row,
  present: (row: Row) => Data,
  folder: string,
): Reply<Data> => created(present(row), `${folder}/${row.id}`, etagOf(row))

/** For work that goes on after the reply: `location` is where the client finds its result. */
export const accepted = <Data>(
  data: Data,
  location: string,
  headers: Record<string, string> = {},
): Reply<Data> => ({
  kind: 'data',
  status: 202,
  data,
  headers: { location: `/api/v1${location}`, ...headers },
})

/**
 * For work that `patience` waited for: 200 once it has ended, else 202 with the address of its result. A client that
 * does not wait always gets 202. Otherwise its status would depend on whether a worker was faster than the reply.
 */
export const endedOrAccepted = <Data>(
  { waitMs }: Patience,
  { data, ended, location, headers }: Work<Data>,
): Reply<Data> => (ended && waitMs > 0 ? ok(data, headers) : accepted(data, location, headers))

type Work<Data> = { data: Data; ended: boolean; location: string; headers?: Record<string, string> }

export function listed<Item>(rows: Page<Item>, page: PageRequest): Reply<Item[]>
export function listed<Row, Item>(
  rows: Page<Row>,
  page: PageRequest,
  present: (row: Row) => Item,
): Reply<Item[]>
export function listed<Row>(
  { items, ...meta }: Page<Row>,
  { page, pageSize }: PageRequest,
  present?: (row: Row) => unknown,
): Reply<unknown[]> {
  const data = present === undefined ? items : items.map(row => present(row))
  return { kind: 'list', data, meta: { page, pageSize, ...meta } }
}

export const rawJson = (json: string, headers: { etag: string }): Reply<never> => ({
  kind: 'raw',
  json,
  headers,
})

export const noContent = (headers: Record<string, string> = {}): Reply<never> => ({ kind: 'empty', headers })

export const preview = (effects: Effect[]): Reply<never> => ({
  kind: 'preview',
  effects: effects.map(effect => ({ ...effect, ids: effect.ids.slice(0, previewedIds) })),
})

/** One record was deleted, or would be in a dry run. */
export const deletedRecord = (dryRun: boolean, resource: EffectResource, id: string): Reply<never> =>
  dryRun ? preview([{ effect: 'deleted', resource, count: 1, ids: [id] }]) : noContent()

/** True if the route changes nothing: it needs neither an audit action nor an Idempotency-Key. */
export const isRead = ({ method, audit }: Pick<Route, 'method' | 'audit'>): boolean =>
  method === 'GET' || method === 'OPTIONS' || audit === null

/** If every field is optional, a missing body means the same as an empty one. */
export function mayBeEmpty({ body }: Pick<Route, 'body'>): boolean {
  const {
    properties,
    required = [],
    minProperties = 0,
  } = (body ?? {}) as Partial<TObject> & { minProperties?: number }
  return properties !== undefined && required.length === 0 && minProperties === 0
}

export const file = (stream: Readable, headers: Record<string, string>): Reply<never> => ({
  kind: 'file',
  stream,
  headers,
})

export const storedFile = (file: StoredFile): Reply<never> => ({ kind: 'stored', file })

/** `cutOff` makes the last events of a stream that ends early. Without it the connection just breaks off. */
export const events = (
  follow: FollowEvents,
  headers: Record<string, string> = {},
  cutOff: CutOff | null = null,
): Reply<never> => ({ kind: 'events', follow, headers, cutOff })

export const bareJson = (
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Reply<never> => ({ kind: 'bare', status, body, headers })
