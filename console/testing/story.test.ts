/** The whole story in a real browser: from the printed link to a colleague who sees only what their role allows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { prepareFirstRun } from '../../server/src/start/first-run.ts'
import { type ConsoleApp, startConsole } from './console-app.ts'
import { dropFiles } from './drop-files.ts'
import { pasted } from './pasted.ts'

const password = 'engine of nine wheels'
const quote = 'Geese pay two euros a day at the northern gate.'

test('the first owner makes a key that works, uploads by dragging, gets an answer whose source opens, and invites somebody who sees what a viewer may', async context => {
  const started = await startConsole(context)
  const page = await setUp(started)
  await makeKey(page)
  await uploadRules(page)
  await askAgent(page)
  await joinAsViewer(started, await invite(page))
})

async function setUp({ app, open }: ConsoleApp): Promise<Page> {
  const { setupToken } = (await prepareFirstRun(app.app.services, app.dependencies)) ?? {}
  const page = await open(`/setup?token=${setupToken}`, { as: null })
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
  return page
}

async function makeKey(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'API keys', exact: true }).click()
  await page.getByRole('link', { name: 'Create a key' }).first().click()
  await page.getByLabel('Name').fill('First key')
  await page.getByRole('button', { name: 'Create the key' }).click()
  await page.getByRole('heading', { name: '“First key” is made' }).waitFor()
  await page.getByRole('button', { name: 'Copy the Try it: list the agents' }).click()
  const { data } = await pasted(await page.evaluate<string>('navigator.clipboard.readText()'))
  assert.ok(Array.isArray(data) && data.length === 1)
  await page.getByRole('link', { name: 'I have kept it' }).click()
}

async function uploadRules(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Knowledge', exact: true }).click()
  await page.getByRole('link', { name: 'Create a collection' }).first().click()
  await page.getByLabel('Name').fill('Rules')
  await page.getByRole('button', { name: 'Create the collection' }).click()
  await page.getByText('No documents yet').waitFor()
  await dropFiles(page, [{ name: 'ducks.md', content: `# Ducks\n\nDucks may enter freely.\n\n${quote}` }])
  await page.getByRole('row').filter({ hasText: 'Ducks' }).getByText('Ready', { exact: true }).waitFor()
}

async function askAgent(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor()
  await page.locator('main a[href^="/agents/agt_"]').first().click()
  await page.getByLabel('Your message').fill('How much do geese pay a day?')
  await page.getByLabel('Your message').press('Enter')
  const turn = page.getByRole('article', { name: 'Turn 1' })
  await turn
    .getByRole('group', { name: 'Answer' })
    .getByText(/two euros a day/)
    .waitFor()
  await turn.getByRole('button', { name: 'Source 1', exact: true }).first().press('Enter')
  await page.getByRole('dialog', { name: 'Source 1' }).getByRole('link', { name: 'Open the passage' }).click()
  const mark = page.locator('mark')
  await mark.waitFor()
  assert.equal(await mark.textContent(), quote)
}

async function invite(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByRole('radio', { name: /^Viewer/ }).check()
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  return await page.getByLabel('Link', { exact: true }).inputValue()
}

async function joinAsViewer({ open, origin }: ConsoleApp, link: string): Promise<void> {
  const page = await open(new URL(link).pathname, { as: null })
  assert.equal(new URL(page.url()).origin, origin)
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel(/password/i).fill(password)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('heading', { name: 'Hello, Grace' }).waitFor()
  await page.getByRole('link', { name: 'Knowledge', exact: true }).click()
  await page.getByRole('link', { name: 'Rules' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Create a collection' }).count(), 0)
  assert.equal(await page.getByRole('link', { name: 'API keys', exact: true }).count(), 0)
  await page.goto(`${origin}/settings/api-keys`)
  await page.getByRole('heading', { name: 'Your role does not include this page' }).waitFor()
}
