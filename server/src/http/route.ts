/** A route as a value: one description from which the server, the validation, the filter and the OpenAPI document are made. */
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
import type { CutOff, FollowEvents } from './event-stream.ts'

export const apiPrefix = '/api/v1'

/**
 * What routes speak whose clients other people wrote: they lie beside the API and have its gate, limits, audit and keys,
 * while unknown fields and parameters pass, and an error has that protocol's fields beside ours.
 */
export type Protocol = {
  prefix: `/${string}`
  describeError(error: ServiceError): { fields: Record<string, unknown>; headers: Record<string, string> }
}

/** Where a route lies, with the names in its path. */
export const urlOf = ({ protocol, path }: Pick<Route, 'protocol' | 'path'>): string =>
  `${protocol?.prefix ?? apiPrefix}${path}`

/** The names in a path such as `/agents/:id/runs`. */
type PathNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

export type PageMeta = { page: number; pageSize: number; total: number; next?: string | null }

/** What a handler answers; the envelope is put on by `serve`. */
export type Reply<Data> =
  | { kind: 'data'; status: 200 | 201 | 202; data: Data; headers: Record<string, string> }
  | { kind: 'list'; data: Data; meta: PageMeta }
  | { kind: 'preview'; effects: Effect[] }
  | { kind: 'empty'; headers: Record<string, string> }
  /** JSON text that goes out as it is, without an envelope. */
  | { kind: 'raw'; json: string; headers: { etag: string } }
  /** JSON of a protocol that has no envelope. */
  | { kind: 'bare'; status: number; body: unknown; headers: Record<string, string> }
  /** A file that is made while it is sent: neither its length nor a part of it can be told. */
  | { kind: 'file'; stream: Readable; headers: Record<string, string> }
  | { kind: 'stored'; file: StoredFile }
  | { kind: 'events'; follow: FollowEvents; headers: Record<string, string>; cutOff: CutOff | null }

/** A file that lies there: its ETag is its hash, and a client may ask for a part of it. */
export type StoredFile = {
  sizeBytes: number
  /** In hexadecimal. */
  sha256: string
  headers: Record<string, string>
  /** Called only if bytes are wanted; `part` is inclusive at both ends. */
  open: (part?: { start: number; end: number }) => Promise<Readable>
}

/** One line of what a destructive call would do: so many records of a kind. */
export type Effect = {
  effect: 'deleted' | 'revoked' | 'disabled' | 'detached' | 'queued'
  /** One word for a kind of record, in all previews. */
  resource: EffectResource
  count: number
  /** Of at least the first `previewedIds` of them. */
  ids: string[]
}

type EffectResource = (typeof effectResources)[number]

/** A file part as it was sent: `sentAs` with its folders. Only a route that takes many is given one that was refused. */
export type ReceivedPart =
  | { sentAs: string; file: ReceivedFile; refusal: null }
  | { sentAs: string; file: null; refusal: ServiceError }

/** What a handler is given; everything in it has been validated. */
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
  /** The bytes of a JSON body as they came, where the route keeps them. */
  bodyBytes: Buffer
  /** For a public route, which has no caller and deals with the key itself. */
  origin(): {
    requestId: string
    address: string
    idempotencyKey: string | null
    page: string | null
    hops: number
  }
  /** The bytes of the body, unread, where the route streams it. */
  bytes: Readable
  /** The ETag of `If-Match`, to be compared inside the change's transaction by `checkRevision`. */
  ifMatch: string | null
  /** The page that a list route's query asks for. */
  page: PageRequest
  /** True if a destructive call must only tell what it would do. */
  dryRun: boolean
  /** How long to wait for the end of what was begun: as `Prefer` says, otherwise so many seconds; 0 unless given. */
  patience(unlessSaidSeconds?: number): Patience
  /** Whether the client asks for a stream of events by its `Accept`. */
  wantsEvents: boolean
  /** The id of the last event that a client has, which wants those behind it. */
  lastEventId: string | null
  /** True if the route of a GET answers a HEAD. */
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
  /** The text parts of a request that the documentation can show. */
  example: Static<Fields>
  /** Set where the file part may come again and again. A file that is refused then leaves the others alone. */
  many?: { maxFiles: number }
  /** Set where the file may come as a text in a JSON body: the fields, `text` and `name`. */
  asJson?: { body: TSchema; example: unknown }
}

/** A body of plain bytes that the handler reads as they come. */
type StreamedBody = { mediaType: string; isOptional: boolean; description: string }

export type ListOptions = {
  defaultPageSize: number
  maxPageSize: number
  /** Ordered by relevance, so there is no going on after a row. */
  ranked?: boolean
  /** What `sort` may name; the first, and the last of it before the others, is the usual order. */
  sorts?: readonly SortField[]
  /** The times that items can be asked by, as `createdAfter` and `createdBefore`. */
  dates?: readonly ('created' | 'updated')[]
  /** Set where items are found by `name` and `query`: the fields in which `query` looks, in words. */
  named?: string
}

/** What most lists use. */
export const standardList: ListOptions = { defaultPageSize: 20, maxPageSize: 100 }

type WriteOrRead =
  | { method: 'GET' | 'OPTIONS'; audit?: never }
  /** A question whose words need a body: it changes nothing that is told of. */
  | { method: 'POST'; audit: null }
  | {
      method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      /** The action that the audit log names after this write, such as `agent.create`. */
      audit: string
    }

/** What a JSON body may come to where the usual limits are too narrow. */
type BodyLimits = { maxBytes: number; maxValues: number }

/** A request that the server sends: its body, for the reference. */
export type Message = { summary: string; description: string; schema: TSchema; example?: unknown }

/** What a route says of itself besides its schemas. */
type RouteCore = {
  operationId: string
  summary: string
  description: string
  /** What the caller must hold; `public` needs no key, `any` a key with whatever permissions. */
  permission: Permission | 'public' | 'any'
  /** Lets people who are viewers in as well: the handler checks that the agent or the conversation is theirs to use. */
  viewersToo?: boolean
  /** What a reply holds, by its status, where the name of its data says too little. */
  replyTexts?: Partial<Record<200 | 201 | 202 | 204, string>>
  /** A list: `page`, `pageSize`, `after` and what it offers are added to the query, `meta` to the reply. */
  list?: ListOptions | undefined
  /** Answers with server-sent events: always, or to a client whose `Accept` asks for them. `events` is the shape of their `data`. */
  answersEvents?: 'always' | 'asked'
  events?: TSchema
  eventsExample?: unknown
  /** What the repetition of a request gets whose reply was a stream or 202; `location` is what that one said. */
  followAgain?: FollowAgain
  /** What the server sends by POST to the address that this route keeps, by its name. */
  sends?: Readonly<Record<string, Message>>
  /** The same where the address is of this one request: `field` of the body holds it. */
  callsBack?: { field: string; messages: Readonly<Record<string, Message>> }
  bodyLimits?: BodyLimits
  /** Absent for the API's own; then the document has the route. */
  protocol?: Protocol
  streamedBody?: StreamedBody
  /**
   * Of a public route whose path names a secret: counts the request for what that opens, before its body is read. Null if it
   * opens nothing; then the request counts for its address.
   */
  countedBy?: (params: Record<string, string>) => Promise<Allowance | null>
  /** On every reply of the route, errors included. */
  replyHeaders?: Record<string, string>
}

/** What has a default, and is set on few routes. */
type RouteTraits = {
  /** The heading that the reference lists the route under. Its feature sets it. */
  tag: string
  /** The success statuses that the handler answers with. */
  success: readonly (200 | 201 | 202 | 204)[]
  /** Codes that it can answer with besides those that every route has. */
  errors: readonly ErrorCode[]
  /** A bulk or destructive call: `dryRun` is added to the query. */
  destructive: boolean
  /** `dryRun` is added to the query, and its reply has the shape of any other. */
  triesDry: boolean
  /** Honours `Prefer: wait=N` and `respond-async`. */
  waits: boolean
  /** Parameters of the path that are no ids of ours but any text, percent-encoded. */
  pathTexts: PathTexts
  /** Returns a file instead of JSON. */
  answersFile: boolean
  /** Fields of `data` that hold a secret: shown once, left out when an idempotent reply is repeated. */
  secrets: readonly string[]
  /** Open to keys that are narrowed to a filter, though it reads documents: what does not match does not exist for it. */
  appliesFilter: boolean
  /**
   * Open to pages with a browser token: what is not their end user's does not exist there, and nothing else is told. A public
   * route of this kind answers every page: it refuses those of the wrong origin itself.
   */
  opensToPages: boolean
  /** A test key gets 403 `sandbox_forbidden`. */
  liveOnly: boolean
  /** The reply is the same for every request. */
  isFixed: boolean
  /** Hands the handler the bytes of its JSON body too, for a signature. */
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
  /** Whether that reply was a stream. */
  asEvents: boolean
  lastEventId: string | null
  patience: (unlessSaidSeconds?: number) => Patience
}) => Promise<Reply<unknown>>

/** A route after `defineRoute`: the same for all, so that a list of them can be walked. */
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

/** Checks a route's parts against each other, and forgets their exact types so that routes form one list. */
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
    /** Request headers by their names, read like query parameters; others are passed over. */
    headers?: Headers
    body?: Body
    bodyExample?: Static<Body>
    upload?: Upload<Fields>
    /** The shape of `data`; absent where nothing (204) or a file is answered. */
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

/** A record as it is shown, with the ETag of its revision, which `send` completes. */
export const okRecord = <Row extends Revised, Data>(row: Row, present: (row: Row) => Data): Reply<Data> =>
  ok(present(row), etagOf(row))

/** A new record as it is shown, with its ETag and its address below `folder`. */
export const createdRecord = <Row extends Revised, Data>(
  row: Row,
  present: (row: Row) => Data,
  folder: string,
): Reply<Data> => created(present(row), `${folder}/${row.id}`, etagOf(row))

/** For what goes on after the reply: `location` is where to look for its end. */
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
 * For work that `patience` waited for: 200 once it has ended, else 202 with the address to look again. A client that does
 * not wait gets 202 either way: otherwise its status would tell whether a worker was faster than the reply.
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

/** One record is deleted, or would be. */
export const deletedRecord = (dryRun: boolean, resource: EffectResource, id: string): Reply<never> =>
  dryRun ? preview([{ effect: 'deleted', resource, count: 1, ids: [id] }]) : noContent()

/** Changes nothing, and so needs neither an audit action nor an Idempotency-Key. */
export const isRead = ({ method, audit }: Pick<Route, 'method' | 'audit'>): boolean =>
  method === 'GET' || method === 'OPTIONS' || audit === null

export const file = (stream: Readable, headers: Record<string, string>): Reply<never> => ({
  kind: 'file',
  stream,
  headers,
})

export const storedFile = (file: StoredFile): Reply<never> => ({ kind: 'stored', file })

/** `cutOff` makes what the reader is told of a stream that ends early; without it the connection says so by breaking off. */
export const events = (
  follow: FollowEvents,
  headers: Record<string, string> = {},
  cutOff: CutOff | null = null,
): Reply<never> => ({ kind: 'events', follow, headers, cutOff })

export const bareJson = (
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Reply<never> => ({ kind: 'bare', status, body, headers })
