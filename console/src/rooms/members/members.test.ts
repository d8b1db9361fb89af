/** Settings → Members in a real browser: invited, given another role, removed; and what a lesser role sees. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from '../../../testing/console-app.ts'
import { checkAccessible, checkPage, picture } from '../../../testing/page-checks.ts'

test('a person is invited with role, team and message, by a link that is shown once, renewed and revoked', async context => {
  const { app, open, expect } = await startConsole(context)
  expect(/status of 409.*invite/)
  const { body: team } = await app.request('POST', '/workspace/teams', { body: { name: 'Support' } })
  const page = await open('/settings/members')
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByRole('radio', { name: /^Viewer/ }).check()
  await page.getByLabel('Support').check()
  await page.getByRole('textbox', { name: /^Message/ }).fill('Welcome aboard')
  await checkAccessible(page)
  await picture(page, 'invite')
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  assert.match(link, /\/invitations\/\S+$/)
  await checkAccessible(page)
  await page.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: /grace@example.com/ })
  await row.getByText('By link').waitFor()
  const { body } = await app.request('GET', '/workspace/invitations')
  const { email, role, teamIds, message } = body.data[0]
  assert.deepEqual(
    { email, role, teamIds, message },
    { email: 'grace@example.com', role: 'viewer', teamIds: [team.data.id], message: 'Welcome aboard' },
  )

  await page.getByRole('button', { name: 'Invite a person' }).click()
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText('already', { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Actions for grace@example.com' }).click()
  await page.getByRole('menuitem', { name: 'Make a new link' }).click()
  assert.notEqual(await page.getByLabel('Link', { exact: true }).inputValue(), link)
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Actions for grace@example.com' }).click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  await page.getByRole('button', { name: 'Revoke the invitation' }).click()
  await page.getByText('No pending invitations.').waitFor()
})

test('a member gets another role, and is removed after their keys that will stop are named; a service account is made', async context => {
  const { app, open } = await startConsole(context)
  const { key, caller } = await app.createKey({ role: 'member' })
  const { body: collection } = await app.request('GET', '/workspace/members', { key })
  const member = collection.data.find(({ userId }: { userId: string }) => userId === caller.userId)
  const page = await open('/settings/members')
  const menu = page.getByRole('button', { name: 'Actions for member' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Change the role…' }).click()
  await page.getByRole('radio', { name: /^Viewer/ }).check()
  await page.getByRole('button', { name: 'Change the role' }).click()
  await page.getByText('member is viewer now').waitFor()
  const { body: changed } = await app.request('GET', `/workspace/members/${member.id}`)
  assert.equal(changed.data.role, 'viewer')

  await menu.click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  await page.getByText('1 key stops working for good').waitFor()
  await page.getByRole('dialog').getByText('Test key').waitFor()
  await checkAccessible(page)
  await picture(page, 'remove')
  await page.getByRole('button', { name: 'Remove the member' }).click()
  // What lies behind an open dialog has no role, so the menu would seem to be gone at once.
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await menu.waitFor({ state: 'hidden' })
  assert.equal((await app.request('GET', '/workspace', { key })).status, 401)

  await page.getByRole('button', { name: 'Add a service account' }).click()
  await page.getByLabel('Name').fill('Nightly import')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('row', { name: /Nightly import.*Service account/ }).waitFor()
})

test('the page of the members holds everywhere, and offers a viewer and the sandbox nothing that is refused', async context => {
  const started = await startConsole(context)
  const { app, open } = started
  await app.request('POST', '/workspace/members', { body: { name: 'Nightly import', role: 'member' } })
  await app.request('POST', '/workspace/members/invite', { body: { email: 'grace@example.com' } })
  const { caller } = await app.createKey({ role: 'viewer' })
  await checkPage(started, 'members', '/settings/members')
  const as = await started.signIn(caller.userId ?? '')
  const seen = await open('/settings/members', { as })
  await seen.getByRole('row', { name: /Nightly import/ }).waitFor()
  assert.equal(await seen.getByRole('button', { name: /^(Invite|Add|Actions)/ }).count(), 0)
  const sandbox = await open('/settings/members', { environment: 'test' })
  await sandbox.getByRole('row', { name: /Nightly import/ }).waitFor()
  assert.equal(await sandbox.getByRole('button', { name: /^(Add|Actions)/ }).count(), 0)
})
