/** Files on their way into a collection, in a real browser: dropped, chosen, zipped, interrupted, refused. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createCollection } from '../../../../../server/src/testing/knowledge/knowledge.ts'
import { zipOf } from '../../../../../server/src/testing/knowledge/sample-files.ts'
import { startConsole } from '../../../../testing/console-app.ts'
import { dropFiles } from '../../../../testing/drop-files.ts'
import { checkAccessible, picture, row, showsRows } from '../../../../testing/page-checks.ts'

const choose = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.getByLabel('Files to upload').setInputFiles({ name, mimeType: '', buffer })

test('a collection is made by its form; files that are dropped, chosen and zipped are stored, read and counted, and what fails says why', async context => {
  const { app, open } = await startConsole(context)
  const page = await open('/knowledge')
  await page.getByText('No collections yet').waitFor()
  await page.getByRole('link', { name: 'Create a collection' }).first().click()
  await page.getByLabel('Name').fill('Handbook')
  await page.getByLabel('Description').fill('How we work.')
  await page.getByRole('button', { name: 'Create the collection' }).click()
  await page.getByRole('heading', { name: 'Handbook' }).waitFor()
  await page.getByText('No documents yet').waitFor()
  await picture(page, 'collection-empty')

  await dropFiles(page, [
    { name: 'leave.md', content: '# Leave\n\nEverybody has 28 days of paid leave a year.' },
    { name: 'blank.txt', content: '   ' },
    { name: 'picture.png', content: '\u0089PNG\r\n\u001a\n' },
  ])
  await row(page, 'Leave').getByText('Ready', { exact: true }).waitFor()
  await row(page, 'blank.txt').getByText('Failed', { exact: true }).waitFor()
  await page.getByText('1 document failed').waitFor()
  const uploads = page.getByRole('region', { name: /Uploads done/ })
  await uploads.getByText('Stored').first().waitFor()
  await picture(page, 'collection-uploaded')

  await choose(
    page,
    'travel.zip',
    zipOf({
      'travel/trains.md': '# Trains\n\nSecond class is paid for.',
      'travel/taxi.txt': 'Taxis at night.',
    }),
  )
  await uploads.getByText('2 files: 2 new').waitFor()
  await dropFiles(page, [
    { name: 'leave.md', content: '# Leave\n\nEverybody has 30 days of paid leave a year.' },
  ])
  await uploads.getByText('New version').waitFor()
  await row(page, 'Leave').getByText('Version 2').waitFor()

  await page.getByRole('button', { name: 'Show it' }).click()
  await row(page, 'blank.txt')
    .getByText(/There is no text in the file/)
    .waitFor()
  await showsRows(page, 2)
  assert.match(page.url(), /status=failed/)
  await page.getByRole('button', { name: 'Try it again' }).click()
  await page.getByText('1 document will be tried again').waitFor()
  await page.getByLabel('Status').selectOption('Every status')
  await page.getByLabel('Name or title has').fill('TRAINS')
  await page.keyboard.press('Enter')
  await row(page, 'Trains').waitFor()
  await showsRows(page, 2)

  const { body } = await app.request('GET', '/knowledge/documents')
  assert.equal(body.meta.total, 4)
})

test('a large upload whose line breaks in the middle waits, says so, and goes on from there, without a byte lost', async context => {
  const started = await startConsole(context)
  const { app, open } = started
  // What the browser says of a line that is cut.
  started.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const collectionId = await createCollection(app)
  const page = await open(`/knowledge/collections/${collectionId}`)
  const lines = Array.from({ length: 60_000 }, (_, place) => `Line ${place} of a long report.`)
  const content = Buffer.from(lines.join('\n'))
  let pieces = 0
  await page.route('**/api/v1/knowledge/uploads/*', async route => {
    if (route.request().method() !== 'PATCH') return route.continue()
    pieces += 1
    if (pieces === 3) {
      await page.context().setOffline(true)
      return route.abort('internetdisconnected')
    }
    return route.continue()
  })
  await choose(page, 'report.txt', content)
  await page.getByText(/The line is broken at \d+ %; it goes on by itself from there/).waitFor()
  await checkAccessible(page)
  await picture(page, 'upload-interrupted')
  const before = pieces
  await page.context().setOffline(false)
  await page.getByText('Stored', { exact: true }).waitFor()
  const { body } = await app.request('GET', '/knowledge/documents')
  const [document] = body.data
  assert.equal(document.name, 'report.txt')
  assert.equal(document.sizeBytes, content.length)
  assert.equal(document.sha256, createHash('sha256').update(content).digest('hex'))
  assert.ok(pieces - before <= Math.ceil(content.length / (256 * 1024)), 'it has not started over')
  assert.equal(body.meta.total, 1)
})

test('a large upload that a reload has ended goes on where it was, once the same file is chosen again', async context => {
  const started = await startConsole(context)
  const { app, open } = started
  started.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const collectionId = await createCollection(app)
  const page = await open(`/knowledge/collections/${collectionId}`)
  const buffer = Buffer.from('All work and no play. '.repeat(60_000))
  let pieces = 0
  await page.route('**/api/v1/knowledge/uploads/*', route => {
    if (route.request().method() !== 'PATCH') return route.continue()
    pieces += 1
    return pieces === 4 ? route.abort('internetdisconnected') : route.continue()
  })
  // A file on disk keeps its modification time; a file made again would have a new one.
  const path = await fileOf(context, 'play.txt', buffer)
  await page.getByLabel('Files to upload').setInputFiles(path)
  await page.getByText(/The line is broken/).waitFor()
  page.on('dialog', dialog => void dialog.accept())
  await page.reload()
  await page.getByRole('heading', { name: 'Documents', exact: true }).waitFor()
  const offsets: string[] = []
  page.on('request', request => {
    if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '')
  })
  await page.getByLabel('Files to upload').setInputFiles(path)
  await page.getByText('Stored', { exact: true }).waitFor()
  assert.ok(Number(offsets[0]) > 0, `the first piece begins at ${offsets[0]}`)
  assert.equal((await app.request('GET', '/knowledge/uploads')).body.data.length, 1)
})

test('a small file whose reply was lost is stored once, and an upload that is cancelled leaves nothing behind', async context => {
  const started = await startConsole(context)
  const { app, open } = started
  started.expect(/ERR_CONNECTION_RESET|ERR_FAILED/)
  const collectionId = await createCollection(app)
  const page = await open(`/knowledge/collections/${collectionId}`)
  await page.getByLabel('A file of the same name becomes a new version').uncheck()
  let sent = 0
  await page.route('**/api/v1/knowledge/documents/batch', async route => {
    sent += 1
    if (sent > 1) return route.continue()
    await route.fetch()
    return route.abort('connectionreset')
  })
  await dropFiles(page, [{ name: 'leave.txt', content: 'Leave is paid.' }])
  await page.getByText('The line is broken; it goes on by itself').waitFor()
  await page.getByText('Stored', { exact: true }).waitFor()
  assert.equal(sent, 2)
  assert.equal((await app.request('GET', '/knowledge/documents')).body.meta.total, 1)

  await page.route('**/api/v1/knowledge/uploads/*', route =>
    route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
  )
  await choose(page, 'long.txt', Buffer.alloc(600_000, 'a'))
  await page.getByText(/The line is broken at 0 %/).waitFor()
  const deleted = page.waitForResponse(reply => reply.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Cancel long.txt' }).click()
  await page.getByText('Cancelled').waitFor()
  assert.equal((await deleted).status(), 204)
  assert.equal((await app.request('GET', '/knowledge/uploads')).body.meta.total, 0)
  await page.getByRole('button', { name: 'Clear the list' }).click()
  await page.getByText('Cancelled').waitFor({ state: 'detached' })
})

test('cancelling one of several small files sends the others all the same', async context => {
  const { app, open } = await startConsole(context)
  const collectionId = await createCollection(app)
  const page = await open(`/knowledge/collections/${collectionId}`)
  let requests = 0
  await page.route('**/api/v1/knowledge/documents/batch', route => {
    requests += 1
    // The first request stays on its way until the page ends it.
    return requests === 1 ? undefined : route.continue()
  })
  await dropFiles(page, [
    { name: 'leave.txt', content: 'Leave is paid.' },
    { name: 'secret.txt', content: 'This was a mistake.' },
    { name: 'travel.txt', content: 'Trains are paid for.' },
  ])
  await page.getByText('Uploading', { exact: true }).nth(2).waitFor()
  await page.getByRole('button', { name: 'Cancel secret.txt' }).click()
  await page.getByRole('region', { name: 'Uploads done' }).waitFor()
  assert.equal(await page.getByText('Stored', { exact: true }).count(), 2)
  assert.equal(await page.getByText('Cancelled').count(), 1)
  const { body } = await app.request('GET', '/knowledge/documents')
  const names = body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(names.sort(), ['leave.txt', 'travel.txt'])
})

async function fileOf(context: TestContext, name: string, content: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-upload-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}
