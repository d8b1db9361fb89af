/** The overview in a real browser. */
import { test } from 'node:test'
import { startConsole } from '../../../testing/console-app.ts'

test('the overview counts the keys that work in the environment of the page', async context => {
  const { open } = await startConsole(context)
  // The workspace has one key of each environment, and live shows both.
  const page = await open('/')
  await page.getByText('1 key works in this environment.').waitFor()
})
