/** The reference in a real browser: its search, fields on demand, languages, the key, calls, and every width and theme. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startBrowser } from '../../../../console/testing/console-app.ts'
import { checkPage, manyPages } from '../../../../console/testing/page-checks.ts'
import { startTestApp } from '../../testing/test-app.ts'

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof startBrowser>>['open']>>

async function start(context: TestContext) {
  const app = await startTestApp({ settings: { ATRIUM_VISITOR_RATE: '100000' } })
  const origin = await app.listen()
  // The browser ends first: a page that is still open would tell of a server that has gone.
  const browser = await startBrowser(context, origin).finally(() => context.after(app.close))
  return { app, origin, ...browser }
}

/** What a reader who types this wants to see at the top. */
const places: readonly [query: string, place: RegExp][] = [
  ['stop', /\/docs\/runs#cancelRun|\/docs\/guides\/runs#/],
  ['resume', /\/docs\/guides\/runs#|\/docs\/runs#streamRun/],
  ['stream', /\/docs\/runs#streamRun|\/docs\/guides\/runs#streams?/],
  ['idempotency', /\/docs\/guides\/errors#retries-and-idempotency/],
  ['rate limit', /\/docs\/guides\/(usage|errors)#?/],
  ['maxCostUsd', /\/docs\/\w+#(createAgent|runAgent|setPublicChat|createBrowserToken)/],
  ['signature', /\/docs\/guides\/webhooks|\/docs\/received-events/],
  ['widget', /\/docs\/guides\/own-pages/],
  ['runAgent', /\/docs\/runs#runAgent/],
  ['run_limit', /\/docs\/guides\/error-codes#run_limit/],
  ['ATRIUM_HOST', /\/docs\/guides\/settings#ATRIUM_HOST/],
  ['POST /knowledge/documents', /\/docs\/documents#uploadDocument/],
]

test('the search finds the right place for operations, fields, codes, settings and guides', async context => {
  const { open } = await start(context)
  const page = await open('/docs')
  const wrong: string[] = []
  for (const [query, place] of places) {
    const found = await search(page, query)
    if (!found.slice(0, 3).some(address => place.test(address)))
      wrong.push(`${query}: ${found.slice(0, 5).join(' ')}`)
  }
  assert.deepEqual(wrong, [])
})

/** The addresses that are shown for a query, best first. */
async function search(page: Page, query: string): Promise<string[]> {
  await page.getByRole('searchbox').fill(query)
  await page.locator('#found [role=status]').filter({ hasText: /found/i }).waitFor()
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('#found a')].map(link => link.getAttribute('href'))`,
  )
}

test('a search without a result says so in words', async context => {
  const { open } = await start(context)
  const page = await open('/docs')
  assert.deepEqual(await search(page, 'zebrafinch'), [])
  await page.getByText('Nothing found for “zebrafinch”').waitFor()
})

test('the search needs no pointer', async context => {
  const { open } = await start(context)
  const page = await open('/docs')
  await page.keyboard.press('/')
  await page.keyboard.type('runAgent')
  await page.locator('#found a').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/runs#runAgent$/)
  await page.keyboard.press('/')
  await page.keyboard.type('idempotency')
  await page.locator('#found a').first().waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('#found').isVisible(), false)
})

test('the fields of a schema are loaded when they are unfolded', async context => {
  const { open } = await start(context)
  const page = await open('/docs/runs')
  const reply = page.locator('#getRun .reply details').first()
  assert.equal(await reply.locator('.name').count(), 0)
  await reply.getByText('Fields', { exact: true }).click()
  await reply
    .locator('.name', { hasText: /^output$/ })
    .first()
    .waitFor()
  const inner = reply.locator('details[data-schema]').first()
  await inner.locator('summary').click()
  await inner.locator('.name').first().waitFor()
})

test('the language that a reader chooses is shown on every page', async context => {
  const { open, origin } = await start(context)
  const page = await open('/docs/runs')
  const shown = async (id: string) => page.locator(`#${id} .languages pre:visible`).innerText()
  assert.match(await shown('runAgent'), /^curl -X POST/)
  await page.locator('#runAgent').getByRole('button', { name: 'Python' }).click()
  assert.match(await shown('runAgent'), /^import os\nimport httpx/)
  assert.match(await shown('getRun'), /^import os\nimport httpx/)
  await page.goto(`${origin}/docs/agents`)
  assert.match(await shown('createAgent'), /^import os\nimport httpx/)
  assert.equal(await page.locator('#createAgent [aria-pressed=true]').innerText(), 'Python')
})

test('a pasted key is filled into every sample, in the browser only', async context => {
  const { app, open } = await start(context)
  const page = await open('/docs/agents')
  const sent: string[] = []
  page.on('request', request => sent.push(`${request.url()} ${request.postData()}`))
  const sample = page.locator('#createAgent .languages pre:visible')
  assert.match(await sample.innerText(), /"\$ATRIUM\/agents" \\\n {2}-H "Authorization: Bearer \$KEY"/)
  await page.getByRole('textbox', { name: 'API key', exact: true }).fill(app.testKey.key)
  const filled = await sample.innerText()
  assert.match(filled, /curl -X POST "http:\/\/127\.0\.0\.1:\d+\/api\/v1\/agents"/)
  assert.ok(filled.includes(`Bearer ${app.testKey.key}"`), filled)
  await page.locator('#createAgent').getByRole('button', { name: 'Copy' }).first().click()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), filled)
  await page.locator('#createAgent').getByRole('button', { name: 'TypeScript' }).click()
  assert.ok((await sample.innerText()).includes(`apiKey: '${app.testKey.key}', baseUrl: 'http://127.`))
  assert.equal(await page.evaluate(`JSON.stringify(localStorage).includes('${app.testKey.key}')`), false)
  // It is of no use as a key, and would end the text that it stands in.
  await page.getByRole('textbox', { name: 'API key', exact: true }).fill(`'; alert(1); '`)
  assert.match(await sample.innerText(), /apiKey: process\.env\.KEY/)
  assert.deepEqual(
    sent.filter(request => request.includes(app.testKey.key)),
    [],
  )
})

test('a key that is made on the page is filled in', async context => {
  const { app, open } = await start(context)
  const page = await open('/docs/api-keys')
  await page.getByRole('textbox', { name: 'API key', exact: true }).fill(app.testKey.key)
  const form = page.locator('#createApiKey .try')
  await form.getByText('Try it').click()
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('This page now uses the new key.').waitFor()
  const key = await page.getByRole('textbox', { name: 'API key', exact: true }).inputValue()
  assert.match(key, /^sk_test_\w{43,}$/)
  assert.notEqual(key, app.testKey.key)
  assert.ok((await page.locator('#listApiKeys .languages pre:visible').innerText()).includes(key))
})

test('a call can be made from the page, and its reply is shown', async context => {
  const { app, open } = await start(context)
  const page = await open('/docs/workspace')
  await page.getByRole('textbox', { name: 'API key', exact: true }).fill(app.testKey.key)
  const form = page.locator('#getMe .try')
  await form.getByText('Try it').click()
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('"environment": "test"').waitFor()
})

test('a link from the time of one page leads to where the operation is now', async context => {
  const { open } = await start(context)
  const page = await open('/docs#searchKnowledge')
  await page.waitForURL(/\/docs\/search#searchKnowledge$/)
})

test('a link to an operation shows it at the top, and a printed page has its samples whole', async context => {
  const { open } = await start(context)
  const page = await open('/docs/documents#putDocument')
  const headHeight = await page.evaluate<number>("document.querySelector('header').offsetHeight")
  const isAtTop = async (id: string) => {
    const top = await page.evaluate<number>(`document.getElementById('${id}').getBoundingClientRect().top`)
    assert.ok(top >= headHeight && top < headHeight + 40, `${id} is at ${top}`)
  }
  await isAtTop('putDocument')
  await page.locator('nav a[href="#retryDocument"]').click()
  await isAtTop('retryDocument')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.locator('header').isVisible(), false)
  const cut = await page.evaluate<string[]>(
    "[...document.querySelectorAll('pre')].filter(one => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)",
  )
  assert.deepEqual(cut, [])
})

const checked = [
  '/docs',
  '/docs/runs',
  '/docs/documents',
  '/docs/received-events',
  '/docs/guides/errors',
  '/docs/contract',
]

test('the pages hold on narrow screens, in both themes, and for axe', manyPages, async context => {
  const { revisit } = await start(context)
  for (const path of checked) {
    const name = path.slice(1).replaceAll('/', '-')
    await checkPage({ revisit: (address, options) => revisit(address, options) }, name, path, { as: null })
  }
})

test('every page of the reference is as wide as a phone', manyPages, async context => {
  const { app, open, origin } = await start(context)
  const page = await open('/docs', { width: 360 })
  const list = await app.app.server.inject('/llms.txt')
  const wide: string[] = []
  for (const [, address = ''] of list.payload.matchAll(/\((\/docs\/[\w/-]+)\.md\)/g)) {
    await page.goto(origin + address.replace('/index', ''))
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (overflow > 0) wide.push(`${address}: ${overflow} px`)
  }
  assert.deepEqual(wide, [])
})
