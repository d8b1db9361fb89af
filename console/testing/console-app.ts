/**
 * The console as people meet it, for tests: a whole server on a free port, the built pages, a real Chromium, somebody signed in.
 * Every page fails its test by itself on an error in its console, a breach of its policy, or a request to elsewhere.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TestContext } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type SignedIn, signIn } from '../../server/src/testing/apps/signed-in.ts'
import { startTestApp, type TestApp } from '../../server/src/testing/test-app.ts'
import { openBrowser } from './browser-program.ts'

export type PageOptions = {
  /** The signed-in person: the owner by default, none if null. */
  as?: SignedIn | null
  /** 1280 × 800 unless given; 360 for a phone. */
  width?: number
  theme?: 'light' | 'dark'
  environment?: 'live' | 'test'
}

export type ConsoleApp = {
  app: TestApp
  origin: string
  /** The owner of the first workspace. */
  owner: SignedIn
  /** Opens an address such as `/agents`, and resolves when its heading is there. */
  open(path: string, options?: PageOptions): Promise<Page>
  /** As `open`, in the tab that it has used for the same options before: there the code is compiled already. */
  revisit(path: string, options?: PageOptions): Promise<Page>
  /** Signs a person in: somebody from `app.createKey({ role: 'viewer' })` is `key.caller.userId`. */
  signIn(userId: string): Promise<SignedIn>
  /** What the pages may say besides, such as the 401 that a test provokes. */
  expect(fault: RegExp): void
}

/** Parallel work on the console builds into separate folders. */
const dist = process.env.ATRIUM_TEST_CONSOLE_DIST ?? resolve(import.meta.dirname, '../dist')

/** One server and one browser for a test; both end with it. Many assertions in one test are cheaper than many starts. */
export async function startConsole(
  context: TestContext,
  options: NonNullable<Parameters<typeof startTestApp>[0]> = {},
): Promise<ConsoleApp> {
  assert.ok(
    existsSync(resolve(dist, 'index.html')),
    'Build the console first: npm run build --workspace=console',
  )
  const app = await startTestApp({
    ...options,
    // Pages ask more often than a stranger may, and all of them from one address.
    settings: { ATRIUM_ANONYMOUS_RATE: '100000', ...options.settings },
    adapt: dependencies => ({ ...(options.adapt?.(dependencies) ?? dependencies), consoleFolder: dist }),
  })
  const origin = await app.listen()
  // The browser ends first: a page that is still open would tell of a server that has gone.
  const { open, revisit, expect } = await startBrowser(context, origin).finally(() =>
    context.after(app.close),
  )
  const owner = await signIn(app, app.ownerId)
  const viewOf = ({ as = owner, ...view }: PageOptions): View => ({ ...view, cookie: as?.cookie ?? null })
  return {
    app,
    origin,
    owner,
    open: (path, options = {}) => open(path, viewOf(options)),
    revisit: (path, options = {}) => revisit(path, viewOf(options)),
    signIn: userId => signIn(app, userId),
    expect,
  }
}

export type View = Omit<PageOptions, 'as'> & { cookie?: string | null }

/** A browser for whatever server there is; `startConsole` brings one along. */
export async function startBrowser(context: TestContext, origin: string) {
  const browser = await openBrowser()
  const faults: string[] = []
  const expected: RegExp[] = []
  context.after(async () => {
    await browser.close()
    const unexpected = faults.filter(fault => !expected.some(pattern => pattern.test(fault)))
    assert.deepEqual(unexpected, [], 'what went wrong in the pages')
  })
  const openTab = async (view: View): Promise<Page> => {
    const page = await newPage(browser, origin, view)
    watch(page, origin, fault => faults.push(fault))
    return page
  }
  const load = async (page: Page, path: string): Promise<Page> => {
    await page.goto(origin + path)
    await page.locator('h1').first().waitFor()
    return page
  }
  const tabs = new Map<string, Page>()
  return {
    expect: (fault: RegExp) => void expected.push(fault),
    open: async (path: string, view: View = {}) => load(await openTab(view), path),
    revisit: async (path: string, view: View = {}) => {
      const key = JSON.stringify(view)
      const page = tabs.get(key) ?? (await openTab(view))
      tabs.set(key, page)
      await page.setViewportSize(windowOf(view.width))
      return load(page, path)
    },
  }
}

export const windowOf = (width = 1280) => ({ width, height: width < 600 ? 740 : 800 })

async function newPage(browser: Browser, origin: string, view: View): Promise<Page> {
  const { width, theme = 'light', environment = 'live', cookie = null } = view
  const context = await browser.newContext({
    viewport: windowOf(width),
    colorScheme: theme,
    // What moves is looked at where it comes to rest.
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const [name = '', value = ''] = (cookie ?? '').split('=', 2)
  if (cookie !== null) await context.addCookies([{ name, value, url: origin }])
  const page = await context.newPage()
  // A busy machine is no fault of the page.
  page.setDefaultTimeout(45_000)
  // An empty page has no storage.
  await page.addInitScript(
    `if (origin === '${origin}') sessionStorage['atrium.environment'] ??= '${environment}'`,
  )
  return page
}

/** Tells of errors in the page, breaches of its policy (which Chromium logs as errors), and requests to elsewhere. */
function watch(page: Page, origin: string, tell: (fault: string) => void): void {
  page.on('pageerror', error => tell(`${page.url()}: ${error.stack ?? error.message}`))
  page.on('console', message => {
    if (message.type() === 'error' || /Content.Security.Policy/i.test(message.text())) {
      tell(`${page.url()}: ${message.text()} (${message.location().url})`)
    }
  })
  page.on('request', request => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:')) tell(`${page.url()}: a request to ${url}`)
  })
}
