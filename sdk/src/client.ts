/** The client of Atrium's API for Node and browsers: `new Atrium({ apiKey, baseUrl })`. */
import { createAgents, createConversations, createRuns } from './agents.ts'
import { createIntegrations } from './integrations.ts'
import { createKnowledge } from './knowledge.ts'
import type { Me } from './records.ts'
import { get } from './transport/calls.ts'
import {
  type Credentials,
  fixedCredentials,
  providedCredentials,
  type TokenProvider,
} from './transport/credentials.ts'
import {
  type CallOptions,
  createTransport,
  type Outgoing,
  type Reply,
  type Transport,
} from './transport/transport.ts'
import { createCallbacks, createWebhooks } from './webhooks.ts'
import {
  createApiKeys,
  createAuditLog,
  createBrowserTokens,
  createEvents,
  createModels,
  createUsage,
  createWorkspace,
} from './workspace.ts'

/** What comes from the environment may be unset: then the constructor throws a `TypeError` that names it. */
export type AtriumOptions = {
  /**
   * `sk_live_…` or `sk_test_…`. The key grants its permissions to anyone who has it: keep it out of web pages. A page
   * passes a function instead, which returns short-lived tokens.
   */
  apiKey: string | TokenProvider | undefined
  /** Such as `https://atrium.example.com/api/v1`; the version may be left out. */
  baseUrl: string | undefined
  /** What to send requests with instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** How long one attempt of a call may take, in milliseconds; 90,000 unless given, since a run answers within 60. */
  timeoutMs?: number
  /** How often a call is tried again after a passing fault; 2 unless given. */
  maxRetries?: number
}

export class Atrium {
  readonly agents: ReturnType<typeof createAgents>
  readonly runs: ReturnType<typeof createRuns>
  readonly conversations: ReturnType<typeof createConversations>
  readonly models: ReturnType<typeof createModels>
  readonly knowledge: ReturnType<typeof createKnowledge>
  readonly apiKeys: ReturnType<typeof createApiKeys>
  /** For pages of yours, which have no key. */
  readonly browserTokens: ReturnType<typeof createBrowserTokens>
  readonly auditLog: ReturnType<typeof createAuditLog>
  readonly events: ReturnType<typeof createEvents>
  readonly webhooks: ReturnType<typeof createWebhooks>
  readonly callbacks: ReturnType<typeof createCallbacks>
  readonly integrations: ReturnType<typeof createIntegrations>
  readonly usage: ReturnType<typeof createUsage>
  readonly workspace: ReturnType<typeof createWorkspace>
  readonly #transport: Transport

  constructor(options: AtriumOptions) {
    const transport = createTransport({
      credentials: credentialsOf(options.apiKey),
      baseUrl: versionedUrl(options.baseUrl),
      // A method of `globalThis`, which it must stay in browsers.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      timeoutMs: options.timeoutMs ?? 90_000,
      maxRetries: options.maxRetries ?? 2,
    })
    this.#transport = transport
    this.agents = createAgents(transport)
    this.runs = createRuns(transport)
    this.conversations = createConversations(transport)
    this.models = createModels(transport)
    this.knowledge = createKnowledge(transport)
    this.apiKeys = createApiKeys(transport)
    this.browserTokens = createBrowserTokens(transport)
    this.auditLog = createAuditLog(transport)
    this.events = createEvents(transport)
    this.webhooks = createWebhooks(transport)
    this.callbacks = createCallbacks(transport)
    this.integrations = createIntegrations(transport)
    this.usage = createUsage(transport)
    this.workspace = createWorkspace(transport)
  }

  /** Who the key or person is, and what it may do now. */
  me(options?: CallOptions): Promise<Me> {
    return get<'getMe'>(this.#transport, '/me', options)
  }

  /** Any call, such as one that is newer than this package; returns the data with the reply's status and headers. */
  request(outgoing: Outgoing, options?: CallOptions): Promise<Reply> {
    return this.#transport.send(outgoing, options)
  }
}

function credentialsOf(apiKey: AtriumOptions['apiKey']): Credentials {
  if (typeof apiKey === 'function') return providedCredentials(apiKey)
  if (apiKey !== undefined && /^sk_(live|test)_\S+$/.test(apiKey)) return fixedCredentials(apiKey)
  // What was given may be another secret, so it is not shown.
  throw new TypeError('apiKey must be an API key: sk_live_… or sk_test_…, or a function that yields tokens')
}

function versionedUrl(baseUrl: string | undefined): string {
  if (baseUrl === undefined || !URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
    throw new TypeError('baseUrl must be an address such as https://atrium.example.com/api/v1')
  }
  let end = baseUrl.length
  while (baseUrl[end - 1] === '/') end--
  const trimmed = baseUrl.slice(0, end)
  return new URL(trimmed).pathname === '/' ? `${trimmed}/api/v1` : trimmed
}
