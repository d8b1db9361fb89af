/** The widget in a real browser, in a page of another origin under a strict policy, whose own server only mints tokens. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessible, checkFits, picture } from '../../console/testing/page-checks.ts'
import { createAgentIn } from '../../server/src/testing/apps/agent-app.ts'
import { calls, says } from '../../server/src/testing/apps/tool-app.ts'
import { eventually } from '../../server/src/testing/eventually.ts'
import { createCollection, uploadAndWait } from '../../server/src/testing/knowledge/knowledge.ts'
import { type ModelScript, startModelServer } from '../../server/src/testing/servers/model-server.ts'
import { startTcpProxy } from '../../server/src/testing/servers/tcp-proxy.ts'
import { startTestApp, type TestApp } from '../../server/src/testing/test-app.ts'
import { ask, openVisits, sendPage, type View } from '../testing/visits.ts'

const rules = '# Ducks\n\nDucks may enter freely.\n\nGeese pay two euros a day at the northern gate.'

test('a question is answered by keyboard alone, with sources that open their passage, an opinion, and nothing that axe finds', async context => {
  const shop = await openShop(context)
  const page = await shop.visit('ada')
  await page.getByRole('button', { name: 'Open the chat' }).waitFor()
  await page.bringToFront()
  await eventually('the focus comes to the button', async () => {
    await page.keyboard.press('Tab')
    return (await focusedName(page)) === 'Open the chat'
  })
  await page.keyboard.press('Enter')
  await page.getByLabel('Type your question').waitFor()
  await page.keyboard.type('How much do geese pay a day?')
  await page.keyboard.press('Enter')
  await page.getByText(/two euros a day/).waitFor()
  await page.getByRole('list', { name: 'Sources' }).getByRole('button', { name: '1 Ducks' }).waitFor()
  await checkAccessible(page)
  await picture(page, 'widget-answer')

  await page.getByRole('button', { name: 'Source 1' }).first().focus()
  await page.keyboard.press('Enter')
  const passage = page.getByRole('dialog', { name: 'Source 1' })
  await passage.getByText('Geese pay two euros a day at the northern gate.').waitFor()
  await picture(page, 'widget-passage')
  await page.keyboard.press('Escape')
  await passage.waitFor({ state: 'detached' })
  assert.equal(await focusedName(page), 'Source 1')

  await page.getByRole('button', { name: 'The answer helps' }).click()
  await page.locator('[aria-pressed=true][aria-label="The answer helps"]').waitFor()
  await page.getByLabel('Type your question').fill('And ducks?')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'The answer helps' }).nth(1).waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Type your question').waitFor({ state: 'hidden' })
  assert.equal(await focusedName(page), 'Open the chat')

  const { data } = (await shop.app.request('GET', `/agents/${shop.agentId}/runs`)).body
  assert.deepEqual(
    data.map((run: { endUserId: string }) => run.endUserId),
    ['ada', 'ada'],
  )
  assert.equal(new Set(data.map((run: { conversationId: string }) => run.conversationId)).size, 1)
  assert.equal(data.at(-1).feedback.rating, 'positive')
})

test('the Enter that chooses a word of an input method sends nothing, in Safari as well', async context => {
  const shop = await openShop(context)
  const page = await shop.visit('ada')
  await page.getByRole('button', { name: 'Open the chat' }).click()
  const input = page.getByLabel('Type your question')
  await input.fill('How much do geese pay a day?')
  // As Safari sends it: the composition has ended before.
  const enter = { key: 'Enter', keyCode: 229, isComposing: false, bubbles: true, cancelable: true }
  await input.dispatchEvent('keydown', enter)
  assert.equal(await input.inputValue(), 'How much do geese pay a day?')
  await input.press('Enter')
  assert.equal(await input.inputValue(), '')
})

test('it fits a phone, the dark, and a page that reads from right to left', async context => {
  const shop = await openShop(context)
  for (const [name, view] of Object.entries({
    phone: { width: 360, dir: 'ltr', theme: 'light' },
    'rtl-dark': { width: 1_000, dir: 'rtl', theme: 'dark' },
  } as const)) {
    const page = await shop.visit('ada', { query: `dir=${view.dir}`, ...view })
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await page.getByLabel('Type your question').fill('How much do geese pay a day?')
    await page.getByLabel('Type your question').press('Enter')
    await page.getByText(/two euros a day/).waitFor()
    await page.getByRole('button', { name: 'The answer helps' }).waitFor()
    await checkAccessible(page)
    await checkFits(page)
    await picture(page, `widget-${name}`)
  }
})

test('what a model writes stays text: no script, no picture, no address but https', async context => {
  const text =
    'A <img src=x onerror=alert(1)> ![p](https://evil.example/p.png) [bad](javascript:alert(1)) [good](https://good.example/)'
  let answer = text
  const shop = await openShop(context, () => ({ kind: 'answer', text: answer }))
  const page = await shop.visit('ada')
  await ask(page, 'Draw!')
  await page.getByRole('link', { name: 'good' }).waitFor()
  const links = await page.getByRole('link').all()
  const hrefs = await Promise.all(links.map(link => link.getAttribute('href')))
  assert.deepEqual(hrefs, ['https://evil.example/p.png', 'https://good.example/'])
  assert.equal(await page.locator('img').count(), 0)
  for (const depth of [500, 20_000]) {
    answer = `${'>'.repeat(depth)} bottom of ${depth}`
    await page.getByLabel('Type your question').fill('Nest!')
    await page.getByLabel('Type your question').press('Enter')
    await page.getByText(`bottom of ${depth}`).waitFor()
    await page
      .getByRole('button', { name: 'The answer helps' })
      .nth(depth === 500 ? 1 : 2)
      .waitFor()
    assert.ok((await page.locator('blockquote').count()) < 30)
  }
})

test('ten visitors at once get each their own answer', async context => {
  const shop = await openShop(context, ({ messages }) => ({
    kind: 'paced',
    text: `You said: ${String(messages.at(-1)?.content)}`,
    delayMs: 20,
  }))
  const names = Array.from({ length: 10 }, (_, index) => `visitor-${index}`)
  const pages = await Promise.all(names.map(name => shop.visit(name)))
  await Promise.all(pages.map((page, index) => ask(page, `I am ${names[index]}`)))
  for (const [index, page] of pages.entries()) {
    await page.getByText(`You said: I am ${names[index]}`, { exact: false }).waitFor()
    await page.getByRole('button', { name: 'The answer helps' }).waitFor()
    assert.equal(await page.getByText(/You said/).count(), 1)
  }
})

test('an answer goes on where it broke once a server that was away is back', async context => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ')
  const shop = await openShop(context, () => ({ kind: 'paced', text: words, delayMs: 100 }))
  const page = await shop.visit('ada')
  await ask(page, 'Count!')
  await page.getByText(/word3/).waitFor()
  await shop.proxy.cut()
  await page.getByText('The connection broke. Trying again').waitFor()
  await shop.proxy.restore()
  await page.getByText(words).waitFor()
  await page.getByRole('button', { name: 'The answer helps' }).waitFor()
  assert.equal((await shop.app.request('GET', `/agents/${shop.agentId}/runs`)).body.meta.total, 1)
})

test('a function of the page answers the agent, and an answer is stopped', async context => {
  const shop = await openShop(
    context,
    ({ messages }) => {
      const last = messages.at(-1)
      if (last?.role === 'tool')
        return {
          kind: 'paced',
          text: `In the basket: ${String(last.content)} ${'and so on '.repeat(50)}`,
          delayMs: 50,
        }
      return { kind: 'tool_calls', calls: [{ name: 'read_basket', arguments: {} }] }
    },
    { functions: [readBasket] },
  )
  const page = await shop.visit('ada', { query: 'basket=three+pears' })
  await ask(page, 'What is in my basket?')
  await page.getByText(/three pears/).waitFor()
  await page.getByRole('button', { name: 'Stop the answer' }).click()
  await page.getByRole('log').getByText('The answer was stopped.').waitFor()
  assert.equal(await page.getByRole('status').textContent(), 'The answer was stopped.')
})

test('Enter leaves a running answer and the next question alone, and Esc stops the answer', async context => {
  const text = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')
  const shop = await openShop(context, () => ({ kind: 'paced', text, delayMs: 50 }))
  const page = await shop.visit('ada')
  const cancelled: string[] = []
  page.on('request', request => void (/\/cancel$/.test(request.url()) && cancelled.push(request.method())))
  await ask(page, 'Count!')
  await page.getByText(/word3 /).waitFor()
  const input = page.getByRole('textbox')
  await input.fill('And then?')
  await input.press('Enter')
  await page.getByText(/word30 /).waitFor()
  assert.deepEqual([cancelled, await input.inputValue()], [[], 'And then?'])
  await input.press('Escape')
  await page.getByRole('log').getByText('The answer was stopped.').waitFor()
  assert.deepEqual([cancelled, await input.inputValue()], [['POST'], 'And then?'])
  assert.equal(await page.getByRole('status').textContent(), 'The answer was stopped.')
})

test('a run that waits for a person outlasts a server that is away, and is asked for once', async context => {
  const shop = await openShop(context, askTheTime, approved)
  const page = await shop.visit('ada')
  await ask(page, 'What time is it?')
  await page.getByText('Someone has to approve a step first.').waitFor()
  await shop.proxy.cut()
  await page.getByText('The connection broke. Trying again').waitFor()
  await shop.proxy.restore()
  await page.getByText('Someone has to approve a step first.').waitFor()
  await shop.approve()
  await page.getByText('It is done.').waitFor()
  assert.equal((await shop.runs()).length, 1)
})

test('“Try again” goes on with the run that has begun', async context => {
  const shop = await openShop(context, askTheTime, approved)
  const page = await shop.visit('ada')
  await ask(page, 'What time is it?')
  await page.getByText('Someone has to approve a step first.').waitFor()
  const refused = { status: 403, headers: { 'access-control-allow-origin': '*' }, body: '' }
  await page.route('**/runs/*', route => route.fulfill(refused))
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Someone has to approve a step first.').waitFor()
  await shop.approve()
  await page.getByText('It is done.').waitFor()
  assert.deepEqual(await page.locator('.person').allInnerTexts(), ['You:\nWhat time is it?'])
  assert.equal((await shop.runs()).length, 1)
})

test('a page whose own server gives no token for a while says so, and answers then', async context => {
  const shop = await openShop(context)
  const page = await shop.visit('ada')
  await page.route('**/token', route => route.abort())
  await ask(page, 'How much do geese pay a day?')
  await page.getByText('The server cannot be reached.').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(/two euros a day/).waitFor()
})

test('a function of the page is called behind an approval, and again by the page that a reload brings', async context => {
  const shop = await openShop(
    context,
    ({ messages }) => {
      const last = messages.at(-1)
      if (last?.role !== 'tool') return calls(['current_time', {}])
      const isBasket = messages.filter(({ role }) => role === 'tool').length > 1
      return isBasket ? says(`In the basket: ${last.content}`) : calls(['read_basket', {}])
    },
    { ...approved, functions: [readBasket] },
  )
  const page = await shop.visit('ada')
  await ask(page, 'What is in my basket?')
  await page.getByText('Someone has to approve a step first.').waitFor()
  await shop.approve()
  await page.getByRole('heading', { name: 'The basket is being read' }).waitFor()
  await page.goto(`${new URL(page.url()).origin}/?basket=three+pears`)
  await page.getByRole('button', { name: 'Open the chat' }).click()
  await page.getByText(/three pears/).waitFor()
  assert.equal((await shop.runs()).length, 1)
})

test('a frame is framed by the pages of the agent’s record, begins with its words, and gets its token from the page around it', async context => {
  const shop = await openShop(context)
  await shop.frame({ origins: [shop.origin] })
  const page = await shop.visit('ada', { path: '/framed' })
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Type your question').fill('How much do geese pay a day?')
  await frame.getByLabel('Type your question').press('Enter')
  await frame.getByText(/two euros a day/).waitFor()
  await picture(page, 'widget-frame')
  const embed = async (query = '') => {
    const reply = await fetch(`${shop.atrium}/embed/${shop.agentId}${query}`)
    const policy = reply.headers.get('content-security-policy') ?? ''
    return { html: await reply.text(), policy, older: reply.headers.get('x-frame-options') }
  }
  // The address names pages and words of its own.
  for (const parent of [
    'https://evil.example',
    '*',
    "'self'",
    'https://a.example; script-src *',
    'https://*',
    'javascript:1',
  ]) {
    const { html, policy, older } = await embed(
      `?parent=${encodeURIComponent(parent)}&heading=Your+bank&welcome=Your+password%3F&theme=%22x&title=Your+bank`,
    )
    assert.ok(policy.includes(`frame-ancestors ${shop.origin}; require`), parent)
    assert.doesNotMatch(html, /bank|password|parent-origin|theme/, parent)
    assert.equal(older, null)
  }
  await shop.frame({ heading: 'Ask the <gate>', welcome: 'What "now"?' })
  const { html, policy, older } = await embed(`?parent=${encodeURIComponent(shop.origin)}&theme=dark`)
  assert.match(policy, /frame-ancestors 'none'; require/)
  assert.equal(older, 'DENY')
  assert.doesNotMatch(html, /parent-origin/)
  assert.match(html, /<title>Ask the &#60;gate&#62;<\/title>/)
  assert.match(html, /heading="Ask the &#60;gate&#62;" welcome="What &#34;now&#34;\?" theme="dark"/)
  const unknown = await fetch(`${shop.atrium}/embed/agt_unknown`)
  assert.match(unknown.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'; require/)
})

const approved = { tools: ['current_time'], approvalTools: ['current_time'] }
const askTheTime: ModelScript = ({ messages }) =>
  messages.at(-1)?.role === 'tool' ? says('It is done.') : calls(['current_time', {}])

const readBasket = {
  name: 'read_basket',
  description: 'What is in the basket',
  inputSchema: { type: 'object', properties: {} },
}

const focusedName = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    let focused = document.activeElement
    while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
    return focused.getAttribute('aria-label')
  })()`)

/** A shop with a page and a server of its own, an Atrium behind a wire that can be cut, and an agent that knows the rules. */
async function openShop(
  context: TestContext,
  script?: ModelScript,
  agent: { functions?: (typeof readBasket)[]; tools?: string[]; approvalTools?: string[] } = {},
) {
  const functions = (agent.functions ?? []).map(({ name }) => name)
  const modelServer = await startModelServer(script)
  const app = await startTestApp({
    settings: { OPENAI_BASE_URL: modelServer.baseUrl, ATRIUM_ANONYMOUS_RATE: '100000' },
  })
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(await app.listen()).port) })
  const atrium = `http://127.0.0.1:${proxy.port}`
  const collectionId = await createCollection(app)
  await uploadAndWait(app, { collectionId, name: 'ducks.md', content: rules })
  const model = script === undefined ? 'extractive' : 'openai/test-model'
  const { id: agentId } = await createAgentIn(app, { model, collectionIds: [collectionId], ...agent })
  const shop = createServer(
    (request, reply) => void serveShop(request, reply, { app, atrium, agentId, functions }),
  )
  shop.listen(0, '127.0.0.1')
  await once(shop, 'listening')
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  const visits = await openVisits()
  context.after(async () => {
    await visits.close()
    shop.close()
    await proxy.close()
    await app.close()
    await modelServer.close()
    assert.deepEqual(visits.faults, [], 'what went wrong in the pages')
  })
  const visit = (visitor: string, view: View = {}): Promise<Page> =>
    visits.visit(origin, { ...view, cookies: { visitor } })
  const runs = async () => (await app.request('GET', `/agents/${agentId}/runs`)).body.data
  /** Approves what the latest run waits for. */
  const approve = async () => {
    const [{ id, pendingApprovals }] = await runs()
    const [{ toolCallId }] = pendingApprovals
    const body = { decisions: [{ toolCallId, decision: 'approve' }] }
    assert.equal((await app.request('POST', `/runs/${id}/approvals`, { body })).status, 202)
  }
  const frame = async (frame: object): Promise<void> => {
    assert.equal((await app.request('PATCH', `/agents/${agentId}`, { body: { frame } })).status, 200)
  }
  return { app, atrium, agentId, origin, proxy, visit, runs, approve, frame }
}

/** What the owner of the shop writes: two pages, and a server that asks for a token with its key. */
async function serveShop(
  request: IncomingMessage,
  reply: ServerResponse,
  { app, atrium, agentId, functions }: { app: TestApp; atrium: string; agentId: string; functions: string[] },
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop')
  const origin = `http://${request.headers.host}`
  if (pathname === '/token') {
    const endUserId = /visitor=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
    const minted = await app.request('POST', '/browser-tokens', {
      body: { agentId, endUserId, origins: [origin, atrium], functions },
    })
    const { token, expiresAt } = minted.body.data
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ token, expiresAt }))
    return
  }
  if (pathname === '/page.js') {
    const basket = `document.querySelector('atrium-chat').tools = {
      read_basket: {
        run: () => new URLSearchParams(location.search).get('basket') ?? new Promise(() => {
          document.querySelector('h1').textContent = 'The basket is being read'
        }),
      },
    }`
    reply.writeHead(200, { 'content-type': 'text/javascript' }).end(basket)
    return
  }
  if (pathname === '/framed.js') {
    const give = `addEventListener('message', async ({ origin, source, data }) => {
      if (origin !== ${JSON.stringify(atrium)} || data?.type !== 'atrium-token-wanted') return
      const token = await (await fetch('/token', { method: 'POST' })).json()
      source.postMessage({ type: 'atrium-token', ...token }, origin)
    })`
    reply.writeHead(200, { 'content-type': 'text/javascript' }).end(give)
    return
  }
  if (pathname !== '/' && pathname !== '/framed') {
    reply.writeHead(204).end()
    return
  }
  const direction = searchParams.get('dir') === 'rtl' ? 'rtl' : 'ltr'
  const inside =
    pathname === '/framed'
      ? `<script type="module" src="/framed.js"></script>
         <iframe title="Chat" width="400" height="600" src="${atrium}/embed/${agentId}?parent=${encodeURIComponent(origin)}"></iframe>`
      : `<script type="module" src="${atrium}/widget/atrium-chat.js"></script><script src="/page.js" defer></script>
         <aside aria-label="Help"><atrium-chat launcher agent="${agentId}" token-url="/token" heading="Ask the gatekeeper"></atrium-chat></aside>`
  sendPage(reply, atrium, inside, direction)
}
