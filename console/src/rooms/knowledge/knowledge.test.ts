/** Knowledge in a real browser: documents read where they are cited, found, changed, deleted and brought back. */
import assert from 'node:assert/strict'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { sendBatch } from '../../../../server/src/testing/knowledge/batches.ts'
import {
  createCollection,
  documentOf,
  putAndWait,
  uploadAndWait,
} from '../../../../server/src/testing/knowledge/knowledge.ts'
import { pdfOf } from '../../../../server/src/testing/knowledge/sample-files.ts'
import { startConsole } from '../../../testing/console-app.ts'
import { checkAccessible, picture, row, showsRows } from '../../../testing/page-checks.ts'

test('a document shows the cited passage marked, its versions can be read and restored, its details changed, its file saved', async context => {
  const { app, open } = await startConsole(context)
  const collectionId = await createCollection(app)
  const filler = 'Nothing to see in this line. '.repeat(2_000)
  const quote = 'Everybody has 28 days 🏖️ of paid leave a year.'
  const text = `🌍 ${filler}\n\n${quote}\n\n${filler}`
  const send = (content: string) =>
    putAndWait(app, { collectionId, externalId: 'leave', name: 'leave.txt', content })
  const { id } = await send(text)
  const content = await app.request('GET', `/knowledge/documents/${id}/content`)
  const before: string = content.body.data.text.split(quote)[0]
  const from = Array.from(before).length
  const to = from + Array.from(quote).length
  const page = await open(`/knowledge/documents/${id}?version=1&from=${from}&to=${to}`)
  const mark = page.locator('mark')
  await mark.waitFor()
  assert.equal(await mark.textContent(), quote)
  await page.waitForFunction("document.activeElement?.tagName === 'MARK'")
  const box = await mark.boundingBox()
  assert.ok(box !== null && box.y > 0 && box.y < 800, 'the passage is in view')
  await checkAccessible(page)
  await picture(page, 'document-cited')
  await page.getByRole('button', { name: 'Later' }).click()
  await page.getByText(/Characters .* of/).waitFor()
  await page.getByRole('button', { name: 'Later' }).waitFor()

  await page.goto(page.url().replace(/\?.*/, '?from=900000&to=900010'))
  await page.getByRole('button', { name: 'Show it from its beginning' }).click()
  await page.getByText(/Characters 1–/).waitFor()
  await page.goto(page.url().replace(/\?.*/, `?version=1&from=${from}&to=${to}`))

  await send('Everybody has 30 days of paid leave a year.')
  await page.reload()
  await page.getByText('This is version 1').waitFor()
  assert.equal(await mark.textContent(), quote)
  await page.getByRole('button', { name: 'Show the present version' }).click()
  await page.getByText('Everybody has 30 days').waitFor()

  await page.getByRole('tab', { name: 'Versions' }).click()
  await row(page, 'Version 2').getByText('Found by searches').waitFor()
  await picture(page, 'document-versions')
  await page.getByRole('button', { name: 'Actions for version 1' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await row(page, 'Version 3').getByText('Found by searches').waitFor()
  assert.equal((await documentOf(app, id)).sizeBytes, Buffer.byteLength(text))

  await page.getByRole('button', { name: 'Actions for version 2' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download its file' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'leave.txt')
  assert.equal(
    await readText(await download.createReadStream()),
    'Everybody has 30 days of paid leave a year.',
  )

  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Leave and holidays')
  await page.getByRole('button', { name: 'Add a field' }).click()
  await page.getByLabel('Name of field 1').fill('year')
  await page.getByLabel('Kind of field 1').selectOption('Number')
  await page.getByLabel('Value of field 1').fill('20x')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“year” is no number: 20x').waitFor()
  await page.getByLabel('Value of field 1').fill('2027')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Leave and holidays' }).waitFor()
  assert.deepEqual((await documentOf(app, id)).metadata, { year: 2027 })
})

test('changing the title of a document leaves its metadata as it is, and a list is edited line by line', async context => {
  const { app, open } = await startConsole(context)
  const collectionId = await createCollection(app)
  const metadata = { authors: ['Doe, Jane', 'Roe, Rick'], note: ' indented' }
  const { id } = await uploadAndWait(app, {
    collectionId,
    name: 'leave.txt',
    content: 'Leave is paid.',
    fields: { metadata: JSON.stringify(metadata) },
  })
  const page = await open(`/knowledge/documents/${id}?tab=details`)
  await page.getByLabel('Title', { exact: true }).fill('Leave')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Leave', exact: true }).waitFor()
  assert.deepEqual((await documentOf(app, id)).metadata, metadata)

  await page.getByLabel('Value of field 1').press('End')
  await page.keyboard.type('\nPoe, Pat')
  await checkAccessible(page)
  await picture(page, 'document-list')
  const saved = page.waitForResponse(reply => reply.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Save' }).click()
  await saved
  assert.deepEqual((await documentOf(app, id)).metadata, {
    authors: ['Doe, Jane', 'Poe, Pat', 'Roe, Rick'],
    note: ' indented',
  })
})

test('what is deleted can be brought back from the message and from the trash: a document, many of them, a collection', async context => {
  const { app, open } = await startConsole(context)
  const collectionId = await createCollection(app)
  for (const name of ['one.txt', 'two.txt', 'three.txt'])
    await uploadAndWait(app, { collectionId, name, content: `This is ${name}.` })
  const total = async () => (await app.request('GET', '/knowledge/documents')).body.meta.total
  const page = await open(`/knowledge/collections/${collectionId}`)

  await page.getByRole('button', { name: 'Actions for one.txt' }).click()
  await page.getByRole('menuitem', { name: 'Move to the trash' }).click()
  await page.getByText('“one.txt” is in the trash').waitFor()
  await row(page, 'one.txt').waitFor({ state: 'detached' })
  assert.equal(await total(), 2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await row(page, 'one.txt').waitFor()

  await page.getByLabel('Choose all on this page').check()
  await page.getByLabel('Choose two.txt').uncheck()
  await page.getByRole('button', { name: 'Move 2 documents to the trash' }).click()
  await page.getByText('2 documents are in the trash').waitFor()
  await row(page, 'three.txt').waitFor({ state: 'detached' })
  await picture(page, 'collection-bulk-deleted')
  await page.getByRole('button', { name: 'Undo' }).click()
  await row(page, 'three.txt').waitFor()
  assert.equal(await total(), 3)

  await page.getByRole('button', { name: 'Move to the trash' }).click()
  await page.getByText('“Handbook” is in the trash').waitFor()
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('tab', { name: 'Collections' }).click()
  await page.getByRole('button', { name: 'Restore Handbook' }).click()
  await page.getByText('“Handbook” is back').waitFor()
  assert.equal(await total(), 3)

  await app.request('DELETE', `/knowledge/collections/${collectionId}`)
  await page.getByRole('button', { name: 'Empty the trash' }).click()
  await page.getByLabel('Type erase to confirm').fill('erase')
  await page.getByRole('button', { name: 'Erase everything in it' }).click()
  await page.getByText('The trash is being emptied').waitFor()
  assert.equal((await app.request('GET', '/knowledge/trash/collections')).body.meta.total, 0)
})

test('a search shows passages with their words marked and what their score is made of, and opens the passage', async context => {
  const { app, open } = await startConsole(context)
  const collectionId = await createCollection(app)
  await createCollection(app, undefined, 'Recipes')
  await uploadAndWait(app, {
    collectionId,
    name: 'leave.md',
    content: '# Leave\n\n🏖️ Everybody has 28 days of paid leave a year.',
    fields: { metadata: JSON.stringify({ department: 'people' }) },
  })
  const page = await open('/knowledge/search')
  await page.getByLabel('Question or words').fill('paid leave')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '1 result' }).waitFor()
  const marks = await page.locator('mark').allTextContents()
  assert.ok(marks.includes('paid') && marks.some(word => /^leave$/i.test(word)), marks.join())
  await page.getByRole('switch', { name: 'Explain the order' }).click()
  await page.getByText(/Words: place 1, score/).waitFor()
  await page.getByText('in the title').first().waitFor()
  await checkAccessible(page)
  await picture(page, 'search-explained')

  await page.getByText('Narrow by metadata').click()
  await page.getByLabel('Filter').fill('{"field": "department"')
  await page.getByText('This is no JSON yet.').waitFor()
  await page.getByLabel('Filter').fill('{"field": "department", "op": "eq", "value": "sales"}')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByText('Nothing was found').waitFor()
  await page.getByLabel('Filter').fill('')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('link', { name: 'Leave' }).click()
  await page.getByRole('article', { name: 'Text' }).locator('mark').waitFor()
  assert.match(page.url(), /version=1&from=\d+&to=\d+/)
})

test('a long list of documents is paged, and the page and the status stand in the address', async context => {
  const { app, open } = await startConsole(context)
  const collectionId = await createCollection(app)
  const files = Array.from({ length: 23 }, (_, place) => ({
    name: `note-${place}.txt`,
    content: `Note ${place}.`,
  }))
  assert.equal((await sendBatch(app, collectionId, files)).status, 200)
  const page = await open(`/knowledge/collections/${collectionId}`)
  await page.getByText('1–20 of 23').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('21–23 of 23').waitFor()
  assert.match(page.url(), /page=2/)
  await row(page, 'note-0.txt').getByText('Ready', { exact: true }).waitFor()
  await showsRows(page, 4)
  await page.getByLabel('Status').selectOption('Ready')
  await page.getByText('1–20 of 23').waitFor()
  assert.match(page.url(), /\?status=ready$/)
  await page.reload()
  await page.getByText('1–20 of 23').waitFor()
  await page.getByLabel('Status').selectOption('Failed')
  await page.getByText('No matching documents').waitFor()
})

test('a document says what was not read of its file', async context => {
  const { app, open } = await startConsole(context)
  const collectionId = await createCollection(app)
  const { id } = await uploadAndWait(app, {
    collectionId,
    name: 'scans.pdf',
    content: pdfOf('The first page.', '', 'The third page.', ''),
  })
  const page = await open(`/knowledge/documents/${id}`)
  await page.getByText('Not everything in this file was read').waitFor()
  await page.getByText('2 pages have no text (pages 2, 4)').waitFor()
  await checkAccessible(page)
  await picture(page, 'document-warnings')
})
