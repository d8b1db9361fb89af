/** Usage in a real browser: limits, the month, days and whose use, with numbers of requests that were really made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from '../../../testing/console-app.ts'
import { checkAccessible, checkPage } from '../../../testing/page-checks.ts'

test('the limits, the days and whose use it was show what the API counts, and can be reached by keyboard', async context => {
  const { app, open } = await startConsole(context)
  for (const name of ['Handbook', 'Contracts', 'Minutes']) {
    await app.request('POST', '/knowledge/collections', { body: { name } })
  }
  await app.app.services.requestMeter.flush()
  const page = await open('/usage')
  await page.getByRole('meter', { name: 'Members' }).waitFor()
  await page.getByRole('img', { name: /Requests by day/ }).waitFor()
  const summary = page.getByText('The same as a table')
  await summary.focus()
  await page.keyboard.press('Enter')
  const day = page.getByRole('table', { name: /Requests by day/ }).getByRole('row')
  await day.nth(1).waitFor()
  const shown = Number((await day.nth(1).getByRole('cell').innerText()).replace(/\D/g, ''))
  assert.ok(shown >= 3, `${shown} requests`)
  const whose = page.getByRole('table', { name: 'Whose use' })
  await whose.getByRole('rowheader').first().waitFor()
  await page.getByLabel('What is counted').selectOption('Cost')
  await page.getByRole('heading', { name: 'Cost by day' }).waitFor()
  await page.getByLabel('Time', { exact: true }).selectOption('Last 7 days')
  await page.getByText('in 7 days').waitFor()
  await page.getByLabel('Grouped').selectOption('By agent')
  await page.waitForURL(/by=agent/)
  assert.match(page.url(), /measure=cost/)
  assert.match(page.url(), /range=7/)
  await checkAccessible(page)
})

test('the page of the usage holds on narrow screens, in both themes, and for axe', async context => {
  const started = await startConsole(context)
  await started.app.request('POST', '/knowledge/collections', { body: { name: 'Handbook' } })
  await started.app.app.services.requestMeter.flush()
  await checkPage(started, 'usage', '/usage')
})
