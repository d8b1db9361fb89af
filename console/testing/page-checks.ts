/** What must hold on every page: axe finds nothing, nothing scrolls sideways, and it can be looked at. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { eventually } from '../../server/src/testing/eventually.ts'
import { type ConsoleApp, type PageOptions, windowOf } from './console-app.ts'

type Finding = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }

/** Minified: each page parses it once more. */
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Fails with what axe finds on the page as it stands, dialogs included; `colours` and `structure` are a part of it. */
export async function checkAccessible(
  page: Page,
  part: keyof typeof axeOptions = 'everything',
): Promise<void> {
  // Evaluated by the debugger, which the page's policy does not concern.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axeSource)
  const findings = await findingsOf(page, part)
  const violations = findings.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    where: nodes
      .slice(0, 5)
      .map(({ html, failureSummary }) => `${html.slice(0, 200)} — ${failureSummary ?? ''}`),
  }))
  assert.deepEqual(violations, [], `axe on ${page.url()}`)
}

/** The parts of a check. Most of the time of axe goes to colours. */
const axeOptions = {
  everything: { runOnly: tags },
  colours: { runOnly: { type: 'rule', values: ['color-contrast'] } },
  structure: { runOnly: tags, rules: { 'color-contrast': { enabled: false } } },
}

async function findingsOf(page: Page, part: keyof typeof axeOptions): Promise<Finding[]> {
  const options = JSON.stringify({ ...axeOptions[part], resultTypes: ['violations'] })
  const { violations } = await page.evaluate<{ violations: Finding[] }>(`axe.run(${options})`)
  return violations.filter(finding => !isOfFloat(finding))
}

/** A menu or tooltip belongs to what has opened it, and so stands beside the landmarks. */
const isOfFloat = ({ id, nodes }: Finding): boolean =>
  id === 'region' && nodes.every(({ html }) => html.startsWith('<div data-radix-popper-co'))

/**
 * Fails where the page is wider than its window, and names what sticks out: also where a frame as wide as the window
 * scrolls in its place, or cuts it off. What scrolls by itself within the page, such as a table, may be as wide as it likes.
 */
export async function checkFits(page: Page): Promise<void> {
  const wide = await page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth
    const scrollsWithin = element => {
      for (let box = element.parentElement; box !== null && box !== document.body; box = box.parentElement) {
        if (getComputedStyle(box).overflowX !== 'visible' && box.clientWidth < width) return true
      }
      return false
    }
    return [...document.body.querySelectorAll('*')]
      .filter(element => {
        const { left, right, height } = element.getBoundingClientRect()
        return height > 1 && left < width && right > width + 1 && !scrollsWithin(element)
      })
      .slice(-5)
      .map(element => element.outerHTML.slice(0, 160))
  })()`)
  const scrolls = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  assert.deepEqual([scrolls, wide], [false, []], `${page.url()} scrolls sideways`)
}

/**
 * For a test that checks many pages: each page's own waits end what hangs, and a machine that is four times slower than
 * usual is no fault of theirs.
 */
export const manyPages = { timeout: 12 * 60_000 }

/** The first as the page is loaded, the others as it stands; the last is the theme that the next page is loaded in. */
const views = [
  { width: 360, theme: 'light', part: 'structure' },
  { width: 360, theme: 'dark' },
  // The colours are the same at every width, and all else is the same in both themes.
  { width: 1280, theme: 'dark', part: 'colours' },
  { width: 1280, theme: 'light', part: 'everything' },
] as const

/**
 * Opens a page in light and dark, wide and as on a phone, and checks each. With ATRIUM_TEST_SCREENSHOTS=folder, a picture of
 * each is left there as `name-light-1280.png`.
 */
export async function checkPage(
  { revisit }: Pick<ConsoleApp, 'revisit'>,
  name: string,
  path: string,
  options: Omit<PageOptions, 'width' | 'theme'> & { ready?: (page: Page) => Promise<unknown> } = {},
): Promise<void> {
  const { ready, ...view } = options
  const page = await revisit(path, { ...view, width: 360 })
  await ready?.(page)
  await settled(page)
  for (const { width, theme, ...rest } of views) {
    await page.setViewportSize(windowOf(width))
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    if ('part' in rest) await checkAccessible(page, rest.part)
    await checkFits(page)
    await picture(page, `${name}-${theme}-${width}`)
  }
  // It asks nothing more until the next page.
  await page.goto('about:blank')
}

export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.ATRIUM_TEST_SCREENSHOTS
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({
    path: join(folder, `${name}.png`),
    fullPage: (page.viewportSize()?.width ?? 0) < 600,
  })
}

/** Nothing is being loaded any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  const loading = page.locator('[role=status] .animate-pulse:visible')
  await eventually('everything is loaded', async () => (await loading.count()) === 0)
}

/** Waits until a table has so many rows, its head included: a filter takes a moment to hide the others. */
export const showsRows = (page: Page, count: number): Promise<void> =>
  eventually(`the table has ${count} rows`, async () => (await page.getByRole('row').count()) === count)

/** The row of a table that has these words. */
export const row = (page: Page, words: string | RegExp) => page.getByRole('row').filter({ hasText: words })
