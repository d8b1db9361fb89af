/**
 * What a connector is: one file that says how an outside service is opened, what it holds, and what can be done there.
 * It imports nothing at run time: all that it needs is in the context that it is given, by the server or by a program.
 */
import type { Auth, OAuth } from './auth.ts'
import type { Http } from './http.ts'

/** The settings of a connection, valid by `configSchema` and `checkConfig`. */
export type Config = Record<string, unknown>

/** A JSON Schema (2020-12) of an object. */
export type ObjectSchema = { type: 'object'; properties: Record<string, unknown>; [keyword: string]: unknown }

export type ConfigFault = {
  /** The field's name in the config, dotted where it is nested. */
  field: string
  /** Goes on after the field's name: "must be …". */
  message: string
}

export type Connector<Settings = Config> = {
  /** Lower-case words joined by hyphens; names the integration in the API. */
  id: string
  name: string
  description: string
  category: string
  /** Where the service documents what this file states; null if there is no one service. */
  documentationUrl: string | null
  /** Every way in which the service can be opened; the first is offered first. */
  auth: readonly [Auth, ...Auth[]]
  configSchema: ObjectSchema
  /** What the schema cannot say. */
  checkConfig?(config: Settings): ConfigFault[]
  /** The origins that the credentials may be sent to, such as `https://api.example.com`; they go nowhere else. */
  origins(config: Settings): readonly string[]
  /** The setting to blame where `check` got an answer that does not fit; left out where no setting decides what it calls. */
  blamedField?: string
  /** Calls the service once with the credentials, and answers whose they are. Its `HttpFailure` says why they are not good. */
  check(context: Context<Settings>): Promise<Account>
  /** Left out where there is nothing to keep in sync. */
  source?: Source<Settings>
  /** What agents can do with a connection. */
  tools?: readonly ConnectorTool<Settings>[]
  /** Where not this file but the connected server says what can be done there. */
  remote?: Remote<Settings>
  /** True if no peer that answers as the service documents it has tested this file; unless given, true of an operator's own. */
  unverified?: boolean
}

/** Who the service says the credentials belong to. */
export type Account = { id: string; name: string }

/** What every function of a connector is given. */
export type Context<Settings = Config> = {
  config: Settings
  /** The way to the service: adds the credentials, waits where it is asked to wait, and tries again what may be tried again. */
  http: Http
  /** Aborted where the work is cancelled or took too long; `http` ends by itself then. */
  signal: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  /** For the operator's log; never a secret, never content. */
  log(message: string, details?: Record<string, unknown>): void
}

export type Source<Settings = Config> = {
  /**
   * How it becomes known that something is gone: `told` where `list` with `since` names it in `removed`; `absence`
   * where only a listing of everything shows it; `asked` where such a listing may lack what is there: what it lacks is
   * fetched, by its id and version alone, and is gone where `fetch` answers null.
   */
  removals: 'told' | 'absence' | 'asked'
  /** What is wrong with a config that does for calls, but names nothing to keep in sync; null if nothing is. */
  refusal?(config: Settings): ConfigFault | null
  /**
   * One page of what the service holds: all of it where `since` is null, else what changed since then. `page` is null
   * for the first page, then the `nextPage` of the page before, which may have been read by another process.
   */
  list(context: Context<Settings>, at: { since: string | null; page: string | null }): Promise<Listing>
  /** The content of one item; null if it is gone meanwhile. What it throws fails this item alone, except `HttpFailure`s of the whole connection. */
  fetch(context: Context<Settings>, item: Item): Promise<Content | null>
}

export type Listing = {
  /** At most 10,000. */
  items: Item[]
  /** Ids of items that are gone, at most 10,000. */
  removed?: string[] | undefined
  /** Opaque to all but `list`; at most 1,000,000 characters, preferably few. Null on the last page. */
  nextPage: string | null
  /** On the last page: the listing may lack what is there, because a part could not be read. As with `asked`, that is fetched. */
  isPartial?: boolean | undefined
  /** On the last page: what the next sync gives as `since`; left out where it has to list everything again. */
  since?: string | undefined
  /** True if the service does not know `since` any more: everything is listed from the beginning. */
  startOver?: boolean
}

/** Something that becomes one document. */
export type Item = {
  /** Stays the same for as long as the thing exists; at most 400 characters. */
  id: string
  /** Another text whenever content or metadata change: an etag, a hash, a time of change; at most 1,000 characters. It is fetched only then. */
  version: string
  /** What a person would call it. */
  title?: string | undefined
  /** Whatever `fetch` wants to know about it; at most 4,000 characters as JSON. */
  data?: unknown
}

export type Content = {
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>
  /** With its extension: `Minutes.md`. */
  fileName: string
  mediaType: string
  title?: string | undefined
  metadata?: ItemMetadata
}

/** What a document says of its origin, usable as filters; further names are free. */
export type ItemMetadata = {
  /** Where a person opens it. */
  url?: string
  author?: string
  /** ISO 8601. */
  createdAt?: string
  updatedAt?: string
  /**
   * Who may read it at the source: `everyone`, `domain:example.com`, `user:ada@example.com`, `group:…`. Left out where the
   * service does not say.
   */
  readers?: string[]
  [name: string]: string | number | boolean | string[] | undefined
}

export type ConnectorTool<Settings = Config> = {
  /** A verb and its object in snake case, without the service's name: `search_issues`. */
  name: string
  /** Description of the tool for the model. */
  description: string
  input: ObjectSchema
  /** True if a call changes something at the service: it waits for an approval, and is never repeated by itself. */
  changes: boolean
  /** `input` matches the schema. Returns JSON; the caller truncates long texts. */
  run(context: Context<Settings>, input: Record<string, unknown>): Promise<unknown>
}

/** A server that names its own tools. All that comes from it is a stranger's: the caller checks, pins and limits it. */
export type Remote<Settings = Config> = {
  /** Opens a session, closed again when `work` ends. Throws `HttpFailure`s. */
  use<T>(context: Context<Settings>, work: (session: RemoteSession) => Promise<T>): Promise<T>
  /** How a person authorizes, from what the server told where it refused a call. Throws `HttpFailure`s. */
  discover(context: Context<Settings>, ours: OurClient): Promise<Discovery>
}

export type RemoteSession = {
  /** What the server calls itself. */
  serverName: string
  /** As the server sent them, at most `maxRemoteTools` and one more. */
  list(): Promise<unknown[]>
  /** Never made twice. Throws `RemoteRefusal` where the server said no. */
  call(tool: { name: string; inputSchema: Record<string, unknown> }, input: unknown): Promise<RemoteAnswer>
  /** Whether the server has said since the session began that its tools are others now. */
  hasNewTools(): boolean
}

/** `isError`: the tool says of itself that it failed. */
export type RemoteAnswer = { content: unknown; isError: boolean }

/** What this server of ours is to services that it was not registered with by hand. */
export type OurClient = {
  /** Of a client that the service has given the person; null if it has none, or if no client was given. */
  clientSecret: string | null
  /** Scopes that the server has asked for before, where it refused a call for want of them. */
  wanted: readonly string[]
  /** `WWW-Authenticate` of the refused call. */
  challenge: string | null
  redirectUri: string
  /** The address of a document that describes the client; null if services cannot fetch one here. */
  metadataUrl: string | null
}

export type Discovery = { terms: OAuth; client: { id: string; secret: string | null } }
