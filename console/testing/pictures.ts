/** Makes the pictures of docs/screenshots again: `npm run pictures --workspace=console`, after a build of the console. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { prepareFirstRun } from '../../server/src/start/first-run.ts'
import { signIn } from '../../server/src/testing/apps/signed-in.ts'
import { startTestApp } from '../../server/src/testing/test-app.ts'
import { openBrowser } from './browser-program.ts'
import { type Company, shownPrompt, startCompany } from './company.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = resolve(root, 'docs/screenshots')
const dist = process.env.ATRIUM_TEST_CONSOLE_DIST ?? resolve(root, 'console/dist')

/** A phone's picture is as long as its page, up to here. */
const longestPx = 2_400

/** What is done on the page before the picture is taken. */
type Prepare = (page: Page) => Promise<unknown>
type Picture = { name: string; path: string; prepare?: Prepare }

const picturesOf = (company: Company): Picture[] => {
  const { agents, collections, runs, rerunId, teamId, documentId, passage, webhookId, deliveryId } = company
  const agent = agents['HR assistant']
  const run = runs[shownPrompt]
  return [
    { name: 'overview', path: '/' },
    { name: 'agents', path: '/agents' },
    { name: 'playground', path: `/agents/${agent}?conversation=${run?.conversationId}`, prepare: openSteps },
    { name: 'editor', path: `/agents/${agent}/edit` },
    { name: 'revisions', path: `/agents/${agent}/revisions` },
    { name: 'runs', path: `/agents/${agent}/runs` },
    { name: 'run', path: `/runs/${run?.id}` },
    { name: 'runs-compare', path: `/runs/${run?.id}/compare?with=${rerunId}` },
    { name: 'knowledge', path: '/knowledge' },
    { name: 'knowledge-collection', path: `/knowledge/collections/${collections['Employee handbook']}` },
    { name: 'knowledge-document', path: `/knowledge/documents/${documentId}?version=1&${passage}` },
    { name: 'knowledge-search', path: '/knowledge/search?query=unused+days+of+annual+leave&explain=yes' },
    { name: 'knowledge-trash', path: '/knowledge/trash' },
    { name: 'integrations', path: '/integrations' },
    { name: 'webhooks', path: '/webhooks' },
    { name: 'webhook', path: `/webhooks/${webhookId}` },
    { name: 'webhook-delivery', path: `/webhooks/${webhookId}/deliveries/${deliveryId}` },
    { name: 'usage', path: '/usage' },
    { name: 'audit-log', path: '/audit-log' },
    { name: 'workspace', path: '/settings/workspace' },
    { name: 'members', path: '/settings/members' },
    { name: 'teams', path: '/settings/teams' },
    { name: 'team', path: `/settings/teams/${teamId}` },
    { name: 'api-keys', path: '/settings/api-keys' },
    { name: 'api-key-new', path: '/settings/api-keys/new' },
    { name: 'account', path: '/account' },
    { name: 'sign-in', path: '/sign-in' },
  ]
}

const openSteps: Prepare = async page => {
  await page.locator('article summary').first().click()
  await page.evaluate('window.scrollTo(0, 0)')
}

const company = await startCompany(dist)
const { cookie } = await signIn(company.app, company.app.ownerId)
await take(await company.app.listen(), cookie, picturesOf(company))
await company.close()

const fresh = await startTestApp({ adapt: dependencies => ({ ...dependencies, consoleFolder: dist }) })
const { setupToken } = (await prepareFirstRun(fresh.app.services, fresh.dependencies)) ?? {}
await take(await fresh.listen(), null, [{ name: 'setup', path: `/setup?token=${setupToken}` }])
await fresh.close()

/** Each page in light and dark, wide and as on a phone. */
async function take(origin: string, cookie: string | null, pictures: readonly Picture[]): Promise<void> {
  const browser = await openBrowser()
  const [cookieName = '', value = ''] = (cookie ?? '').split('=', 2)
  for (const width of [1280, 360]) {
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Europe/Stockholm',
    })
    if (cookie !== null) await context.addCookies([{ name: cookieName, value, url: origin }])
    const page = await context.newPage()
    for (const { name, path, prepare } of pictures) {
      if (name === 'sign-in') await context.clearCookies()
      await page.setViewportSize({ width, height: width < 600 ? 740 : 800 })
      await page.goto(origin + path)
      await page.locator('h1').first().waitFor()
      await page.waitForLoadState('networkidle')
      await prepare?.(page)
      if (width < 600) await stretch(page, width)
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await writeFile(resolve(folder, `${name}-${theme}-${width}.webp`), await webpOf(page))
      }
    }
    await context.close()
  }
  await browser.close()
}

/** Playwright itself writes no WebP. */
async function webpOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 55 })
  await session.detach()
  return Buffer.from(data, 'base64')
}

async function stretch(page: Page, width: number): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.min(longestPx, height) })
}
