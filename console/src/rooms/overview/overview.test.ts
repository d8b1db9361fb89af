/** The overview in a real browser. */
import { test } from 'node:test'
import { startConsole } from '../../../testing/console-app.ts'

test('the overview counts the keys that work in the environment of the page', async context => {
  const { open } = await startConsole(context)
  // The workspace has one key of each environment, and live shows both.
  const page = await open('/')
  await page.getByText('1 key works in this environment.').waitFor()
})

test('a workspace with nothing in live says that the test environment has samples, and opens it', async context => {
  const { open } = await startConsole(context)
  const page = await open('/')
  await page.getByText('Live has no documents yet').waitFor()
  await page.getByRole('button', { name: 'Open the test environment' }).click()
  await page.getByText(/^The test environment of /).waitFor()
  await page.getByText('Live has no documents yet').waitFor({ state: 'detached' })
})
