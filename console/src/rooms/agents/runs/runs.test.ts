/** Runs in a real browser: found by filters, looked at as a timeline, rated, run again and compared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgentIn } from '../../../../../server/src/testing/apps/agent-app.ts'
import { createCollection, uploadAndWait } from '../../../../../server/src/testing/knowledge/knowledge.ts'
import { type ConsoleApp, startConsole } from '../../../../testing/console-app.ts'
import { checkPage, manyPages, picture, showsRows } from '../../../../testing/page-checks.ts'

async function knowingAgent({ app }: ConsoleApp) {
  const { testKey: key } = app
  const collectionId = await createCollection(app, key, 'Rules')
  const content = '# Ducks\n\nDucks may enter freely.\n\nGeese pay two euros a day at the northern gate.'
  await uploadAndWait(app, { collectionId, key, name: 'ducks.md', content })
  const body = {
    name: 'Gatekeeper',
    collectionIds: [collectionId],
    tools: ['search_knowledge', 'calculator'],
    approvalTools: ['calculator'],
  }
  const { id } = await createAgentIn(app, body, key)
  const run = async (prompt: string, rest: object = {}) =>
    (await app.request('POST', `/agents/${id}/run`, { key, body: { prompt, ...rest } })).body.data as {
      id: string
    }
  return { id, run }
}

test('runs are found by state, rating and end user, page by page; a run shows its timeline, takes feedback, and is run again beside itself', async context => {
  const started = await startConsole(context)
  const { app, open } = started
  const { id, run } = await knowingAgent(started)
  const first = await run('How much do geese pay a day?', { endUserId: 'ada' })
  await run('sim:stream=2 sim:unavailable')
  for (let number = 0; number < 20; number++) await run(`sim:output=Number ${number}`)

  const page = await open(`/agents/${id}/runs`, { environment: 'test' })
  await page.getByText('1–20 of 22').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('21–22 of 22').waitFor()
  await page.getByLabel('State').selectOption('Failed')
  await page.getByRole('link', { name: 'How much do geese pay a day?' }).waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'sim:stream=2 sim:unavailable' }).waitFor()
  await showsRows(page, 2)
  await page.getByLabel('Until').fill('2001-01-01')
  await page.getByText('No run fits these filters').waitFor()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.getByLabel('End user').fill('ada')
  await page.getByLabel('End user').press('Enter')
  await page.waitForURL(/user=ada/)
  await page.getByRole('link', { name: 'How much do geese pay a day?' }).click()

  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await page.locator('summary', { hasText: 'search_knowledge' }).last().press('Enter')
  await page
    .getByRole('group', { name: 'Input of step 2' })
    .getByText(/geese pay/)
    .waitFor()
  await picture(page, 'run-step')
  await page.getByRole('button', { name: 'Bad answer' }).click()
  await page.getByLabel('In your words').fill('It is three euros since May.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('It is three euros since May.').waitFor()
  const { data } = (await app.request('GET', `/runs/${first.id}`, { key: app.testKey })).body
  assert.equal(data.feedback.rating, 'negative')

  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click()
  await page.getByRole('heading', { name: 'Two runs side by side' }).waitFor()
  await page.getByText('Both have answered the same, to the letter.').waitFor()
  await page
    .getByRole('row', { name: /Tokens read/ })
    .getByText('the same')
    .waitFor()
  await picture(page, 'runs-compared')
})

test('a failed run says what to do, and one that waits is decided on its page', async context => {
  const started = await startConsole(context)
  const { run } = await knowingAgent(started)
  const failed = await run('sim:max_steps')
  const page = await started.open(`/runs/${failed.id}`, { environment: 'test' })
  await page.getByText(/Raise the limit of steps in the editor/).waitFor()
  const waiting = await run('sim:approval sim:output=Calculated')
  await page.goto(`${started.origin}/runs/${waiting.id}`)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('group', { name: 'Answer' }).getByText('Calculated').waitFor()
  await page.goto(`${started.origin}/runs/run_01kajz9m2ceq4t7v0x3y6z8abd`).catch(() => undefined)
  started.expect(/404/)
  await page.getByText(/may have been deleted/).waitFor()
})

test('the pages of runs hold on narrow screens, in both themes, and for axe', manyPages, async context => {
  const started = await startConsole(context)
  const { id, run } = await knowingAgent(started)
  const view = { environment: 'test' as const }
  const first = await run('How much do geese pay a day?', { endUserId: 'ada', metadata: { ticket: '17' } })
  const failed = await run('sim:tool_error')
  const waiting = await run('sim:approval')
  await checkPage(started, 'runs', `/agents/${id}/runs`, view)
  await checkPage(started, 'run', `/runs/${first.id}`, view)
  await checkPage(started, 'run-failed', `/runs/${failed.id}`, view)
  await checkPage(started, 'run-waiting', `/runs/${waiting.id}`, view)
  await checkPage(started, 'runs-compare', `/runs/${first.id}/compare?with=${failed.id}`, view)
})
