/** Settings → API keys in a real browser: made, copied, used, rotated, revoked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from '../../../testing/console-app.ts'
import { checkPage, manyPages } from '../../../testing/page-checks.ts'
import { pasted } from '../../../testing/pasted.ts'

test('a key is made by its form, shown once, and the curl line that is shown with it works; it can be rotated and revoked', async context => {
  const { app, open } = await startConsole(context)
  const page = await open('/settings/api-keys')
  await page.getByRole('link', { name: 'Create a key' }).click()
  await page.getByLabel('Name').fill('Nightly import')
  await page.getByRole('button', { name: 'Read only' }).click()
  await page.getByLabel('See who has changed what').uncheck()
  await page.getByLabel('Ends').selectOption('In 30 days')
  await page.getByRole('button', { name: 'Create the key' }).click()
  await page.getByRole('heading', { name: '“Nightly import” is made' }).waitFor()

  const secret = await page.getByLabel('API key', { exact: true }).inputValue()
  assert.match(secret, /^sk_live_[0-9A-Za-z]{49}$/)
  await page.getByRole('button', { name: 'Copy the API key' }).click()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
  await page.getByRole('button', { name: 'Copy the Try it: list the agents' }).click()
  const line = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.ok(Array.isArray((await pasted(line)).data))
  const { body } = await app.request('GET', '/api-keys')
  const [made] = body.data
  assert.equal(made.name, 'Nightly import')
  assert.ok(made.permissions.every((name: string) => name.endsWith(':read') && name !== 'audit:read'))
  assert.ok(Math.abs(Date.parse(made.expiresAt) - Date.now() - 30 * 86_400_000) < 3_600_000)

  await page.getByRole('link', { name: 'I have kept it' }).click()
  const row = page.getByRole('row', { name: /Nightly import/ })
  await row.getByRole('button', { name: 'Actions for Nightly import' }).click()
  await page.getByRole('menuitem', { name: 'Rotate…' }).click()
  await page.getByLabel('The old secret lives on for').selectOption('Not at all: it ends at once')
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  const renewed = await page.getByLabel('API key', { exact: true }).inputValue()
  assert.notEqual(renewed, secret)
  assert.equal((await pasted(line)).code, 'unauthenticated')
  assert.ok((await pasted(line.replace(secret, renewed))).data)
  await page.getByRole('button', { name: 'I have kept it' }).click()

  await row.getByRole('button', { name: 'Actions for Nightly import' }).click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  await page.getByText(/is refused within ten\s+seconds/).waitFor()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await row.getByText('Revoked').waitFor()
  assert.equal((await pasted(line.replace(secret, renewed))).code, 'unauthenticated')
})

/** Were it taken as markup, the page would ask for the picture, and the test fail by itself. */
const markup = 'Import <img src=/x onerror=alert(1)>'

test('a key for a service account, kept to one collection, acts for that account and reaches nothing else; markup in its name is text', async context => {
  const { app, open, expect } = await startConsole(context)
  expect(/status of 400.*api-keys/)
  await app.request('POST', '/workspace/members', { body: { name: 'Importer', role: 'member' } })
  for (const name of ['Handbook', 'Contracts']) {
    await app.request('POST', '/knowledge/collections', { body: { name } })
  }
  const page = await open('/settings/api-keys/new')
  await page.getByLabel('Name').fill(markup)
  await page.getByLabel('Acts for').selectOption('Importer (service account, member)')
  await page.getByRole('button', { name: 'Fill the knowledge' }).click()
  await page.getByLabel('Only some collections').check()
  await page.getByLabel('Handbook').check()
  await page.getByLabel('Only from these addresses').fill('127.0.0.1, nonsense')
  await page.getByRole('button', { name: 'Create the key' }).click()
  await page.getByText('Must be an IP address or a CIDR', { exact: false }).first().waitFor()
  await page.getByLabel('Only from these addresses').fill('127.0.0.1')
  await page.getByRole('button', { name: 'Create the key' }).click()
  const secret = await page.getByLabel('API key', { exact: true }).inputValue()
  const { body } = await app.request('GET', '/knowledge/collections', { key: secret })
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['Handbook'],
  )
  await page.getByRole('link', { name: 'I have kept it' }).click()
  await page.getByText('for Importer (service account)').waitFor()
  await page.getByText(markup, { exact: true }).waitFor()
  await page.getByText('only 1 collection').waitFor()
})

test('a key is kept to documents that match a filter; what is no filter is said at its field', async context => {
  const { app, open, expect } = await startConsole(context)
  expect(/status of 400.*api-keys/)
  const page = await open('/settings/api-keys/new')
  await page.getByLabel('Name').fill('Acme')
  const filter = page.getByLabel('Only documents that match')
  for (const wrong of ['{"field": "tenant"', '{"field": "tenant", "op": "is", "value": "acme"}']) {
    await filter.fill(wrong)
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.locator('textarea[aria-invalid=true]').waitFor()
  }
  await filter.fill('{"field": "tenant", "op": "eq", "value": "acme"}')
  await page.getByRole('button', { name: 'Create the key' }).click()
  const key = await page.getByLabel('API key', { exact: true }).inputValue()
  const { body } = await app.request('GET', '/me', { key })
  assert.deepEqual(body.data.key.filter, { field: 'tenant', op: 'eq', value: 'acme' })
  await page.getByRole('link', { name: 'I have kept it' }).click()
  await page.getByText('only documents that match its filter').waitFor()
})

test(
  'the pages of the keys hold on narrow screens, in both themes, and for axe',
  manyPages,
  async context => {
    const console_ = await startConsole(context)
    await checkPage(console_, 'api-keys', '/settings/api-keys')
    await checkPage(console_, 'api-key-new', '/settings/api-keys/new')
    await checkPage(console_, 'api-keys-test', '/settings/api-keys', { environment: 'test' })
    await checkPage(console_, 'overview', '/')
  },
)
