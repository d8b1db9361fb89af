/**
 * The Chromium that the tests use: Debian's, unless ATRIUM_TEST_CHROMIUM names another one. Its shell without windows comes
 * first: the same engine draws the pages, in two thirds of the processor time.
 */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserServer, chromium } from 'playwright-core'

const shellPath = '/usr/bin/chromium-headless-shell'

export const browserPath =
  process.env.ATRIUM_TEST_CHROMIUM ?? (existsSync(shellPath) ? shellPath : '/usr/bin/chromium')

const options = {
  executablePath: browserPath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // All pages are of one site: with each tab came a second process, which waited for a page of another one.
    '--disable-site-isolation-trials',
  ],
}

/** For all tests of a run, each of which has contexts of its own; `openBrowser` finds it by ATRIUM_TEST_BROWSER_URL. */
export const startSharedBrowser = (): Promise<BrowserServer> => chromium.launchServer(options)

/** The shared one, or one of this test's own. What the test opens closes with it. */
export function openBrowser(): Promise<Browser> {
  const url = process.env.ATRIUM_TEST_BROWSER_URL
  return url === undefined ? chromium.launch(options) : chromium.connect(url)
}
