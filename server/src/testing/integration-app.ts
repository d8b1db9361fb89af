/** An app whose OAuth integrations stand on a real authorization server on loopback, and the browser of a person. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { catalog } from '../features/integrations/catalog.ts'
import type { Manifest } from '../features/integrations/manifest.ts'
import { type OAuthServer, startOAuthServer } from './oauth-server.ts'
import { startTestApp, type TestApp, type TestKey } from './test-app.ts'

export type IntegrationApp = {
  app: TestApp
  oauth: OAuthServer
  /** Moves the app's clock on. */
  pass(ms: number): void
  /** Connects and authorizes; answers the connection's id. */
  connected(integrationId: string, key?: TestKey): Promise<string>
}

export const allowedReturn = 'https://app.example.com'

/** Stops with the test. Loopback may be reached except 127.0.0.2, which stands for the inside of a network. */
export async function startIntegrationApp(t: TestContext): Promise<IntegrationApp> {
  const oauth = await startOAuthServer(t)
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
    },
    adapt: dependencies => ({
      ...dependencies,
      manifests: catalog.map(manifest => relocate(manifest, oauth.origin)),
    }),
  })
  t.after(app.close)
  oauth.registeredRedirect = `${await app.listen()}/oauth/callback`
  return {
    app,
    oauth,
    pass: ms => {
      skippedMs += ms
    },
    async connected(integrationId, key = app.liveKey) {
      const { body } = await app.request('POST', '/integrations/connect', { key, body: { integrationId } })
      await browse(body.data.authorizationUrl)
      return body.data.id
    },
  }
}

export type BrowserEnd = { status: number; url: string; headers: Headers; text: string }

/** Follows redirects like a browser, as far as `allowedReturn`, where nobody is there to ask. */
export async function browse(address: string): Promise<BrowserEnd> {
  let url = address
  for (let hops = 0; hops < 5; hops++) {
    const response = await fetch(url, { redirect: 'manual' })
    const location = response.headers.get('location')
    const text = await response.text()
    if (location === null) return { status: response.status, url, headers: response.headers, text }
    url = new URL(location, url).href
    if (url.startsWith(allowedReturn))
      return { status: response.status, url, headers: response.headers, text }
  }
  throw new Error('The browser was sent around in circles')
}

/** The address of the callback that the service sends a person to, without going there. */
export async function callbackAddress(authorizationUrl: string): Promise<string> {
  const response = await fetch(authorizationUrl, { redirect: 'manual' })
  return response.headers.get('location') ?? ''
}

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

/** The same manifest with every address at `origin`. */
function relocate(manifest: Manifest, origin: string): Manifest {
  const { auth, probe } = manifest
  if (auth.kind !== 'oauth2') return manifest
  const revocationPath = auth.revocation?.kind === 'github' ? '/applications/{clientId}/token' : '/revoke'
  return {
    ...manifest,
    auth: {
      ...auth,
      authorizationUrl: `${origin}/authorize`,
      tokenUrl: `${origin}/token`,
      revocation: auth.revocation === null ? null : { ...auth.revocation, url: `${origin}${revocationPath}` },
    },
    probe: {
      ...probe,
      request: config => {
        const request = probe.request(config)
        return { ...request, url: `${origin}${new URL(request.url).pathname}` }
      },
    },
  }
}
