/** Webhooks in a real browser: an endpoint made, verified by the pasted receiver, tested, replayed, rotated, disabled, deleted. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../../server/src/testing/eventually.ts'
import { startWebhookReceiver } from '../../../../server/src/testing/servers/webhook-receiver.ts'
import { startConsole } from '../../../testing/console-app.ts'
import { checkAccessible, checkPage, manyPages } from '../../../testing/page-checks.ts'

/** Receivers of these tests are on loopback, which is refused unless the operator allows it. */
const settings = { ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' }

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  await new Promise(done => server.close(done))
  return address.port
}

/** The program as a person would paste it into a file and start it; resolves once it listens. */
async function startPasted(context: TestContext, program: string, port: number): Promise<() => string> {
  const folder = await mkdtemp(join(tmpdir(), 'receiver-'))
  await writeFile(join(folder, 'receiver.mjs'), program)
  const child = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
    env: { ...process.env, PORT: String(port) },
  })
  let said = ''
  child.stdout.on('data', chunk => {
    said += String(chunk)
  })
  context.after(async () => {
    child.kill()
    await rm(folder, { recursive: true })
  })
  await eventually('the pasted receiver listens', async () => {
    const reply = await fetch(`http://127.0.0.1:${port}`, { method: 'POST' }).catch(() => null)
    // Without a signature it refuses.
    return reply?.status === 400
  })
  return () => said
}

test('an endpoint is made, the receiver that is shown with its secret verifies a test, and each attempt can be read', async context => {
  const { open } = await startConsole(context, { settings })
  const port = await freePort()
  const page = await open('/webhooks')
  await page.getByRole('link', { name: 'Create an endpoint' }).first().click()
  await page.getByLabel('Address').fill(`http://127.0.0.1:${port}/hooks`)
  await page.getByLabel('Some types').check()
  await page.getByLabel('An agent has answered').check()
  await page.getByRole('button', { name: 'Create the endpoint' }).click()
  const secret = await page.getByLabel('Signing secret', { exact: true }).inputValue()
  assert.match(secret, /^whsec_/)
  await page.getByRole('button', { name: 'Copy the A receiver for Node, without a package' }).click()
  const said = await startPasted(context, await page.evaluate<string>('navigator.clipboard.readText()'), port)
  await checkAccessible(page)
  await page.getByRole('link', { name: 'I have kept it' }).click()

  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test is delivered').waitFor()
  await eventually('the receiver tells of it', () => /webhook\.test/.test(said()))
  await page.getByRole('link', { name: 'webhook.test' }).click()
  await page.getByRole('heading', { name: 'Attempt 1' }).waitFor()
  await page.getByText(/^POST http:\/\/127\.0\.0\.1/).waitFor()
  await page.getByText('204', { exact: true }).waitFor()
  await checkAccessible(page)
  const first = page.url()
  await page.getByRole('button', { name: 'Deliver again' }).click()
  await page.getByText('Delivered again', { exact: true }).waitFor()
  await page.getByText('Delivered', { exact: true }).waitFor()
  assert.notEqual(page.url(), first)
})

test('an endpoint is replayed after its count, edited, rotated with an overlap, disabled with a way back, and deleted', async context => {
  const { app, open } = await startConsole(context, { settings })
  const receiver = await startWebhookReceiver()
  context.after(receiver.close)
  for (const name of ['Handbook', 'Contracts']) {
    const { body } = await app.request('POST', '/knowledge/collections', { body: { name } })
    await app.request('DELETE', `/knowledge/collections/${body.data.id}`)
  }
  const { body } = await app.request('POST', '/webhooks', { body: { url: `${receiver.origin}/late` } })
  const page = await open(`/webhooks/${body.data.id}`)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }

  await choose('Replay a time…')
  await page.getByRole('button', { name: 'Count the events' }).click()
  const counted = page.getByText(/^\d+ events would be sent to the endpoint\.$/)
  await counted.waitFor()
  const told = Number.parseInt(await counted.innerText(), 10)
  assert.ok(told >= 2, `${told} events`)
  assert.equal(receiver.received.length, 0)
  await checkAccessible(page)
  await page.getByRole('button', { name: 'Send them again' }).click()
  await page.getByText(`${told} events are sent again`).waitFor()
  await receiver.until('/late', told)

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('What it is for').fill('The help desk')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('#main').getByText('The help desk').waitFor()

  await choose('Rotate the secret…')
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  const renewed = await page.getByLabel('Signing secret', { exact: true }).inputValue()
  assert.notEqual(renewed, body.data.secret)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByText('Signs too, until').waitFor()

  await choose('Disable')
  await page.getByText('Disabled by a person').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Disabled by a person').waitFor({ state: 'hidden' })

  await choose('Delete…')
  await page.getByRole('button', { name: 'Delete the endpoint' }).click()
  await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor()
  assert.equal((await app.request('GET', `/webhooks/${body.data.id}`)).status, 404)
})

test(
  'the pages of the webhooks hold on narrow screens, in both themes, and for axe',
  manyPages,
  async context => {
    const started = await startConsole(context, { settings })
    const { app } = started
    await checkPage(started, 'webhooks-empty', '/webhooks')
    // No server listens on this port.
    const url = `http://127.0.0.1:${await freePort()}/hooks/of/a/program/with/quite/a/long/address`
    const { body } = await app.request('POST', '/webhooks', { body: { url, description: 'The help desk' } })
    const { id } = body.data
    const { body: sent } = await app.request('POST', `/webhooks/${id}/test`)
    await checkPage(started, 'webhooks', '/webhooks')
    await checkPage(started, 'webhook-new', '/webhooks/new')
    await checkPage(started, 'webhook', `/webhooks/${id}`)
    await checkPage(started, 'webhook-delivery', `/webhooks/${id}/deliveries/${sent.data.id}`)
  },
)
