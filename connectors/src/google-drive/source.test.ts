import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userRateLimit } from '../../../server/src/testing/peers/google-drive.ts'
import { htmlPage, interruptTimes, outOfOrder } from '../../../server/src/testing/peers/loopback-peer.ts'
import { connectDrive } from '../testing/drive.ts'
import { isFailure } from '../testing/is-failure.ts'
import { fetchItem, listSource } from '../testing/run-source.ts'
import { googleDrive } from './connector.ts'

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const day = 24 * 3_600_000

test('files and Google documents are synced with who wrote them, who may read them and where they are', async t => {
  const { drive, mirror } = await connectDrive(t)
  const plan = drive.put({
    name: 'plan.md',
    mimeType: 'text/markdown',
    content: '# The plan',
    permissions: [
      { id: '1', type: 'user', role: 'owner', emailAddress: 'Ada@example.com' },
      { id: '2', type: 'group', role: 'reader', emailAddress: 'team@example.com' },
      { id: '3', type: 'domain', role: 'reader', domain: 'example.com' },
      { id: '4', type: 'anyone', role: 'reader' },
      { id: '5', type: 'user', role: 'reader', emailAddress: 'gone@example.com', deleted: true },
    ],
  })
  const notes = drive.putGoogleFile('document', { name: 'Notes 1/2', exports: { [docx]: 'word' } })
  const budget = drive.putGoogleFile('spreadsheet', { name: 'Budget', exports: { [xlsx]: 'excel' } })
  assert.deepEqual(await mirror.sync(), { added: 3, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  const document = mirror.documents.get(plan)
  assert.equal(document?.text, '# The plan')
  assert.deepEqual(document?.metadata, {
    url: `https://drive.google.com/file/d/${plan}/view?usp=drivesdk`,
    author: 'ada@example.com',
    createdAt: drive.files.get(plan)?.createdTime,
    updatedAt: drive.files.get(plan)?.modifiedTime,
    readers: ['domain:example.com', 'everyone', 'group:team@example.com', 'user:ada@example.com'],
  })
  assert.equal(mirror.documents.get(notes)?.fileName, 'Notes 1-2.docx')
  assert.equal(mirror.documents.get(notes)?.mediaType, docx)
  assert.equal(mirror.documents.get(budget)?.fileName, 'Budget.xlsx')
})

test('a sync without changes fetches nothing, and one with changes only what changed', async t => {
  const { drive, mirror, names } = await connectDrive(t)
  const [kept, edited, renamed, shared, gone, trashed] = ['a', 'b', 'c', 'd', 'e', 'f'].map(name =>
    drive.put({ name: `${name}.txt`, content: name }),
  ) as [string, string, string, string, string, string]
  await mirror.sync()
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  drive.edit(edited, { content: 'b2' })
  drive.edit(renamed, { name: 'c2.txt' })
  drive.edit(shared, { permissions: [{ id: '9', type: 'anyone', role: 'reader' }] })
  drive.erase(gone)
  drive.trash(trashed)
  drive.put({ name: 'g.txt' })
  assert.deepEqual(await mirror.sync(), { added: 1, changed: 3, unchanged: 0, deleted: 2, failed: 0 })
  assert.deepEqual(names(), ['a.txt', 'b.txt', 'c2.txt', 'd.txt', 'g.txt'])
  assert.equal(mirror.documents.get(edited)?.text, 'b2')
  assert.deepEqual(mirror.documents.get(shared)?.metadata?.readers, ['everyone'])
  assert.ok(mirror.documents.has(kept))
  assert.deepEqual(await mirror.sync({ full: true }), {
    added: 0,
    changed: 0,
    unchanged: 5,
    deleted: 0,
    failed: 0,
  })
})

test('shared drives are read by their own logs, also where a file moves from one log to another', async t => {
  const { drive, mirror, names } = await connectDrive(t)
  drive.addDrive('0ATeamDrive')
  const inDrive = drive.put({ name: 'team.txt', parent: '0ATeamDrive', content: 'one' })
  const moving = drive.put({ name: 'moving.txt', content: 'mine' })
  await mirror.sync()
  assert.deepEqual(names(), ['moving.txt', 'team.txt'])
  drive.edit(inDrive, { content: 'two' })
  drive.moveToDrive(moving, '0ATeamDrive')
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 2, unchanged: 0, deleted: 0, failed: 0 })
  assert.equal(mirror.documents.get(inDrive)?.text, 'two')
  drive.addDrive('0AOtherDrive')
  drive.put({ name: 'other.txt', parent: '0AOtherDrive' })
  await mirror.sync()
  assert.deepEqual(names(), ['moving.txt', 'other.txt', 'team.txt'])
  drive.leaveDrive('0ATeamDrive')
  assert.equal((await mirror.sync()).deleted, 2)
  assert.deepEqual(names(), ['other.txt'])
})

test('who may read a file of a shared drive is left open where the account may not see it', async t => {
  const { drive, mirror, peer } = await connectDrive(t)
  drive.addDrive('0ATeamDrive')
  const permissions = [{ id: '7', type: 'user', role: 'reader', emailAddress: 'bob@example.com' }] as const
  const file = drive.put({ name: 'team.txt', parent: '0ATeamDrive', permissions: [...permissions] })
  await mirror.sync()
  assert.deepEqual(mirror.documents.get(file)?.metadata?.readers, ['user:bob@example.com'])
  peer.mayListPermissions = false
  drive.edit(file, { content: 'changed' })
  await mirror.sync()
  assert.equal(mirror.documents.get(file)?.metadata?.readers, undefined)
})

test('a folder in the trash takes all that it held along, and gives it back', async t => {
  const { drive, mirror, names } = await connectDrive(t)
  const outer = drive.putFolder('outer')
  const inner = drive.putFolder('inner', outer)
  drive.put({ name: 'deep.txt', parent: inner })
  drive.put({ name: 'top.txt' })
  await mirror.sync()
  drive.trash(outer)
  assert.equal((await mirror.sync()).deleted, 1)
  assert.deepEqual(names(), ['top.txt'])
  for (const file of drive.files.values()) file.trashed = false
  drive.edit(outer, {})
  await mirror.sync()
  assert.deepEqual(names(), ['deep.txt', 'top.txt'])
})

test('a document too large for its format is exported as text, and one too large for any fails alone', async t => {
  const { drive, mirror } = await connectDrive(t)
  const long = drive.putGoogleFile('document', {
    name: 'Long',
    exports: { [docx]: null, 'text/plain': 'all the words' },
  })
  const huge = drive.putGoogleFile('spreadsheet', { name: 'Huge', exports: { [xlsx]: null } })
  const closed = drive.put({ name: 'closed.pdf', mimeType: 'application/pdf', canDownload: false })
  assert.deepEqual(await mirror.sync(), { added: 1, changed: 0, unchanged: 0, deleted: 0, failed: 2 })
  assert.equal(mirror.documents.get(long)?.fileName, 'Long.txt')
  assert.match(mirror.failures.get(huge)?.message ?? '', /^Huge: Google exports at most 10 MB$/)
  assert.match(mirror.failures.get(closed)?.message ?? '', /does not let this account download/)
})

test('what no document can be made of is left out: films, pictures, forms, folders, shortcuts', async t => {
  const { drive, mirror, names } = await connectDrive(t)
  drive.put({ name: 'film.mp4', mimeType: 'video/mp4' })
  drive.put({ name: 'photo.jpg', mimeType: 'image/jpeg' })
  drive.putGoogleFile('form', { name: 'Survey' })
  const text = drive.put({ name: 'notes.md', mimeType: 'application/octet-stream' })
  drive.put({ name: 'program.exe', mimeType: 'application/octet-stream' })
  drive.putShortcut(text, drive.putFolder('folder'))
  await mirror.sync()
  assert.deepEqual(names(), ['notes.md'])
})

test('a long drive is read page by page, also after the tokens of its pages have expired', async t => {
  const { drive, peer, context, mirror, names } = await connectDrive(t)
  peer.rowsPerPage = 2
  for (let i = 0; i < 25; i++) drive.put({ name: `${i}.txt` })
  const first = await googleDrive.source?.list(context, { since: null, page: null })
  assert.ok(first?.nextPage)
  peer.forgetTokens()
  const again = await googleDrive.source?.list(context, { since: null, page: first.nextPage })
  assert.equal(again?.items.length, 18)
  await mirror.sync()
  assert.equal(names().length, 25)
})

test('a change log that Google has forgotten, and one of more than a week ago, lead to a listing of everything', async t => {
  const { drive, peer, context, mirror, pass } = await connectDrive(t)
  drive.put({ name: 'a.txt' })
  await mirror.sync()
  peer.forgetTokens()
  assert.ok((await listSource(googleDrive, context, mirror.since)).startsOver)
  assert.equal((await mirror.sync()).unchanged, 1)
  assert.ok(!(await listSource(googleDrive, context, mirror.since)).startsOver)
  pass(8 * day)
  assert.ok((await listSource(googleDrive, context, mirror.since)).startsOver)
})

test('a refusal for the rate counts as one although its status is 403', async t => {
  const { drive, peer, context, mirror } = await connectDrive(t)
  drive.put({ name: 'a.txt' })
  peer.interrupt = interruptTimes(2, userRateLimit)
  assert.equal((await mirror.sync()).added, 1)
  assert.deepEqual(context.pauses, [500, 1_000])
  peer.interrupt = () => userRateLimit
  await assert.rejects(mirror.sync(), isFailure('rate_limited'))
})

test('a revoked token, a page of HTML and a service that is down each end the sync with their own word', async t => {
  const { peer, mirror, drive } = await connectDrive(t)
  drive.put({ name: 'a.txt' })
  const ends = (kind: string) => assert.rejects(mirror.sync(), isFailure(kind))
  peer.accepts = () => false
  await ends('not_authorized')
  peer.accepts = () => true
  peer.interrupt = () => htmlPage
  await ends('unexpected_reply')
  peer.interrupt = () => outOfOrder
  await ends('unavailable')
  assert.equal(mirror.documents.size, 0)
})

test('a refusal that is not an absence never counts as one', async t => {
  const { peer, mirror, drive, context } = await connectDrive(t)
  const id = drive.put({ name: 'a.txt', content: 'here' })
  await mirror.sync()
  const error = { errors: [{ domain: 'usageLimits', reason: 'accessNotConfigured', message: 'No.' }] }
  peer.interrupt = () => ({ status: 403, json: { error: { ...error, code: 403, message: 'No.' } } })
  await assert.rejects(fetchItem(googleDrive, context, { id, version: '2' }), { kind: 'forbidden' })
  await assert.rejects(mirror.sync({ full: true }), { kind: 'forbidden' })
  assert.equal(mirror.documents.size, 1)
})

test('a listing of which Google says that it is not whole is not taken for one', async t => {
  const { peer, mirror } = await connectDrive(t)
  peer.interrupt = ({ path }) =>
    path === '/drive/v3/files' ? { json: { files: [], incompleteSearch: true } } : null
  await assert.rejects(mirror.sync(), { kind: 'unavailable' })
})

test('the account is named by its address', async t => {
  const { context } = await connectDrive(t)
  assert.deepEqual(await googleDrive.check(context), { id: '09876', name: 'ada@example.com' })
})

test('a file may take as long as a sync waits for it, everything else the usual time', async t => {
  const { drive, context } = await connectDrive(t)
  const stored = drive.put({ name: 'film.txt', content: 'long' })
  const written = drive.putGoogleFile('document', { name: 'Notes', exports: { [docx]: 'word' } })
  const limits: (number | undefined)[] = []
  const send: typeof context.http.send = (url, request) => {
    limits.push(request?.timeoutMs)
    return context.http.send(url, request)
  }
  const json: typeof context.http.json = (url, request) => {
    assert.equal(request?.timeoutMs, undefined, url)
    return context.http.json(url, request)
  }
  for (const id of [stored, written]) {
    await fetchItem(googleDrive, { ...context, http: { ...context.http, send, json } }, { id, version: '1' })
  }
  assert.deepEqual(limits, [300_000, 300_000])
})
