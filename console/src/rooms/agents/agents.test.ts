/** Agents in a real browser: made, edited, refused at their fields, published, taken back, and kept from being lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgentIn } from '../../../../server/src/testing/apps/agent-app.ts'
import { createTeam } from '../../../../server/src/testing/apps/team-access.ts'
import { createCollection } from '../../../../server/src/testing/knowledge/knowledge.ts'
import { startConsole } from '../../../testing/console-app.ts'
import { tabTo } from '../../../testing/keyboard.ts'
import { checkPage, manyPages, picture } from '../../../testing/page-checks.ts'

test('an agent is made from a template, edited with variables, tools and limits, kept as a draft, published and rolled back', async context => {
  const started = await startConsole(context)
  const { app, open } = started
  await createCollection(app, app.liveKey, 'Handbook')
  const record = async (id: string) => (await app.request('GET', `/agents/${id}`)).body.data
  const page = await open('/agents')
  await page.getByRole('link', { name: 'Create an agent' }).first().click()
  await page.getByText('Research briefer').click()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Research briefer')
  await page.getByLabel('Name').fill('Desk research')
  await page.getByRole('button', { name: 'Create the agent' }).click()
  await page.getByRole('heading', { name: 'Desk research' }).waitFor()
  const [, id = ''] = /agents\/(agt_\w+)\/edit/.exec(page.url()) ?? []
  assert.deepEqual((await record(id)).tools, ['search_knowledge', 'read_passages'])

  await page.getByLabel('Instructions', { exact: true }).fill('Answer {{reader}} in {{language}}.')
  await page.getByRole('button', { name: 'Make them variables' }).click()
  await page.getByLabel('Each run gives it').nth(1).uncheck()
  await page.getByLabel('Usual value').nth(1).fill('English')
  await page.getByLabel('calculator', { exact: true }).check()
  await page.getByLabel('Wait for an approval of calculator').check()
  await page.getByText('Only some', { exact: true }).click()
  await page.getByLabel('Handbook').check()
  await page.getByLabel('Temperature').fill('0.3')
  await page.getByLabel('Reasoning').selectOption('low')
  await page.getByLabel('Stop at').fill('END')
  await page.getByLabel('Steps of a run').fill('12')
  await page.getByLabel('Cost of a month, in US dollars').fill('25.5')
  await page.getByLabel('Model', { exact: true }).selectOption('extractive')
  await page.getByText(/Not saved:/).waitFor()
  await picture(page, 'editor-changed')
  await page.getByRole('button', { name: 'Save as a draft' }).click()
  await page.getByText('Revision 2 is kept as a draft').waitFor()
  const draft = await record(id)
  assert.deepEqual([draft.revision, draft.publishedRevision], [2, 1])
  assert.deepEqual(draft.variables, { reader: null, language: 'English' })
  assert.deepEqual(draft.approvalTools, ['calculator'])
  assert.equal(draft.collectionIds.length, 1)
  assert.equal(draft.model, 'extractive')
  assert.deepEqual([draft.limits.maxSteps, draft.limits.maxCostUsdPerMonth], [12, 25.5])
  const { temperature, reasoningEffort, stop } = draft.modelParameters
  assert.deepEqual([temperature, reasoningEffort, stop], [0.3, 'low', ['END']])

  await page.getByRole('link', { name: 'Revisions' }).click()
  await page.getByRole('button', { name: 'Publish revision 2' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Revision 2 runs now').waitFor()
  assert.equal((await record(id)).publishedRevision, 2)
  await page.getByRole('button', { name: 'Actions for revision 2' }).click()
  await page.getByRole('menuitem', { name: 'Compare…' }).click()
  await page.getByRole('dialog').getByText('Answer {{reader}} in {{language}}.').waitFor()
  await picture(page, 'revisions-compared')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for revision 1' }).click()
  await page.getByRole('menuitem', { name: 'Roll back to it…' }).click()
  await page.getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('Revision 1 runs now').waitFor()
  assert.equal((await record(id)).publishedRevision, 1)
  await page.getByText('Latest is 2', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText('Latest is 2', { exact: true }).waitFor({ state: 'hidden' })
  assert.equal((await record(id)).publishedRevision, 2)
})

test('what the API refuses stands at its field, what is not saved is asked for before it is lost, and a pause counts without a revision', async context => {
  const started = await startConsole(context)
  const { app, open, expect } = started
  const { id } = await createAgentIn(app, {
    name: 'Courier',
    tools: ['http_request'],
    httpHosts: ['api.example.com'],
  })
  const teamId = await createTeam(app, 'Night shift')
  expect(/400/)
  const page = await open(`/agents/${id}/edit`)
  await page.getByLabel('Hosts that http_request may reach').fill('10.0.0.1')
  await page.getByLabel('Steps of a run').fill('99')
  await page.getByLabel('Name', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save and publish' }).click()
  const steps = page.getByLabel('Steps of a run')
  await page.locator('input[aria-invalid=true]').first().waitFor()
  assert.equal(await steps.getAttribute('aria-invalid'), 'true')
  assert.equal(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid'), 'true')
  await steps.fill('9')
  await page.getByLabel('Name', { exact: true }).fill('Courier')
  await page.getByRole('button', { name: 'Save and publish' }).click()
  await page.getByText('Must be the name of a host, not an address', { exact: true }).waitFor()
  const focused = await page.evaluate<string>('document.activeElement.labels[0].textContent')
  assert.equal(focused, 'Hosts that http_request may reach')
  await picture(page, 'editor-refused')

  await page.getByRole('link', { name: 'Runs', exact: true }).click()
  const warning = page.getByRole('dialog', { name: 'Leave without saving?' })
  await warning.getByRole('button', { name: 'Stay here' }).click()
  assert.match(page.url(), /\/edit$/)
  await page.getByRole('link', { name: 'Runs', exact: true }).click()
  await warning.getByRole('button', { name: /Leave and lose/ }).click()
  await page.getByText('It has not run yet').waitFor()

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByText('Paused', { exact: true }).click()
  await page.getByText('Some teams').click()
  await page.getByLabel('Night shift').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('It is saved, and counts at once').waitFor()
  const { data } = (await app.request('GET', `/agents/${id}`)).body
  assert.deepEqual([data.status, data.access, data.teamIds, data.revision], ['paused', 'teams', [teamId], 1])
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByText('This agent is paused').waitFor()

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByLabel('Type Courier to confirm').fill('Courier')
  await page.getByRole('button', { name: 'Delete the agent' }).click()
  await page.getByText('“Courier” is deleted').waitFor()
  await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor()
  assert.equal((await app.request('GET', `/agents/${id}`)).status, 404)
})

test('what is typed while a save is on its way stays, and can be saved afterwards', async context => {
  const { app, open } = await startConsole(context)
  const { id } = await createAgentIn(app, { name: 'Desk' })
  const page = await open(`/agents/${id}/edit`)
  let way = Promise.withResolvers<void>()
  await page.route(`**/api/v1/agents/${id}`, async route => {
    if (route.request().method() === 'PATCH') await way.promise
    return route.continue()
  })
  const name = page.getByLabel('Name', { exact: true })
  const instructions = page.getByLabel('Instructions', { exact: true })
  const save = page.getByRole('button', { name: 'Save and publish' })
  await name.fill('Front desk ')
  await instructions.fill('Be kind.')
  await save.click()
  await instructions.fill('Be kind and brief.')
  way.resolve()
  await page.getByText('Revision 2 is saved and runs now').waitFor()
  assert.equal(await name.inputValue(), 'Front desk')
  assert.equal(await instructions.inputValue(), 'Be kind and brief.')
  await page.getByText('Not saved: Instructions').waitFor()

  way = Promise.withResolvers()
  await save.click()
  // As it was before this save.
  await instructions.fill('Be kind.')
  way.resolve()
  await page.getByText('Revision 3 is saved and runs now').waitFor()
  assert.equal(await instructions.inputValue(), 'Be kind.')
  await save.click()
  await page.getByText('Revision 4 is saved and runs now').waitFor()
  const { data } = (await app.request('GET', `/agents/${id}`)).body
  assert.deepEqual([data.name, data.instructions], ['Front desk', 'Be kind.'])
})

test('by keyboard alone an agent is made, told what to do, and published', async context => {
  const { app, open } = await startConsole(context)
  const page = await open('/agents')
  await tabTo(page, /^Create an agent$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New agent' }).waitFor()
  await page.getByLabel('Name').waitFor()
  await tabTo(page, /^Name/)
  await page.keyboard.type('Typed')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Typed' }).waitFor()
  await tabTo(page, /^Instructions$/)
  await page.keyboard.type('Answer in rhymes.')
  await tabTo(page, /^calculator$/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Save and publish$/)
  await page.keyboard.press('Enter')
  await page.getByText('Revision 2 is saved and runs now').waitFor()
  const { data } = (await app.request('GET', '/agents')).body
  assert.deepEqual([data[0].instructions, data[0].publishedRevision], ['Answer in rhymes.', 2])
  assert.deepEqual(data[0].tools, ['search_knowledge', 'calculator'])
})

test('a developer takes the code that puts an agent into a page', async context => {
  const started = await startConsole(context)
  const { id } = await createAgentIn(started.app, { name: 'Desk "A"' })
  const page = await started.open(`/agents/${id}/embed`)
  await page.getByLabel('Origin of the page').fill('https://shop.example/path')
  await page.getByText('An origin such as').waitFor()
  await page.getByLabel('Origin of the page').fill('https://shop.example')
  await page.getByLabel('A round button opens the chat').uncheck()
  await page.getByRole('button', { name: 'Copy the page code' }).click()
  const code = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.match(
    code,
    new RegExp(
      `<atrium-chat\\s+agent="${id}"\\s+token-url="/chat-token"\\s+heading="Desk &quot;A&quot;"\\s+>`,
    ),
  )
  await page.getByText("origins: ['https://shop.example']").waitFor()
  await page.getByLabel('Pages that may frame it').fill('https://shop.example\nhttp://help.example')
  await page.getByLabel('Heading of the frame').fill('Ask the desk')
  started.expect(/400 .*\/api\/v1\/agents\//)
  await page.getByRole('button', { name: 'Save the frame' }).click()
  await page
    .getByText(/only localhost may have http/)
    .first()
    .waitFor()
  await page.getByLabel('Pages that may frame it').fill('https://shop.example')
  await page.getByRole('button', { name: 'Save the frame' }).click()
  await page.getByText('The frame is saved').waitFor()
  const { frame } = (await started.app.request('GET', `/agents/${id}`)).body.data
  assert.deepEqual(frame, { origins: ['https://shop.example'], heading: 'Ask the desk', welcome: null })
  await checkPage(started, 'embed', `/agents/${id}/embed`)
})

test('an agent is opened to anybody on a page, with a key and a budget, and closed again', async context => {
  const started = await startConsole(context)
  const { id } = await createAgentIn(started.app, { name: 'Desk' })
  // Whether it is open is asked before it is.
  started.expect(/404 .*\/public-chat/)
  const page = await started.open(`/agents/${id}/embed`)
  // The choice stands in the address, which follows a moment after the click.
  await page.getByLabel('Anybody on your page').click()
  await page.getByText('Not open').waitFor()
  await page.getByLabel('Origin of the page').fill('https://shop.example')
  await page.getByLabel('Runs a day, of all').fill('40')
  await page.getByLabel('Also as a frame or a link').check()
  await page.getByRole('button', { name: 'Open to anybody' }).click()
  await page.getByText('Visitors began 0 of 40 runs today.').waitFor()
  await page.getByRole('button', { name: 'Copy the page code' }).click()
  const code = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.doesNotMatch(code, /token/)
  const chat = (await started.app.request('GET', `/agents/${id}/public-chat`)).body.data
  assert.deepEqual(chat.origins, ['https://shop.example', started.origin])
  const key = (await started.app.request('GET', `/api-keys/${chat.keyId}`)).body.data
  assert.deepEqual([key.name, key.permissions.includes('agents:write')], ['Visitors of Desk', false])
  await page.getByLabel('Origins of your pages').fill('https://shop.example\nhttps://help.example')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('On https://shop.example, https://help.example,').waitFor()
  await checkPage(started, 'embed-anybody', `/agents/${id}/embed?for=anybody`)
  const again = await started.open(`/agents/${id}/embed?for=anybody`)
  await again.getByText(/public&amp;parent=https%3A%2F%2Fshop\.example/).waitFor()
  await page.getByRole('button', { name: 'Close to visitors…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close the chat' }).click()
  await page.getByText('Not open').waitFor()
})

test('a viewer sees how an agent is set and can change nothing', async context => {
  const started = await startConsole(context)
  const { app, open } = started
  const { id } = await createAgentIn(app, { name: 'Reader' })
  const { caller } = await app.createKey({ role: 'viewer' })
  const viewer = await started.signIn(caller.userId ?? '')
  const page = await open(`/agents/${id}/edit`, { as: viewer })
  await page.getByText('Your role does not include changing agents').waitFor()
  assert.ok(await page.getByLabel('Instructions', { exact: true }).isDisabled())
  assert.equal(await page.getByRole('button', { name: /Delete|Save/ }).count(), 0)
  await page.goto(`${started.origin}/agents/${id}`)
  await page.getByText('Your role does not include running agents').waitFor()
  await page.goto(`${started.origin}/agents/new`)
  await page.getByText('Your role does not include this page').waitFor()
})

test('an agent gets a schedule and a trigger, whose URL is shown once; both can be paused and deleted', async context => {
  const started = await startConsole(context)
  const { id } = await createAgentIn(started.app, {
    name: 'Desk',
    instructions: 'For {{team}}, in {{language}}.',
    variables: { team: null, language: 'English' },
  })
  const page = await started.open(`/agents/${id}/starters`)
  await page.getByRole('button', { name: 'New schedule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Morning report')
  await dialog.getByLabel('When').fill('0 0 30 2 *')
  await dialog.getByLabel('Time zone').fill('Europe/Berlin')
  await dialog.getByLabel('Prompt').fill('Sum up.')
  started.expect(/400/)
  await dialog.getByRole('button', { name: 'Create the schedule' }).click()
  await dialog.getByLabel(/^team/).and(page.locator('[aria-invalid=true]:focus')).waitFor()
  await dialog.getByLabel(/^team/).fill('support')
  started.expect(/400/)
  await dialog.getByRole('button', { name: 'Create the schedule' }).click()
  await dialog.getByText(/never comes/i).waitFor()
  await dialog.getByLabel('When').fill('0 9 * * 1-5')
  await dialog.getByLabel(/server was down/).selectOption('runOnce')
  await dialog.getByRole('button', { name: 'Create the schedule' }).click()
  await page.getByText('0 9 * * 1-5 · Europe/Berlin').waitFor()
  await page.getByRole('button', { name: 'Actions for Morning report' }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  const [schedule] = (await started.app.request('GET', `/agents/${id}/schedules`)).body.data
  assert.deepEqual([schedule.status, schedule.timeZone], ['paused', 'Europe/Berlin'])
  assert.deepEqual([schedule.variables, schedule.missedRuns], [{ team: 'support' }, 'runOnce'])

  await page.getByRole('button', { name: 'New trigger' }).click()
  await dialog.getByLabel('Name').fill('Tickets')
  await dialog.getByLabel('Prompt').fill('About {{body.title}}')
  await dialog.getByLabel(/^team/).fill('{{body.team|support}}')
  await dialog.getByLabel('Requests a minute').fill('30')
  await dialog.getByRole('button', { name: 'Create the trigger' }).click()
  const url = await dialog.getByLabel('URL', { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  const path = new URL(url).pathname
  const sent = await started.app.request('POST', path, { key: null, body: { title: 'Hello' } })
  assert.equal(sent.status, 202)
  await page.getByRole('button', { name: 'Actions for Tickets' }).click()
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  await dialog.getByLabel('Take signed requests only').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  // The dialog has nearly the same words.
  await page.getByText('Signed requests only', { exact: true }).waitFor()
  const [trigger] = (await started.app.request('GET', `/agents/${id}/triggers`)).body.data
  assert.deepEqual(trigger.variables, { team: '{{body.team|support}}' })
  assert.equal(trigger.requestsPerMinute, 30)
  const unsigned = await started.app.request('POST', path, { key: null, body: { title: 'Hello' } })
  assert.equal(unsigned.status, 403)
  for (const [name, word] of [
    ['Morning report', 'schedules'],
    ['Tickets', 'triggers'],
  ] as const) {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(`No ${word} yet`).waitFor()
  }
})

test('the pages of agents hold on narrow screens, in both themes, and for axe', manyPages, async context => {
  const started = await startConsole(context)
  const { app } = started
  await checkPage(started, 'agents-empty', '/agents')
  const { id } = await createAgentIn(app, {
    name: 'Handbook',
    description: 'Answers questions about leave, travel and the office, with the place where it is written.',
    instructions: 'Answer {{reader}} briefly.',
    variables: { reader: null, language: 'English' },
    tools: ['search_knowledge', 'http_request', 'call_agent'],
    approvalTools: ['http_request'],
    httpHosts: ['api.example.com'],
  })
  await createAgentIn(app, { name: 'Orders', status: 'paused', model: 'extractive' })
  await app.request('PATCH', `/agents/${id}`, {
    body: { instructions: 'Answer {{reader}} kindly.', publish: false },
  })
  await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello?', variables: { reader: 'Ada' } } })
  await checkPage(started, 'agents', '/agents')
  await checkPage(started, 'agent-new', '/agents/new')
  await checkPage(started, 'editor', `/agents/${id}/edit`)
  await checkPage(started, 'revisions', `/agents/${id}/revisions`)
  await checkPage(started, 'starters-empty', `/agents/${id}/starters`)
  const variables = { reader: 'Ada' }
  const schedule = { name: 'Morning report', cron: '0 9 * * 1-5', prompt: 'Sum up.', variables }
  await app.request('POST', `/agents/${id}/schedules`, { body: schedule })
  const trigger = { name: 'Tickets', promptTemplate: '{{body.title}}', variables, status: 'paused' }
  await app.request('POST', `/agents/${id}/triggers`, { body: trigger })
  await checkPage(started, 'starters', `/agents/${id}/starters`)
})
