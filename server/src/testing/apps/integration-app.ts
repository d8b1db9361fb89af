/** An app whose OAuth integrations stand on a real authorization server on loopback, and the browser of a person. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Dependencies } from '../../start/dependencies.ts'
import { type Routes, reroute, rerouted } from '../peers/rerouted.ts'
import { type BrowserEnd, createPlainBrowser, type PlainBrowser } from '../plain-browser.ts'
import { type OAuthServer, startOAuthServer } from '../servers/oauth-server.ts'
import { noSleep } from '../sleeps.ts'
import { inNewWorkspace, startTestApp, type TestApp, type TestKey } from '../test-app.ts'

export type IntegrationApp = {
  app: TestApp
  oauth: OAuthServer
  /** Moves the app's clock on. */
  pass(ms: number): void
  /** Connects and authorizes; returns the connection's id. */
  connected(integrationId: string, key?: TestKey, body?: object): Promise<string>
  /** Follows redirects like a browser, as far as `allowedReturn`, without asking a person. */
  browse(address: string): Promise<BrowserEnd>
  /** A browser that keeps its cookies. */
  newBrowser(): PlainBrowser
  /** The address of the callback that the service sends a person to, without going there. */
  callbackAddress(authorizationUrl: string): Promise<string>
}

export type IntegrationOptions = {
  /** Peers that answer for the services' own origins: `{ 'https://api.github.com': peer.origin }`. */
  routes?: (oauth: OAuthServer) => Routes
  settings?: Record<string, string>
  adapt?: (dependencies: Dependencies) => Dependencies
}

/** A test, or the owner of an app that tests share. */
type Owner = { after(close: () => Promise<void> | void): void }

export const allowedReturn = 'https://app.example.com'

/** Stops with the test. Loopback may be reached except 127.0.0.2, which stands for the inside of a network. */
export async function startIntegrationApp(
  t: Owner,
  { routes: routesTo, settings = {}, adapt = same => same }: IntegrationOptions = {},
): Promise<IntegrationApp> {
  const oauth = await startOAuthServer(t)
  const routes = { ...servicesAt(oauth.origin), ...routesTo?.(oauth), ...authorizationsAt(oauth.origin) }
  let skippedMs = 0
  const app = await startTestApp({
    clock: () => Date.now() + skippedMs,
    settings: {
      ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1/32',
      ATRIUM_REDIRECT_ORIGINS: allowedReturn,
      ATRIUM_GITHUB_CLIENT_ID: oauth.client.id,
      ATRIUM_GITHUB_CLIENT_SECRET: oauth.client.secret,
      ATRIUM_GOOGLE_CLIENT_ID: oauth.client.id,
      ATRIUM_GOOGLE_CLIENT_SECRET: oauth.client.secret,
      ATRIUM_SLACK_CLIENT_ID: oauth.client.id,
      ATRIUM_SLACK_CLIENT_SECRET: oauth.client.secret,
      ATRIUM_NOTION_CLIENT_ID: oauth.client.id,
      ATRIUM_NOTION_CLIENT_SECRET: oauth.client.secret,
      ...settings,
    },
    adapt: dependencies =>
      adapt({
        ...dependencies,
        // The politeness towards services is a matter of the connectors' own tests.
        sleep: noSleep,
        safeFetch: reroute(dependencies.safeFetch, routes),
      }),
  })
  t.after(app.close)
  const newBrowser = () => createPlainBrowser(routes, allowedReturn)
  oauth.registeredRedirect = `${await app.listen()}/oauth/callback`
  return {
    app,
    oauth,
    pass: ms => {
      skippedMs += ms
    },
    async connected(integrationId, key = app.liveKey, more = {}) {
      const { body } = await app.request('POST', '/integrations/connect', {
        key,
        body: { integrationId, ...more },
      })
      await newBrowser().open(body.data.authorizationUrl)
      return body.data.id
    },
    browse: address => newBrowser().open(address),
    newBrowser,
    async callbackAddress(authorizationUrl) {
      const response = await fetch(rerouted(authorizationUrl, routes), { redirect: 'manual' })
      return response.headers.get('location') ?? ''
    },
  }
}

type Hooks = Record<'before' | 'after', (hook: () => Promise<void>) => void>

/** One app for all tests of a file. Each enters it in a workspace of its own, with services in their first mood. */
export function shareIntegrationApp({ before, after }: Hooks): () => Promise<IntegrationApp> {
  const ends: (() => Promise<void> | void)[] = []
  let shared: IntegrationApp
  before(async () => {
    shared = await startIntegrationApp({ after: end => void ends.unshift(end) })
  })
  after(async () => {
    for (const end of ends) await end()
  })
  return async () => {
    const app = await inNewWorkspace(shared.app)
    shared.oauth.forgetRequests()
    return {
      ...shared,
      app,
      connected: (id, key = app.liveKey, more = {}) => shared.connected(id, key, more),
    }
  }
}

/** The authorization server also says whose account it is, where no peer takes its place. */
const servicesAt = (origin: string): Routes => ({
  'https://api.github.com': origin,
  'https://www.googleapis.com': origin,
  'https://slack.com': origin,
  'https://api.notion.com': origin,
})

const authorizationsAt = (origin: string): Routes => ({
  'https://github.com/login/': origin,
  'https://api.github.com/applications/': origin,
  'https://accounts.google.com': origin,
  'https://oauth2.googleapis.com': origin,
  'https://slack.com/oauth/': origin,
  'https://slack.com/api/oauth.': origin,
  'https://slack.com/api/auth.revoke': origin,
  'https://api.notion.com/v1/oauth/': origin,
})

/** A service on loopback; stops with the test. */
export async function serveOnLoopback(
  t: TestContext,
  listener: RequestListener,
  host = '127.0.0.1',
): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  // A TCP server that listens has an address with a port.
  return `http://${host}:${(server.address() as AddressInfo).port}`
}
