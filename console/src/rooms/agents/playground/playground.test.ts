/** The playground in a real browser: answers as they come, their sources, approvals, breaks of the line, and script that stays text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { createAgentIn } from '../../../../../server/src/testing/apps/agent-app.ts'
import { createCollection, uploadAndWait } from '../../../../../server/src/testing/knowledge/knowledge.ts'
import { startModelServer } from '../../../../../server/src/testing/servers/model-server.ts'
import { startTcpProxy } from '../../../../../server/src/testing/servers/tcp-proxy.ts'
import { type ConsoleApp, startBrowser, startConsole } from '../../../../testing/console-app.ts'
import { tabTo } from '../../../../testing/keyboard.ts'
import { checkAccessible, checkPage, picture } from '../../../../testing/page-checks.ts'

const rules = '# Ducks\n\nDucks may enter freely.\n\nGeese pay two euros a day at the northern gate.'

/** An agent of the sandbox that knows the rules of ducks and has to ask before it calculates. */
async function sandboxAgent({ app }: ConsoleApp): Promise<string> {
  const { testKey: key } = app
  const collectionId = await createCollection(app, key, 'Rules')
  await uploadAndWait(app, { collectionId, key, name: 'ducks.md', content: rules })
  const agent = await createAgentIn(
    app,
    {
      name: 'Gatekeeper',
      description: 'Knows who may enter.',
      collectionIds: [collectionId],
      tools: ['search_knowledge', 'calculator'],
      approvalTools: ['calculator'],
    },
    key,
  )
  return agent.id
}

const answerOf = (turn: Locator) => turn.getByRole('group', { name: 'Answer' })

const words = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `word${from + index}`).join(' ')

test('an answer comes with its steps, sources that open the passage, its cost, and a conversation that is still there after a reload', async context => {
  const started = await startConsole(context)
  const agentId = await sandboxAgent(started)
  const page = await started.open(`/agents/${agentId}`, { environment: 'test' })
  await page.getByRole('button', { name: /sim:reasoning/ }).waitFor()
  const message = page.getByLabel('Your message')
  await message.fill('How much do geese pay a day?')
  await message.press('Enter')
  const first = page.getByRole('article', { name: 'Turn 1' })
  await answerOf(first)
    .getByText(/two euros a day/)
    .waitFor()
  await first.getByText(/tokens read/).waitFor()
  await first.getByText(/\$0/).waitFor()
  await picture(page, 'playground-answer')

  await first.locator('summary').first().press('Enter')
  await first.locator('summary', { hasText: 'search_knowledgeHow much' }).press('Enter')
  await first
    .getByRole('group', { name: /Input of step/ })
    .first()
    .waitFor()
  await picture(page, 'playground-steps')

  await first.getByRole('button', { name: 'Source 1', exact: true }).first().press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Source 1' })
  await drawer.getByText('Geese pay two euros a day at the northern gate.').waitFor()
  const passage = await drawer.getByRole('link', { name: 'Open the passage' }).getAttribute('href')
  assert.match(passage ?? '', /^\/knowledge\/documents\/doc_\w+\?version=1&from=\d+&to=\d+$/)
  await picture(page, 'playground-source')
  await page.keyboard.press('Escape')

  await message.fill('sim:reasoning sim:stream=20')
  await page.getByRole('button', { name: 'Send' }).click()
  const second = page.getByRole('article', { name: 'Turn 2' })
  await answerOf(second).getByText('word20').waitFor()
  await second.getByText(/tokens read/).waitFor()
  assert.match(page.url(), /conversation=cnv_/)

  await page.reload()
  await answerOf(second).getByText('word20').waitFor()
  await answerOf(first)
    .getByText(/two euros a day/)
    .waitFor()
})

test('a call that waits is decided in place, a run is stopped, and one that was left is followed again from its address', async context => {
  const started = await startConsole(context)
  const agentId = await sandboxAgent(started)
  const page = await started.open(`/agents/${agentId}`, { environment: 'test' })
  const message = page.getByLabel('Your message')
  const ask = async (prompt: string) => {
    await message.fill(prompt)
    await message.press('Enter')
  }
  await ask('sim:approval sim:output=It is calculated')
  const first = page.getByRole('article', { name: 'Turn 1' })
  await first.getByText('The agent wants to call').waitFor()
  await picture(page, 'playground-approval')
  // The run still waits after the person has left and come back.
  await page.waitForURL(/conversation=/)
  await page.reload()
  await first.getByLabel('Reason').fill('Numbers are harmless')
  await first.getByRole('button', { name: 'Approve' }).click()
  await answerOf(first).getByText('It is calculated').waitFor()
  await first.locator('summary').first().click()
  await first.getByText('Approved').first().waitFor()

  await ask('sim:approval sim:output=Without the tool')
  const second = page.getByRole('article', { name: 'Turn 2' })
  await second.getByRole('button', { name: 'Reject' }).click()
  await answerOf(second).getByText('Without the tool').waitFor()

  await ask('sim:slow=60s')
  const third = page.getByRole('article', { name: 'Turn 3' })
  await third.getByText('Thinks…').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await third.getByText('It was stopped.').waitFor()

  await ask('sim:slow=2s sim:stream=30')
  await page.getByRole('article', { name: 'Turn 4' }).getByText('Thinks…').waitFor()
  await page.reload()
  await answerOf(page.getByRole('article', { name: 'Turn 4' }))
    .getByText('word30')
    .waitFor()

  await ask('sim:stream=3 sim:unavailable')
  const fifth = page.getByRole('article', { name: 'Turn 5' })
  await fifth.getByText(/choose a fallback model/).waitFor()
  await picture(page, 'playground-failed')
})

test('variables and a response schema are asked for before a prompt is sent, and the structured output is shown', async context => {
  const started = await startConsole(context)
  const body = { name: 'Form', tools: [], instructions: 'For {{reader}}.', variables: { reader: null } }
  const { id } = await createAgentIn(started.app, body, started.app.testKey)
  const page = await started.open(`/agents/${id}`, { environment: 'test' })
  const message = page.getByLabel('Your message')
  await page.getByLabel('Response schema').fill('{"type": ')
  await message.fill('sim:repair')
  await message.press('Enter')
  await page.getByText('This agent needs a value.').waitFor()
  await page.getByText(/This is not a JSON object/).waitFor()
  await checkAccessible(page)
  await picture(page, 'playground-inputs')
  await page.getByLabel('reader').fill('Ada')
  const schema = { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] }
  await page.getByLabel('Response schema').fill(JSON.stringify(schema))
  await message.press('Enter')
  await page.getByRole('group', { name: 'Structured output of turn 1' }).getByText('"days"').waitFor()
  const key = await started.owner.token({ environment: 'test' })
  const { data } = (await started.app.request('GET', `/agents/${id}/runs`, { key })).body
  assert.deepEqual(data[0].variables, { reader: 'Ada' })
})

test('a stream whose line is cut goes on where it broke off, and no word comes twice', async context => {
  const target = { host: '127.0.0.1', port: 0 }
  const proxy = await startTcpProxy(target)
  context.after(proxy.close)
  const origin = `http://127.0.0.1:${proxy.port}`
  const started = await startConsole(context, { settings: { ATRIUM_PUBLIC_URL: origin } })
  target.port = Number(new URL(started.origin).port)
  const agentId = await sandboxAgent(started)
  const { open, expect } = await startBrowser(context, origin)
  expect(/ERR_/)
  const page = await open(`/agents/${agentId}`, { cookie: started.owner.cookie, environment: 'test' })
  await page.getByLabel('Your message').fill('sim:stream=80')
  await page.keyboard.press('Enter')
  const turn = page.getByRole('article', { name: 'Turn 1' })
  await answerOf(turn)
    .getByText(/word10 /)
    .waitFor()
  await proxy.cut()
  await turn.getByText('Goes on once the server is back').waitFor()
  await picture(page, 'playground-broken')
  await proxy.restore()
  await answerOf(turn)
    .getByText(/word80/)
    .waitFor()
  await turn.getByText(/tokens read/).waitFor()
  assert.ok((await answerOf(turn).innerText()) === words(1, 80))

  // The browser itself without a network, in the middle of another answer.
  await page.getByLabel('Your message').fill('sim:stream=80')
  await page.keyboard.press('Enter')
  const second = page.getByRole('article', { name: 'Turn 2' })
  await answerOf(second)
    .getByText(/word10 /)
    .waitFor()
  await page.context().setOffline(true)
  await proxy.cut()
  await second.getByText('Goes on once the server is back').waitFor()
  await proxy.restore()
  await page.context().setOffline(false)
  await answerOf(second)
    .getByText(/word80/)
    .waitFor()
  assert.ok((await answerOf(second).innerText()) === words(1, 80))
})

test('a prompt that only a reverse proxy answers while the server is away is sent once the server is back', async context => {
  const started = await startConsole(context)
  const agentId = await sandboxAgent(started)
  started.expect(/502/)
  const page = await started.open(`/agents/${agentId}`, { environment: 'test' })
  let isAway = true
  await page.route(/\/(readyz|api\/v1\/agents\/\w+\/run)$/, route =>
    isAway ? route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }) : route.continue(),
  )
  await page.getByLabel('Your message').fill('sim:output=It has come')
  await page.keyboard.press('Enter')
  const turn = page.getByRole('article', { name: 'Turn 1' })
  await turn.getByText('Is sent once the server is back').waitFor()
  isAway = false
  await answerOf(turn).getByText('It has come').waitFor()
})

test('the Enter that confirms an input method does not send the message, also where a browser tells of it late', async context => {
  const started = await startConsole(context)
  const agentId = await sandboxAgent(started)
  const page = await started.open(`/agents/${agentId}`, { environment: 'test' })
  const message = page.getByLabel('Your message')
  await message.fill('こんにちは')
  // As Safari tells of it: the composition has ended, and the key code is that of an input method.
  await message.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: false })
  assert.equal(await message.inputValue(), 'こんにちは')
  assert.equal(await page.getByRole('article').count(), 0)
  await message.press('Enter')
  await page.getByRole('article', { name: 'Turn 1' }).waitFor()
})

test('script in an answer, in a name and in a prompt stays text, and nothing is loaded from elsewhere', async context => {
  const attack = [
    '<script>document.title = "owned"</script>',
    '<img src=x onerror="document.title=\'owned\'">',
    '[click](javascript:document.title="owned") ![pic](https://evil.example/p.png) **bold** [9] `[1]`',
  ].join('\n\n')
  const modelServer = await startModelServer(() => ({ kind: 'answer', text: attack }))
  context.after(modelServer.close)
  const started = await startConsole(context, { settings: { OPENAI_BASE_URL: modelServer.baseUrl } })
  const { id } = await createAgentIn(started.app, {
    name: '<img src=x onerror=alert(1)>',
    description: '<script>alert(1)</script>',
    model: 'openai/test-model',
    tools: [],
  })
  const page = await started.open(`/agents/${id}`)
  await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor()
  await page.getByLabel('Your message').fill('<script>document.title = "owned"</script>')
  await page.keyboard.press('Enter')
  const turn = page.getByRole('article', { name: 'Turn 1' })
  await answerOf(turn).locator('strong', { hasText: 'bold' }).waitFor()
  await turn.getByText(/tokens read/).waitFor()
  assert.equal(await turn.locator('script, img, [onerror]').count(), 0)
  assert.equal(await turn.locator('a[href^="javascript"]').count(), 0)
  assert.equal(await page.locator('main script').count(), 0)
  assert.ok(!(await page.title()).includes('owned'))
  await picture(page, 'playground-script')
  await page.goto(`${started.origin}/agents`)
  await page.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).waitFor()
})

test('the playground holds on narrow screens, in both themes, for axe, and by keyboard alone', async context => {
  const started = await startConsole(context)
  const agentId = await sandboxAgent(started)
  await checkPage(started, 'playground-empty', `/agents/${agentId}`, { environment: 'test' })
  const { testKey: key } = started.app
  const run = async (prompt: string, conversationId?: string) => {
    const body = { prompt, conversationId }
    return (await started.app.request('POST', `/agents/${agentId}/run`, { key, body })).body.data
  }
  const { conversationId } = await run('How much do geese pay a day?')
  await run('sim:approval', conversationId)
  await checkPage(started, 'playground', `/agents/${agentId}?conversation=${conversationId}`, {
    environment: 'test',
    ready: async page => {
      await page.getByText('The agent wants to call').waitFor()
      // The picture shows where the conversation begins.
      await page.evaluate('window.scrollTo(0, 0)')
    },
  })

  const page = await started.open(`/agents/${agentId}`, { environment: 'test' })
  await tabTo(page, /Your message/)
  await page.keyboard.type('sim:approval sim:output=By keyboard')
  await page.keyboard.press('Enter')
  await page.getByText('The agent wants to call').waitFor()
  await page.locator('h1').focus()
  await tabTo(page, /^Approve$/)
  await page.keyboard.press('Enter')
  await answerOf(page.getByRole('article')).getByText('By keyboard').waitFor()
})

test('a conversation is shared by its owner, and an admin opens one that is not shared with a reason', async context => {
  const started = await startConsole(context)
  const { app } = started
  const { id: agentId } = await createAgentIn(app, { name: 'Gatekeeper', model: 'extractive', tools: [] })
  const [ada, bob] = await Promise.all(
    (['member', 'admin'] as const).map(async role =>
      started.signIn(String((await app.createKey({ role })).caller.userId)),
    ),
  )
  assert.ok(ada !== undefined && bob !== undefined)
  const begun = await app.request('POST', `/agents/${agentId}/run`, {
    key: await ada.token(),
    body: { prompt: 'A word of my own' },
  })
  const path = `/agents/${agentId}?conversation=${begun.body.data.conversationId}`

  started.expect(/404/)
  const ofBob = await started.open(path, { as: bob })
  await ofBob.getByRole('button', { name: 'Open with a reason' }).click()
  const asked = ofBob.getByRole('dialog')
  await asked.getByLabel('Reason').fill('A customer complains')
  await checkAccessible(ofBob)
  await asked.getByRole('button', { name: 'Open', exact: true }).click()
  await ofBob.getByText('A word of my own').waitFor()
  await ofBob.getByText(/belongs to others/).waitFor()
  assert.equal(await ofBob.getByRole('button', { name: 'Share' }).count(), 0)

  const ofAda = await started.open(path, { as: ada })
  await ofAda.getByRole('button', { name: 'Share' }).click()
  await ofAda.getByRole('radio', { name: /^Everyone/ }).check()
  await ofAda
    .getByRole('dialog')
    .getByText(/A customer complains/)
    .waitFor()
  await checkAccessible(ofAda)
  await ofAda.getByRole('button', { name: 'Save' }).click()
  await ofAda.getByRole('button', { name: 'Shared' }).waitFor()
  const shown = await app.request('GET', `/conversations/${begun.body.data.conversationId}`, {
    key: await bob.token(),
  })
  assert.equal(shown.body.data.access, 'workspace')
})
