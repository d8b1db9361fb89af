/** The widget in a page without a server: an anonymous visitor of a public chat, and an answer whose server is killed. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { checkAccessible, picture } from '../../console/testing/page-checks.ts'
import { createAgentIn } from '../../server/src/testing/apps/agent-app.ts'
import { eventually } from '../../server/src/testing/eventually.ts'
import { createInstallation } from '../../server/src/testing/operator.ts'
import { startModelServer } from '../../server/src/testing/servers/model-server.ts'
import { createServerClient } from '../../server/src/testing/servers/server-client.ts'
import { startTestApp } from '../../server/src/testing/test-app.ts'
import { ask, openVisits, sendPage } from '../testing/visits.ts'

test('a page without a server chats for an anonymous visitor, who is the same after a reload, until the limit is told', async context => {
  const { app, agentId, origin, visits, open } = await openChat(context)
  await open({ visitorPerHour: { maxRuns: 2 } })
  const page = await visits.visit(origin)
  await ask(page, 'Hello?')
  await page.getByText('You said: Hello?').waitFor()
  await page.getByRole('button', { name: 'The answer helps' }).click()
  const runs = async () => (await app.request('GET', `/agents/${agentId}/runs`)).body.data
  await eventually(
    'the opinion is stored',
    async () => (await runs()).at(-1)?.endUserFeedback?.rating === 'positive',
  )
  await page.reload()
  await ask(page, 'And again?')
  await page.getByText('You said: And again?').waitFor()
  assert.deepEqual(await page.locator('.person').allInnerTexts(), ['You:\nHello?', 'You:\nAnd again?'])
  assert.equal(await page.locator('[aria-pressed=true][aria-label="The answer helps"]').count(), 1)
  const data = await runs()
  assert.equal(new Set(data.map((run: { endUserId: string }) => run.endUserId)).size, 1)
  assert.equal(new Set(data.map((run: { conversationId: string }) => run.conversationId)).size, 1)
  await page.getByLabel('Type your question').fill('Once more?')
  await page.getByLabel('Type your question').press('Enter')
  await page.getByText('This chat has reached its limit.').waitFor()
  await checkAccessible(page)
  await picture(page, 'widget-limit')
})

test('a conversation outlasts a reload in the middle of an answer, ends with “New conversation”, and one that has gone is another', async context => {
  const { app, agentId, origin, visits, open } = await openChat(context, 'paced')
  await open({})
  const page = await visits.visit(origin)
  const conversations = async (): Promise<string[]> => {
    const { data } = (await app.request('GET', `/agents/${agentId}/runs`)).body
    return data.map((run: { conversationId: string }) => run.conversationId)
  }
  const askMore = async (question: string) => {
    await page.getByLabel('Type your question').fill(question)
    await page.getByLabel('Type your question').press('Enter')
    await page.getByText(`You said: ${question}`).waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
  }
  const kept = () => page.evaluate<string | null>(`sessionStorage['atrium-conversation ${agentId}'] ?? null`)
  await ask(page, 'One, and so on and so on?')
  await page.getByText('You said').waitFor()
  await eventually('the conversation is known', async () => (await kept()) !== null)
  await page.reload()
  await page.getByRole('button', { name: 'Open the chat' }).click()
  await page.getByText('You said: One, and so on and so on?').waitFor()
  await page.getByRole('button', { name: 'The answer helps' }).waitFor()
  await askMore('Two?')
  const [second, first] = await conversations()
  assert.equal(second, first)
  await askMore('Three?')
  const asked = page.locator('.person')
  assert.deepEqual(await asked.allInnerTexts(), [
    'You:\nOne, and so on and so on?',
    'You:\nTwo?',
    'You:\nThree?',
  ])

  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Open the chat' }).click()
  assert.equal(await page.locator('.turn').count(), 0)
  await askMore('Four?')
  const [third] = await conversations()
  assert.notEqual(third, first)

  // Open in the page, and then after a reload.
  await app.request('DELETE', `/conversations/${third}`)
  await askMore('Five?')
  const [fourth] = await conversations()
  assert.deepEqual(await asked.allInnerTexts(), ['You:\nFour?', 'You:\nFive?'])
  assert.notEqual(fourth, third)
  await app.request('DELETE', `/conversations/${fourth}`)
  await page.reload()
  await page.getByRole('button', { name: 'Open the chat' }).click()
  await eventually('it is forgotten', async () => (await kept()) === null)
  await askMore('Six?')
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('a page whose browser allows no storage chats all the same', async context => {
  const { origin, visits, open } = await openChat(context)
  await open({})
  const page = await visits.visit(origin)
  await page.addInitScript(`for (const place of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, place, { get: () => { throw new DOMException('No', 'SecurityError') } })
  }`)
  await page.reload()
  await ask(page, 'Hello?')
  await page.getByText('You said: Hello?').waitFor()
})

test('a chat that is not open to the page says so', async context => {
  const { origin, visits, open } = await openChat(context)
  const page = await visits.visit(origin)
  await ask(page, 'Hello?')
  await page.getByText('This chat is not open here.').waitFor()
  await open({ origins: ['https://www.example.com'] })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This chat is not open here.').waitFor()
})

test('a question that is asked again after another one takes its own place, not the other one’s', async context => {
  const { origin, visits, open } = await openChat(context)
  const page = await visits.visit(origin)
  await ask(page, 'First?')
  await page.getByText('This chat is not open here.').waitFor()
  await page.getByLabel('Type your question').fill('Second?')
  await page.getByLabel('Type your question').press('Enter')
  await page.getByRole('button', { name: 'Try again' }).nth(1).waitFor()
  await open({})
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByText('You said: First?').waitFor()
  assert.deepEqual(await page.locator('.person').allInnerTexts(), ['You:\nSecond?', 'You:\nFirst?'])
  assert.equal(await page.getByText('This chat is not open here.').count(), 1)
})

test('a public chat is a link, and a frame in the pages that it is open to', async context => {
  const { atrium, agentId, origin, visits, open } = await openChat(context)
  await open({ origins: [origin, atrium] })
  const hosted = await visits.visit(atrium, { path: `/embed/${agentId}` })
  await hosted.getByLabel('Type your question').fill('By a link?')
  await hosted.getByLabel('Type your question').press('Enter')
  await hosted.getByText('You said: By a link?').waitFor()
  const page = await visits.visit(origin, { path: '/framed' })
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Type your question').fill('In a frame?')
  await frame.getByLabel('Type your question').press('Enter')
  await frame.getByText('You said: In a frame?').waitFor()
  // Open to Atrium's own pages, and to no page that puts these in a frame.
  await open({ origins: [atrium] })
  const other = await visits.visit(origin, { path: '/framed' })
  await eventually('the browser shows no frame', () =>
    other.frames().some(frame => frame.url().startsWith('chrome-error:')),
  )
})

test('a server that is killed in the middle of an answer and started again ends with the answer, and no text twice', async context => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
  // The first answer is so slow that the server is killed within it, on a busy machine too.
  const modelServer = await startModelServer((_, index) => ({
    kind: 'paced',
    text: words,
    delayMs: index === 0 ? 200 : 20,
  }))
  context.after(() => modelServer.close())
  const installation = await createInstallation(context, {
    environment: { OPENAI_API_KEY: 'unused-key', OPENAI_BASE_URL: modelServer.baseUrl },
  })
  const first = await installation.startServer()
  const { agentId, request } = await createServerClient(installation, first)
  const { origin, visits } = await openPages(context, { atrium: first.origin, agentId, serverRestarts: true })
  await request(first, 'PUT', `/agents/${agentId}/public-chat`, { body: { origins: [origin] } })
  const page = await visits.visit(origin)
  await ask(page, 'Count!')
  await page.getByText(/word20/).waitFor()
  const answer = page.locator('.agent .text')
  await answer.evaluate((text: { textContent: string; shown: string[] }) => {
    text.shown = []
    const { MutationObserver } = globalThis as never as { MutationObserver: ObserverOf<typeof text> }
    new MutationObserver(() => text.shown.push(text.textContent)).observe(text, { childList: true })
  })
  await first.kill()
  await page.getByText('The connection broke. Trying again').waitFor()
  const second = await installation.startServer({ ATRIUM_PORT: new URL(first.origin).port })
  await page.getByRole('button', { name: 'The answer helps' }).waitFor()
  assert.equal(await answer.innerText(), words)
  const shown = await answer.evaluate(({ shown }: { shown: string[] }) => shown)
  assert.ok(
    shown.length > 1 && shown.every(text => words.startsWith(text.trim())),
    'no text twice on the way',
  )
  const runs = await request(second, 'GET', `/agents/${agentId}/runs`)
  assert.deepEqual(
    runs.map(({ status, output }: { status: string; output: string }) => [status, output]),
    [['succeeded', words]],
  )
  assert.equal(modelServer.requests.length, 2)
})

/** The tests' types know no pages. */
type ObserverOf<Node> = new (seen: () => void) => { observe(node: Node, options: object): void }

/** A server in this process, whose model says what it was told; the chat is not open yet. */
async function openChat(context: TestContext, kind: 'answer' | 'paced' = 'answer') {
  const modelServer = await startModelServer(({ messages }) => {
    const text = `You said: ${String(messages.at(-1)?.content)}`
    return kind === 'answer' ? { kind, text } : { kind, text, delayMs: 200 }
  })
  const app = await startTestApp({ settings: { OPENAI_BASE_URL: modelServer.baseUrl } })
  context.after(async () => {
    await app.close()
    await modelServer.close()
  })
  const atrium = await app.listen()
  const { id: agentId } = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const pages = await openPages(context, { atrium, agentId })
  const open = async (chat: object = {}): Promise<void> => {
    const body = { origins: [pages.origin], ...chat }
    const { status } = await app.request('PUT', `/agents/${agentId}/public-chat`, { body })
    assert.equal(status, 200)
  }
  return { app, atrium, agentId, open, ...pages }
}

/** Static pages: their server knows nothing of Atrium. */
async function openPages(
  context: TestContext,
  { atrium, agentId, serverRestarts }: { atrium: string; agentId: string; serverRestarts?: true },
) {
  const server = createServer((request, reply) => {
    const origin = `http://${request.headers.host}`
    const { pathname } = new URL(request.url ?? '', origin)
    if (pathname === '/framed') {
      const address = `${atrium}/embed/${agentId}?public&amp;parent=${encodeURIComponent(origin)}`
      sendPage(reply, atrium, `<iframe title="Chat" width="400" height="600" src="${address}"></iframe>`)
    } else if (pathname === '/') {
      const script = `<script type="module" src="${atrium}/widget/atrium-chat.js"></script>`
      sendPage(reply, atrium, `${script}<atrium-chat launcher agent="${agentId}"></atrium-chat>`)
    } else reply.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const visits = await openVisits({ serverRestarts })
  context.after(async () => {
    await visits.close()
    server.close()
    assert.deepEqual(visits.faults, [], 'what went wrong in the pages')
  })
  return { origin, visits }
}
