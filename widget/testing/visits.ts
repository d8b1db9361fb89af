/** Pages of another origin that hold the widget, under a strict policy, and a browser for their visitors. */
import type { ServerResponse } from 'node:http'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../console/testing/browser-program.ts'
// The runner knows tests in a browser by this file.
import '../../console/testing/console-app.ts'

export type View = {
  query?: string
  path?: string
  width?: number
  theme?: 'light' | 'dark'
  cookies?: Record<string, string>
}

/**
 * `faults` is what went wrong in the pages: assert that there is nothing once all is closed. A server that restarts
 * answers 503 until it is ready.
 */
export async function openVisits({ serverRestarts = false } = {}) {
  const browser = await openBrowser()
  const faults: string[] = []
  return {
    faults,
    close: () => browser.close(),
    /** A visitor with a browser of their own. */
    async visit(
      origin: string,
      { query = '', path = '/', width = 1_000, theme = 'light', cookies = {} }: View = {},
    ): Promise<Page> {
      const context = await browser.newContext({
        viewport: { width, height: 740 },
        colorScheme: theme,
        reducedMotion: 'reduce',
      })
      await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: origin })))
      const page = await context.newPage()
      page.setDefaultTimeout(45_000)
      page.on('pageerror', error => faults.push(String(error)))
      page.on('console', message => {
        // A connection that a test cuts, and a refusal that it wants, are reported there too.
        const wanted = serverRestarts
          ? /net::ERR_|a status of (40[034]|503)|frame-ancestors/
          : /net::ERR_|a status of 40[034]|frame-ancestors/
        const isWanted = wanted.test(message.text())
        if (message.type() === 'error' && !isWanted) faults.push(message.text())
      })
      await page.goto(`${origin}${path}?${query}`)
      return page
    },
  }
}

export function sendPage(reply: ServerResponse, atrium: string, inside: string, direction = 'ltr'): void {
  reply
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'self' ${atrium}; connect-src 'self' ${atrium}; frame-src ${atrium}`,
    })
    .end(`<!doctype html><html lang="en" dir="${direction}"><head><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>Shop</h1>${inside}</main></body></html>`)
}

/** Asks, as a person does it who opens the chat first. */
export async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('button', { name: 'Open the chat' }).click()
  await page.getByLabel('Type your question').fill(question)
  await page.getByLabel('Type your question').press('Enter')
}
