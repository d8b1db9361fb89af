import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { type BatchArguments, outcomes, sendBatch } from '../../../testing/knowledge/batches.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import { docxOf, docxParagraph, zipOf } from '../../../testing/knowledge/sample-files.ts'
import { zipOfEntries } from '../../../testing/knowledge/zip-entries.ts'
import { startTestApp, type TestApp, type TestReply } from '../../../testing/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'uploadMb=2' } })
})
after(() => app.close())

const send = (collectionId: string, ...rest: BatchArguments): Promise<TestReply> =>
  sendBatch(app, collectionId, ...rest)

const countIn = async (collectionId: string): Promise<number> =>
  (await app.request('GET', `/knowledge/collections/${collectionId}`)).body.data.documentCount

test('a zip becomes its files; folders and what systems put beside them are passed over', async () => {
  const collectionId = await createCollection(app)
  const zip = zipOf({
    'handbook/': '',
    'handbook/leave.md': '# Leave\n\nEverybody has 28 days.',
    'handbook/pay.txt': 'Paid monthly.',
    '__MACOSX/handbook/._leave.md': 'junk',
    'handbook/.DS_Store': 'junk',
    'report.docx': docxOf(docxParagraph('A report within')),
  })
  const expected = ['handbook/leave.md', 'handbook/pay.txt', 'report.docx']
  const first = await send(collectionId, [{ name: 'all.zip', content: zip }])
  assert.deepEqual(outcomes(first), Object.fromEntries(expected.map(name => [name, 'created'])))
  assert.equal(first.body.data.files[0].externalId, 'handbook/leave.md')
  const again = await send(collectionId, [{ name: 'other-name.zip', content: zip }])
  assert.deepEqual(outcomes(again), Object.fromEntries(expected.map(name => [name, 'unchanged'])))
  assert.equal(await countIn(collectionId), 3)
})

test('a Word document among the files is a document, though it is a zip', async () => {
  const collectionId = await createCollection(app)
  const reply = await send(collectionId, [{ name: 'a.docx', content: docxOf(docxParagraph('Text')) }])
  assert.deepEqual(outcomes(reply), { 'a.docx': 'created' })
})

test('entries that must not be taken are refused one by one: paths that lead out, links, locked, nested, forged', async () => {
  const collectionId = await createCollection(app)
  const text = Buffer.from('Some text.')
  const content = zipOfEntries([
    { name: 'good.txt', content: text },
    { name: '../../evil.txt', content: text },
    { name: '/etc/passwd', content: text },
    { name: 'C:\\windows\\evil.txt', content: text },
    { name: 'a\\..\\..\\evil.txt', content: text },
    { name: 'link.txt', content: Buffer.from('/etc/passwd'), attributes: 0o120777 * 0x10000 },
    { name: 'locked.txt', content: text, flags: 1 },
    { name: 'inner.zip', content: zipOf({ 'a.txt': 'x' }) },
    { name: 'imploded.txt', content: text, method: 6 },
    { name: 'forged.txt', content: text, statedBytes: 3 },
    { name: 'wrong.txt', content: text, checksum: 1 },
    { name: 'good.txt', content: Buffer.from('The second of its name.') },
    { name: 'last.txt', content: text },
  ])
  const reply = await send(collectionId, [{ name: 'mixed.zip', content }])
  assert.deepEqual(
    reply.body.data.files.map((file: { name: string; error: { code: string } | null; outcome: string }) => [
      file.name,
      file.error?.code ?? file.outcome,
    ]),
    [
      ['good.txt', 'created'],
      ['../../evil.txt', 'unsafe_name'],
      ['/etc/passwd', 'unsafe_name'],
      ['C:/windows/evil.txt', 'unsafe_name'],
      ['a/../../evil.txt', 'unsafe_name'],
      ['link.txt', 'unsupported_type'],
      ['locked.txt', 'encrypted'],
      ['inner.zip', 'unsupported_media_type'],
      ['imploded.txt', 'unsupported_type'],
      ['forged.txt', 'corrupt'],
      ['wrong.txt', 'corrupt'],
      ['good.txt', 'already_exists'],
      ['last.txt', 'created'],
    ],
  )
  assert.equal(await countIn(collectionId), 2)
})

test('a bomb ends at the bytes that it produces, whatever it states, and the files beside it are taken', async () => {
  const collectionId = await createCollection(app)
  const packed = deflateRawSync(Buffer.alloc(60 * 1024 * 1024, 'a'))
  const bomb = { name: 'bomb.txt', packed, statedBytes: 10, checksum: 0, content: Buffer.alloc(0) }
  const honest = { ...bomb, name: 'honest.txt', statedBytes: 60 * 1024 * 1024 }
  const quiet = { name: 'quiet.txt', content: Buffer.alloc(1_900_000, 'a') }
  const content = zipOfEntries([bomb, honest, quiet, { name: 'small.txt', content: Buffer.from('Small.') }])
  const reply = outcomes(await send(collectionId, [{ name: 'bombs.zip', content }]))
  assert.equal(reply['bomb.txt'], 'corrupt')
  assert.equal(reply['honest.txt'], 'too_large')
  assert.equal(reply['quiet.txt'], 'archive_bomb')
  assert.equal(reply['small.txt'], 'created')
})

test('all entries together have a limit, though each is small enough', async () => {
  const collectionId = await createCollection(app)
  // Hardly to be packed, so that no entry is suspicious by itself: 12 MB in all where 8 are allowed.
  let state = 7
  const noise = Buffer.from(
    Array.from({ length: 1_500_000 }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return 97 + (Math.floor(state / 65_536) % 26)
    }),
  )
  const packed = deflateRawSync(noise)
  const entries = Array.from({ length: 8 }, (_, index) => ({
    name: `${index}.txt`,
    packed,
    content: noise,
    checksum: crc32(noise),
  }))
  const reply = await send(collectionId, [{ name: 'much.zip', content: zipOfEntries(entries) }])
  const { created, rejected } = reply.body.data
  assert.deepEqual([created, rejected], [5, 3])
  assert.ok(
    reply.body.data.files
      .slice(5)
      .every((file: { error: { code: string } }) => file.error.code === 'archive_bomb'),
  )
})

test('an archive of too many files, or one that is damaged, is one rejected file', async () => {
  const collectionId = await createCollection(app)
  const many = zipOfEntries(
    Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}/`, content: Buffer.alloc(0) })),
  )
  const half = zipOf({ 'a.txt': 'A text.' }).subarray(0, 60)
  const reply = await send(collectionId, [
    { name: 'many.zip', content: many },
    { name: 'half.zip', content: half },
    { name: 'good.txt', content: 'Good.' },
  ])
  assert.deepEqual(outcomes(reply), {
    'many.zip': 'archive_bomb',
    'half.zip': 'corrupt',
    'good.txt': 'created',
  })
})

test('an archive whose entries share bytes, or that states fewer than it holds, is one rejected file', async () => {
  const collectionId = await createCollection(app)
  const entries = ['a.txt', 'b.txt', 'c.txt'].map(name => ({ name, content: Buffer.from(`About ${name}.`) }))
  const [first, second, third] = entries
  assert.ok(first && second && third)
  const reply = await send(collectionId, [
    { name: 'same.zip', content: zipOfEntries([first, { ...second, offset: 0 }]) },
    { name: 'within.zip', content: zipOfEntries([first, second, { ...third, offset: 40 }]) },
    { name: 'none.zip', content: zipOfEntries(entries, 0) },
    { name: 'fewer.zip', content: zipOfEntries(entries, 2) },
    { name: 'more.zip', content: zipOfEntries(entries, 4) },
    { name: 'whole.zip', content: zipOfEntries(entries) },
  ])
  const damaged = ['same.zip', 'within.zip', 'none.zip', 'fewer.zip', 'more.zip']
  assert.deepEqual(outcomes(reply), {
    ...Object.fromEntries(damaged.map(name => [name, 'corrupt'])),
    ...Object.fromEntries(entries.map(({ name }) => [name, 'created'])),
  })
  const messages = reply.body.data.files.map((file: { error?: { message: string } }) => file.error?.message)
  assert.match(messages[0], /share their bytes/)
  assert.match(messages[3], /more files than its directory states/)
})

test('names of a zip are read in the encoding that they are in', async () => {
  const collectionId = await createCollection(app)
  const gbk = Buffer.concat([Buffer.from('bcafcdc5d3cabcfec9f3bcc6cfb5cdb3', 'hex'), Buffer.from('.txt')])
  const content = zipOfEntries([
    { name: gbk, content: Buffer.from('One.') },
    { name: 'Überblick.txt', content: Buffer.from('Two.'), flags: 0x800 },
  ])
  const reply = await send(collectionId, [{ name: 'names.zip', content }])
  assert.deepEqual(outcomes(reply), { '集团邮件审计系统.txt': 'created', 'Überblick.txt': 'created' })
})

test('names in the code pages of DOS are read, and what tools leave behind is passed over', async () => {
  const text = Buffer.from('Some text.')
  const named = (bytes: readonly number[], rest: string) => Buffer.from([...bytes, ...Buffer.from(rest)])
  const german = zipOfEntries([
    { name: named([0x9a], 'bersicht.txt'), content: text, system: 0 },
    { name: named([0x99], 'ffnungszeiten.txt'), content: text, system: 0 },
    { name: '.git/config', content: text },
    { name: 'node_modules/a/index.js', content: text },
    { name: '~$plan.docx', content: text },
  ])
  const portuguese = zipOfEntries([{ name: named([0x4a, 0x6f, 0xc6], 'o.txt'), content: text, system: 11 }])
  for (const [content, names] of [
    [german, ['Übersicht.txt', 'Öffnungszeiten.txt']],
    [portuguese, ['João.txt']],
  ] as const) {
    const reply = await send(await createCollection(app), [{ name: 'all.zip', content }])
    assert.deepEqual(Object.keys(outcomes(reply)).toSorted(), names.toSorted())
  }
})

test('names are read by what all of them look like in the pages of DOS and Windows, whichever system packed them', async () => {
  const names: Record<string, string[]> = {
    cp437: ['Größe.txt', 'Maße für Körbe.txt'],
    cp850: ['João.txt', 'Relatório de ações.txt'],
    cp852: ['Faktury za květen.txt', 'Přehled účtů.txt'],
    cp737: ['Ελλάδα.txt', 'Τιμολόγια.txt'],
    cp866: ['Отчёт.txt', 'Договор аренды.txt'],
    cp932: ['請求書.txt', '会議のメモ.txt'],
    gbk: ['会议记录.txt', '年度报告.txt'],
    cp949: ['회의록.txt', '연간 보고서.txt'],
    big5: ['會議記錄.txt', '年度報告書.txt'],
    cp1251: ['Отчёт.txt', 'Договор аренды.txt'],
    cp1252: ['Größe.txt', 'Maße für Körbe.txt'],
  }
  for (const [encoding, expected] of Object.entries(names)) {
    for (const system of [0, 3]) {
      const entries = expected.map(name => ({
        name: iconv.encode(name, encoding),
        content: Buffer.from(name),
        system,
      }))
      const reply = await send(await createCollection(app), [
        { name: 'all.zip', content: zipOfEntries(entries) },
      ])
      assert.deepEqual(Object.keys(outcomes(reply)).toSorted(), expected.toSorted(), `${encoding} ${system}`)
    }
  }
})

test('a zip of stored Office files is unpacked, though its bytes look like theirs', async () => {
  const [one, two] = [docxOf(docxParagraph('One')), docxOf(docxParagraph('Two'))]
  const office = zipOfEntries([
    { name: 'letters/one.docx', content: one, packed: one, method: 0 },
    { name: 'letters/two.docx', content: two, packed: two, method: 0 },
  ])
  const reply = await send(await createCollection(app), [{ name: 'office.zip', content: office }])
  assert.deepEqual(outcomes(reply), { 'letters/one.docx': 'created', 'letters/two.docx': 'created' })
})
