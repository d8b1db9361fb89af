import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createCollection, search, upload, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { outlookFileOf } from '../../../testing/knowledge/outlook-file.ts'
import { scanOf, zipOf } from '../../../testing/knowledge/sample-files.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let app: TestApp
let collectionId: string

before(async () => {
  app = await startTestApp()
  collectionId = await createCollection(app)
})
after(() => app.close())

test('mail, calendars, subtitles, data and RTF are read and found by their words', async () => {
  const files: [name: string, content: string | Buffer, mediaType: string, word: string][] = [
    [
      'a.eml',
      'From: a@example.com\nMIME-Version: 1.0\nSubject: Aardvarks\n\nBody',
      'message/rfc822',
      'aardvarks',
    ],
    ['b.mbox', 'From a Fri Jul  8 12:08:34 2011\nSubject: Bison\n\nBody', 'application/mbox', 'bison'],
    [
      'c.msg',
      outlookFileOf({ subject: 'Cormorant', body: 'Body' }),
      'application/vnd.ms-outlook',
      'cormorant',
    ],
    ['d.ics', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Dromedary\nEND:VEVENT', 'text/calendar', 'dromedary'],
    ['e.srt', '1\n00:00:01,000 --> 00:00:02,000\nElephant', 'application/x-subrip', 'elephant'],
    ['f.json', '{"animal":"Flamingo"}', 'application/json', 'flamingo'],
    ['g.xml', '<?xml version="1.0"?><a><animal>Gazelle</animal></a>', 'application/xml', 'gazelle'],
    ['h.csv', 'animal;legs\nHedgehog;4\n', 'text/csv', 'hedgehog'],
    ['i.rtf', '{\\rtf1 Ibex}', 'application/rtf', 'ibex'],
    ['j.ts', 'export const jackdaw = 1\n', 'text/plain', 'jackdaw'],
  ]
  for (const [name, content, mediaType, word] of files) {
    const document = await uploadAndWait(app, { collectionId, name, content })
    assert.deepEqual([document.status, document.mediaType], ['ready', mediaType], name)
    const found = await search(app, word)
    assert.deepEqual(
      found.map((result: { documentId: string }) => result.documentId),
      [document.id],
      name,
    )
  }
})

test('an archive is a 415 that names the way for its files', async () => {
  const zip = await upload(app, { collectionId, name: 'a.zip', content: zipOf({ 'a.txt': 'words' }) })
  assert.equal(zip.status, 415)
  assert.match(zip.body.message, /zip archive .*\/knowledge\/documents\/batch/)
  const gzip = Buffer.from('1f8b0800000000000003', 'hex')
  const packed = await upload(app, { collectionId, name: 'a.gz', content: gzip })
  assert.equal(packed.status, 415)
  assert.match(packed.body.message, /gzip archive \(unpack it/)
})

test('a picture and a scan without any letter are kept and fail as no_text', async () => {
  const picture = await uploadAndWait(app, { collectionId, name: 'a.png', content: png })
  assert.equal(picture.status, 'failed')
  assert.equal(picture.error.code, 'no_text')
  const original = await app.request('GET', `/knowledge/documents/${picture.id}/original`)
  assert.equal(original.status, 200)
  const scan = await uploadAndWait(app, {
    collectionId,
    name: 'a.pdf',
    content: scanOf({ widthPoints: 100 }),
  })
  assert.equal(scan.error.code, 'no_text')
})

/** Known as a recording by its first bytes. */
const recording = Buffer.from('OggS and what else there is')

test('where no program converts it, a recording is a 415 that says what to do', async () => {
  const { status, body } = await upload(app, { collectionId, name: 'a.ogg', content: recording })
  assert.equal(status, 415)
  assert.match(body.message, /sound recording \(upload a transcript/)
  assert.doesNotMatch(body.message, /audio\/ogg/)
})

test('where the operator set up a program for them, recordings are converted and found, other kinds refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-converter-test-'))
  const program = join(folder, 'program.cjs')
  writeFileSync(program, `process.stdout.write('A nightingale in the recording')`)
  const own = await startTestApp({
    settings: {
      ATRIUM_CONVERTER_COMMAND: `${process.execPath} ${program} {file}`,
      ATRIUM_CONVERTER_TYPES: 'audio,doc',
    },
  })
  try {
    const ownCollection = await createCollection(own)
    const heard = await uploadAndWait(own, { collectionId: ownCollection, name: 'a.ogg', content: recording })
    assert.deepEqual([heard.status, heard.mediaType], ['ready', 'audio/ogg'])
    assert.equal((await search(own, 'nightingale')).length, 1)
    const video = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0', 'latin1')
    const refused = await upload(own, { collectionId: ownCollection, name: 'a.mp4', content: video })
    assert.equal(refused.status, 415)
    assert.match(refused.body.message, /a video .*Supported: .*audio\/ogg/)
  } finally {
    await own.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('where the operator set up a program, pictures and scans are read and found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-ocr-test-'))
  const program = join(folder, 'program.cjs')
  writeFileSync(program, `process.stdout.write('A kingfisher on the picture')`)
  const own = await startTestApp({
    settings: { ATRIUM_OCR_COMMAND: `${process.execPath} ${program} {file}` },
  })
  try {
    const ownCollection = await createCollection(own)
    const picture = await uploadAndWait(own, { collectionId: ownCollection, name: 'a.png', content: png })
    assert.deepEqual([picture.status, picture.mediaType], ['ready', 'image/png'])
    const scan = await uploadAndWait(own, {
      collectionId: ownCollection,
      name: 'a.pdf',
      content: scanOf({ widthPoints: 100 }),
    })
    assert.deepEqual([scan.status, scan.pageCount], ['ready', 1])
    assert.equal((await search(own, 'kingfisher')).length, 2)
  } finally {
    await own.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
