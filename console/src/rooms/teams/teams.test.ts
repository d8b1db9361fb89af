/** Settings → Teams in a real browser: made, filled, described, emptied, deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from '../../../testing/console-app.ts'
import { checkPage } from '../../../testing/page-checks.ts'

test('a team is made, gets and loses members, is renamed and deleted, and names what is kept to it', async context => {
  const { app, open } = await startConsole(context)
  await app.request('POST', '/workspace/members', { body: { name: 'Importer', role: 'member' } })
  const page = await open('/settings/teams')
  await page.getByRole('button', { name: 'Create a team' }).first().click()
  await page.getByLabel('Name').fill('People team')
  await page.getByRole('button', { name: 'Create the team' }).click()
  await page.getByRole('heading', { level: 1, name: 'People team' }).waitFor()
  const { body: teams } = await app.request('GET', '/workspace/teams')
  const [team] = teams.data

  await page.getByRole('button', { name: 'Add a member' }).click()
  await page.getByLabel('Member', { exact: true }).selectOption('Importer (service account)')
  await page.getByRole('button', { name: 'Add to the team' }).click()
  const takeOut = page.getByRole('button', { name: 'Take Importer out of the team' })
  await takeOut.click()
  await page.getByText('This team has no members yet.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await takeOut.waitFor()
  const { body: members } = await app.request('GET', `/workspace/teams/${team.id}/members`)
  assert.deepEqual(
    members.data.map(({ name }: { name: string }) => name),
    ['Importer'],
  )

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('What it is for').fill('Contracts and pay')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('#main').getByText('Contracts and pay').waitFor()

  await app.request('POST', '/knowledge/collections', {
    body: { name: 'Contracts', access: 'teams', teamIds: [team.id] },
  })
  await page.reload()
  await page.getByRole('link', { name: 'Contracts' }).waitFor()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByText('is left to owners and admins').waitFor()
  await page.getByRole('button', { name: 'Delete the team' }).click()
  await page.getByRole('heading', { name: 'No teams yet' }).waitFor()
  assert.equal((await app.request('GET', `/workspace/teams/${team.id}`)).status, 404)
})

test('the pages of the teams hold on narrow screens, in both themes, and for axe', async context => {
  const started = await startConsole(context)
  const { app } = started
  const { body: team } = await app.request('POST', '/workspace/teams', {
    body: { name: 'People team', description: 'Contracts and pay' },
  })
  const { body: account } = await app.request('POST', '/workspace/members', {
    body: { name: 'Importer', role: 'member' },
  })
  await app.request('PUT', `/workspace/teams/${team.data.id}/members/${account.data.id}`)
  await app.request('POST', '/knowledge/collections', {
    body: { name: 'Contracts', access: 'teams', teamIds: [team.data.id] },
  })
  await checkPage(started, 'teams', '/settings/teams')
  await checkPage(started, 'team', `/settings/teams/${team.data.id}`, {
    ready: page => page.getByRole('link', { name: 'Contracts' }).waitFor(),
  })
})
