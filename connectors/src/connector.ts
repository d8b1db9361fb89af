/**
 * What a connector is: one file that says how an outside service is opened, what it holds, and what can be done
 * there. The file needs no import at run time: the server or program that runs it gives it everything in the context.
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
  /** The text that follows the field's name: "must be …". */
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
  /** The faults that the schema cannot express. */
  checkConfig?(config: Settings): ConfigFault[]
  /** The origins that the credentials may be sent to, such as `https://api.example.com`; they go nowhere else. */
  origins(config: Settings): readonly string[]
  /** The setting to blame if `check` gets an unexpected answer. Left out if no setting decides what `check` calls. */
  blamedField?: string
  /**
   * Calls the service once with the credentials and returns their account. Its `HttpFailure` says why they are not
   * good.
   */
  check(context: Context<Settings>): Promise<Account>
  /** Left out where there is nothing to keep in sync. */
  source?: Source<Settings>
  /** What agents can do with a connection. */
  tools?: readonly ConnectorTool<Settings>[]
  /** Given if the connected server, not this file, says what can be done there. */
  remote?: Remote<Settings>
  /**
   * True if this file was never tested against a peer that answers as the service documents. An operator's own
   * connector counts as unverified unless this is given.
   */
  unverified?: boolean
}

/** Who the service says the credentials belong to. */
export type Account = { id: string; name: string }

/** The context that every function of a connector is given. */
export type Context<Settings = Config> = {
  config: Settings
  /**
   * The way to the service: adds the credentials, waits when the service asks for it, and repeats calls that may be
   * repeated.
   */
  http: Http
  /** Aborted if the work is cancelled or takes too long. `http` then ends by itself. */
  signal: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  /** For the operator's log; never a secret, never content. */
  log(message: string, details?: Record<string, unknown>): void
}

export type Source<Settings = Config> = {
  /**
   * How a sync learns that an item is gone. `told`: `list` with `since` names it in `removed`. `absence`: only a
   * listing of everything shows it. `asked`: a listing of everything may lack items that exist. A missing item is
   * fetched by its id and version alone, and is gone if `fetch` answers null.
   */
  removals: 'told' | 'absence' | 'asked'
  /** The fault of a config that suffices for calls but names nothing to keep in sync; null if there is no fault. */
  refusal?(config: Settings): ConfigFault | null
  /**
   * One page of what the service holds: everything if `since` is null, else the changes since then. `page` is null
   * for the first page, then the `nextPage` of the page before. Another process may have read that page.
   */
  list(context: Context<Settings>, at: { since: string | null; page: string | null }): Promise<Listing>
  /**
   * The content of one item; null if the item has gone meanwhile. An error fails only this item, except an
   * `HttpFailure` of the whole connection.
   */
  fetch(context: Context<Settings>, item: Item): Promise<Content | null>
}

export type Listing = {
  /** At most 10,000. */
  items: Item[]
  /** Ids of items that are gone, at most 10,000. */
  removed?: string[] | undefined
  /** Only `list` reads it; at most 1,000,000 characters, preferably few. Null on the last page. */
  nextPage: string | null
  /**
   * On the last page: true if the listing may lack items because a part could not be read. As with `asked`, missing
   * items are then fetched.
   */
  isPartial?: boolean | undefined
  /** On the last page: the `since` of the next sync. Left out if the next sync has to list everything again. */
  since?: string | undefined
  /** True if the service no longer knows `since`. Everything is then listed from the beginning. */
  startOver?: boolean
}

/** Something that becomes one document. */
export type Item = {
  /** Stays the same for as long as the thing exists; at most 400 characters. */
  id: string
  /**
   * Changes whenever content or metadata change: an etag, a hash, a time of change; at most 1,000 characters. An item
   * is fetched again only if its version changes.
   */
  version: string
  /** What a person would call the item. */
  title?: string | undefined
  /** What `fetch` needs to know about the item; at most 4,000 characters as JSON. */
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

/** What a document says about its origin, usable as filters. Other names are allowed too. */
export type ItemMetadata = {
  /** Where a person opens the item. */
  url?: string
  author?: string
  /** ISO 8601. */
  createdAt?: string
  updatedAt?: string
  /**
   * Who may read it at the source: `everyone`, `domain:example.com`, `user:ada@example.com`, `group:…`. Left out if
   * the service does not say.
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
  /**
   * True if a call changes something at the service. Such a call waits for an approval and is never repeated
   * automatically.
   */
  changes: boolean
  /** `input` matches the schema. Returns JSON; the caller truncates long texts. */
  run(context: Context<Settings>, input: Record<string, unknown>): Promise<unknown>
}

/**
 * A server that names its own tools. All that it sends comes from a stranger: the caller checks, pins and limits it.
 */
export type Remote<Settings = Config> = {
  /** Opens a session and closes it when `work` ends. Throws `HttpFailure`s. */
  use<T>(context: Context<Settings>, work: (session: RemoteSession) => Promise<T>): Promise<T>
  /** How a person authorizes, according to the server's refusal of a call. Throws `HttpFailure`s. */
  discover(context: Context<Settings>, ours: OurClient): Promise<Discovery>
}

export type RemoteSession = {
  /** What the server calls itself. */
  serverName: string
  /** The tools as the server sent them, at most `maxRemoteTools` plus one; null for one that is too large. */
  list(): Promise<unknown[]>
  /** A call is never repeated. Throws `RemoteRefusal` if the server refuses it. */
  call(tool: { name: string; inputSchema: Record<string, unknown> }, input: unknown): Promise<RemoteAnswer>
  /** Whether the server has announced changed tools since the session began. */
  hasNewTools(): boolean
}

/** `isError`: the tool reports that it failed. */
export type RemoteAnswer = { content: unknown; isError: boolean }

/** This server as a client of services at which it was not registered by hand. */
export type OurClient = {
  /**
   * The secret of a client that the service has given the person; null if it has no secret, or if no client was
   * given.
   */
  clientSecret: string | null
  /** Scopes that the server has asked for before, when it refused a call for lack of them. */
  wanted: readonly string[]
  /** `WWW-Authenticate` of the refused call. */
  challenge: string | null
  redirectUri: string
  /**
   * The address of a document that describes the client; null if services cannot fetch documents from this server.
   */
  metadataUrl: string | null
}

export type Discovery = { terms: OAuth; client: { id: string; secret: string | null } }
