/** A server with a single sign-on server beside it, and the way of a browser through both. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { TestBrowser } from '../browser.ts'
import { type OidcServer, startOidcServer } from '../servers/oidc-server.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

export async function startSingleSignOn(t: TestContext, settings: Record<string, string> = {}) {
  const oidc = await startOidcServer(t)
  const app: TestApp = await startTestApp({
    settings: {
      ATRIUM_ANONYMOUS_RATE: '100000',
      ATRIUM_OIDC_ISSUER: oidc.issuer,
      ATRIUM_OIDC_CLIENT_ID: oidc.client.id,
      ATRIUM_OIDC_CLIENT_SECRET: oidc.client.secret,
      ATRIUM_OIDC_NAME: 'Example login',
      ...settings,
    },
  })
  t.after(() => app.close())
  return { app, oidc }
}

/** The path of ours to which the single sign-on server sends the browser back. */
export async function answerOf(browser: TestBrowser, oidc: OidcServer, callbackURL: string): Promise<string> {
  const begun = await browser.post('/auth/sign-in/social', { provider: 'oidc', callbackURL })
  assert.equal(begun.status, 200, begun.text)
  const { pathname, search } = await oidc.visit(begun.body.data.url)
  return pathname + search
}

export const passThrough = async (browser: TestBrowser, oidc: OidcServer, callbackURL: string) =>
  browser.get(await answerOf(browser, oidc, callbackURL))
