/** The audit log in a real browser: filters, details, pages. */
import { test } from 'node:test'
import { openBrowser, signIn } from '../../../../server/src/testing/browser.ts'
import { startConsole } from '../../../testing/console-app.ts'
import { checkAccessible, checkPage } from '../../../testing/page-checks.ts'

test('changes are listed with their author, filtered by action and key, opened, and followed to their record', async context => {
  const { app, open } = await startConsole(context)
  const { body: made } = await app.request('POST', '/api-keys', {
    body: { name: 'Nightly import', environment: 'live', permissions: ['knowledge:read', 'knowledge:write'] },
  })
  const { body } = await app.request('POST', '/knowledge/collections', {
    body: { name: '<img src=x onerror=alert(1)>' },
  })
  await app.request('PATCH', `/knowledge/collections/${body.data.id}`, { body: { name: 'Handbook' } })
  await app.request('POST', '/knowledge/collections', {
    key: { ...app.liveKey, key: made.data.key },
    body: { name: 'Minutes' },
  })
  const page = await open('/audit-log')
  const rows = page.getByRole('table', { name: 'Changes' }).getByRole('rowheader')
  const madeKey = page.getByRole('rowheader', { name: /api_key\.create/ }).first()
  await madeKey.waitFor()
  await page.getByLabel('Action', { exact: true }).fill('collection.create')
  await madeKey.waitFor({ state: 'hidden' })
  await rows.nth(1).waitFor()
  await page.getByLabel('Key', { exact: true }).selectOption('Nightly import')
  await rows.nth(1).waitFor({ state: 'hidden' })
  await page.getByRole('cell', { name: /by the key Nightly import/ }).waitFor()
  await page.getByLabel('Key', { exact: true }).selectOption('With and without a key')
  await rows.nth(1).waitFor()
  await page.getByRole('button', { name: 'Details of collection.create' }).nth(1).click()
  await page.getByRole('dialog').getByText(body.data.id).first().waitFor()
  await checkAccessible(page)
  await page.getByRole('button', { name: 'Every change of this record' }).click()
  await page.getByLabel('Action', { exact: true }).fill('')
  await page.getByRole('rowheader', { name: /collection\.update/ }).waitFor()
  await page.getByRole('button', { name: 'Of every record' }).click()
  await madeKey.waitFor()
})

test('a refused sign-in names the account and says that its author was not signed in', async context => {
  const { app, open } = await startConsole(context)
  const { accounts, accountLog } = app.app.services
  const { email, name } = await accounts.person(app.ownerId)
  await signIn(openBrowser(app), email, 'a wrong password')
  await accountLog.settled()
  const page = await open('/audit-log')
  const refused = page.getByRole('row', { name: /account\.sign_in_refused/ })
  await refused.getByText('Somebody not signed in').waitFor()
  await refused.getByText(name).waitFor()
})

test('the audit log holds on narrow screens, in both themes, and for axe, with pages', async context => {
  const started = await startConsole(context)
  for (let index = 0; index < 52; index++) {
    await started.app.request('POST', '/workspace/teams', { body: { name: `Team ${index}` } })
  }
  await checkPage(started, 'audit-log', '/audit-log', {
    ready: page => page.getByText(/1–50 of/).waitFor(),
  })
})
