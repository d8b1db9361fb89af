/** Settings → Workspace in a real browser: renamed, limited, handed over, left, deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from '../../../testing/console-app.ts'
import { checkAccessible, checkPage, picture } from '../../../testing/page-checks.ts'

test('the workspace is renamed and limited, and deleted only after its slug is typed; then it can be restored', async context => {
  const { app, open, expect } = await startConsole(context)
  // What the page still reads while the workspace is deleted under it.
  expect(/status of 403/)
  const page = await open('/settings/workspace')
  await page.getByLabel('Name of the workspace').fill('Heron Works')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByRole('button', { name: /Workspace: Heron Works/ }).waitFor()
  await page.getByLabel('US dollars a month').fill('250')
  await page.getByRole('button', { name: 'Save the budget' }).click()
  await page.getByText('of US$250.00 spent').waitFor()
  const { body } = await app.request('GET', '/workspace')
  assert.deepEqual([body.data.name, body.data.monthlyCostLimitUsd], ['Heron Works', 250])
  await app.request('POST', '/knowledge/collections', { body: { name: 'Handbook' } })

  await page.getByRole('button', { name: 'Delete…' }).click()
  const confirm = page.getByRole('button', { name: 'Delete the workspace' })
  const typed = page.getByLabel(`Type ${body.data.slug} to confirm`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export Handbook' }).click()
  assert.equal((await download).suggestedFilename(), 'Handbook.tar.gz')
  await typed.fill('Heron Works')
  assert.equal(await confirm.isDisabled(), true)
  await typed.fill(body.data.slug)
  await checkAccessible(page)
  await picture(page, 'workspace-delete')
  await confirm.click()
  await page.getByRole('heading', { name: 'You belong to no workspace' }).waitFor()
  assert.equal((await app.request('GET', '/workspace')).body.code, 'workspace_deleted')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('button', { name: /Workspace: Heron Works/ }).waitFor()
})

test('an owner hands the workspace over and leaves; a viewer sees its settings and can change nothing but leave', async context => {
  const started = await startConsole(context)
  const { app, open } = started
  const heir = await app.createKey({ role: 'member' })
  const viewer = await app.createKey({ role: 'viewer' })
  const seen = await open('/settings/workspace', { as: await started.signIn(viewer.caller.userId ?? '') })
  await seen.getByRole('button', { name: 'Leave…' }).waitFor()
  assert.equal(await seen.getByRole('button', { name: /^(Save|Delete|Hand)/ }).count(), 0)

  const page = await open('/settings/workspace')
  const choice = page.getByLabel('New owner')
  await choice.locator('option', { hasText: 'member (' }).waitFor({ state: 'attached' })
  const { body } = await app.request('GET', '/workspace/members')
  const { id } = body.data.find(({ userId }: { userId: string }) => userId === heir.caller.userId)
  await choice.selectOption(id)
  await page.getByRole('button', { name: 'Hand it over…' }).click()
  await page.getByRole('button', { name: 'Hand it over', exact: true }).click()
  await page.getByRole('heading', { name: 'Hand it over' }).waitFor({ state: 'hidden' })
  const { body: after } = await app.request('GET', `/workspace/members/${id}`)
  assert.equal(after.data.role, 'owner')

  await page.getByRole('button', { name: 'Leave…' }).click()
  await page.getByText('2 keys').waitFor()
  await page.getByRole('button', { name: 'Leave the workspace' }).click()
  await page.getByRole('heading', { name: 'You belong to no workspace' }).waitFor()
})

test('the settings of the workspace hold on narrow screens, in both themes, and for axe', async context => {
  const started = await startConsole(context)
  await started.app.createKey({ role: 'member' })
  await checkPage(started, 'workspace', '/settings/workspace')
})
