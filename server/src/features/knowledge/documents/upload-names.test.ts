/** The names of files, which come from strangers by many ways and go into paths, records and headers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exportOf, importInto, pack, putDocument, unpack } from '../../../testing/knowledge/archives.ts'
import { createCollection, upload } from '../../../testing/knowledge/knowledge.ts'
import { createTus } from '../../../testing/knowledge/resumable.ts'
import { zipOfEntries } from '../../../testing/knowledge/zip-entries.ts'
import { startTestApp, type TestApp, type TestReply } from '../../../testing/test-app.ts'
import { receiveContent } from '../../integrations/syncs/database-destination.ts'
import { fileNameOf } from '../uploads/url-uploads.ts'

let app: TestApp
let collectionId: string

before(async () => {
  app = await startTestApp()
  collectionId = await createCollection(app)
})
after(() => app.close())

const hostile = [
  '../../etc/passwd',
  '..\\..\\boot.ini',
  'a/../../b.txt',
  '..',
  'a\r\nSet-Cookie: b=c.txt',
  'a\u0000b.txt',
  'a\u0085b\u007f.txt',
  'a\u2028b\u2029.txt',
  'report\u202etxt.exe',
  `${'n'.repeat(400)}.txt`,
]

/** A name that is safe in a header, in a list, and in the folder of who unpacks or downloads it. */
function assertSafe(name: string, from: string): void {
  assert.ok(name.length > 0 && name.length <= 255, from)
  assert.doesNotMatch(name, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\\]/u, from)
  assert.ok(!name.startsWith('/') && !name.split('/').some(part => ['', '.', '..'].includes(part)), from)
}

async function assertSafeDocument(id: string, from: string): Promise<void> {
  assertSafe((await app.request('GET', `/knowledge/documents/${id}`)).body.data.name, from)
  const original = await app.request('GET', `/knowledge/documents/${id}/original`)
  assert.equal(original.status, 200, from)
  const disposition = String(original.headers['content-disposition'])
  const [, plain = '', encoded = ''] =
    /^attachment; filename="([^"]*)"; filename\*=UTF-8''(\S*)$/.exec(disposition) ?? []
  assertSafe(plain, from)
  assertSafe(decodeURIComponent(encoded), from)
  assert.doesNotMatch(decodeURIComponent(encoded), /\//, from)
}

const partNamed = (name: string): string =>
  [
    `--edge\r\nContent-Disposition: form-data; name="collectionId"\r\n\r\n${collectionId}`,
    `--edge\r\nContent-Disposition: form-data; name="file"; filename*=utf-8''${encodeURIComponent(name)}\r\n\r\nA note.`,
    '--edge--\r\n',
  ].join('\r\n')

const sendRaw = (path: string, name: string): Promise<TestReply> =>
  app.request('POST', path, {
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    body: partNamed(name),
  })

for (const [way, field, send] of [
  ['a multipart upload', 'file', (name: string) => sendRaw('/knowledge/documents', name)],
  [
    'a resumable upload',
    'Upload-Metadata.filename',
    (name: string) => createTus(app, collectionId).create(10, { filename: name }),
  ],
] as const) {
  test(`${way} with a name that is a trap is a 400 that names the field`, async () => {
    for (const name of hostile) {
      const reply = await send(name)
      assert.equal(reply.status, 400, `${JSON.stringify(name)}: ${JSON.stringify(reply.body)}`)
      assert.deepEqual(
        reply.body.errors.map((error: { field: string }) => error.field),
        [field],
        name,
      )
    }
  })
}

test('the folders of one file are left out, and its name is what is left', async () => {
  for (const name of ['handbook/leave.txt', 'C:\\Users\\ada\\leave.txt', 'leave.txt']) {
    const reply = await sendRaw('/knowledge/documents', name)
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    assert.equal(reply.body.data.name, 'leave.txt')
  }
  // Browsers and programs write line ends in names so.
  const reply = await upload(app, { collectionId, name: 'a\r\nSet-Cookie: x.txt' })
  await assertSafeDocument(reply.body.data.id, 'a form')
})

// The parser of multipart takes a part whose name has a line end for none; alone, it is a 400 as above.
const oneLine = hostile.filter(name => !name.includes('\r\n'))

for (const [way, names, send] of [
  ['many files', oneLine, (name: string) => sendRaw('/knowledge/documents/batch', name)],
  [
    'a zip',
    hostile,
    (name: string) => {
      const form = new FormData()
      form.append('collectionId', collectionId)
      form.append(
        'file',
        new Blob([new Uint8Array(zipOfEntries([{ name, content: Buffer.from('A note.') }]))]),
        'a.zip',
      )
      return app.request('POST', '/knowledge/documents/batch', { form })
    },
  ],
] as const) {
  test(`a file of ${way} with a name that is a trap is rejected by itself, with the reason`, async () => {
    for (const name of names) {
      const reply = await send(name)
      assert.equal(reply.status, 200, `${JSON.stringify(name)}: ${JSON.stringify(reply.body)}`)
      const [file] = reply.body.data.files
      assert.equal(file.outcome, 'rejected', JSON.stringify(name))
      assert.match(file.error.message, /name/)
    }
  })
}

test('an archive keeps its documents, under names that are safe', async () => {
  const source = await createCollection(app, app.liveKey, 'source')
  await putDocument(app, source, { externalId: 'a', content: 'A note.', name: 'a.txt', metadata: {} })
  const entries = await unpack(await exportOf(app, source))
  // A NUL and a longer name make no archive.
  for (const name of hostile.filter(known => known.length <= 255 && !known.includes('\0'))) {
    const changed = [...entries].map(([path, bytes]): [string, string | Buffer] => {
      if (!path.endsWith('document.json')) return [path, bytes]
      return [path, `${JSON.stringify({ ...JSON.parse(String(bytes)), name })}\n`]
    })
    const done = await importInto(app, await pack(changed))
    assert.equal(done.status, 'succeeded', JSON.stringify(done.error))
    const listed = await app.request('GET', '/knowledge/documents', {
      query: { collectionId: done.collectionId ?? '' },
    })
    assert.equal(listed.body.data.length, 1)
    await assertSafeDocument(listed.body.data[0].id, JSON.stringify(name))
    // What is exported again is named by numbers, so that it unpacks into its own folder alone.
    for (const path of (await unpack(await exportOf(app, done.collectionId ?? ''))).keys()) {
      assert.match(path, /^[a-z0-9/.-]+$/)
      assertSafe(path, path)
    }
  }
})

test('what a connector or a web server names is taken under a safe name', async () => {
  const { blobs } = app.dependencies
  for (const name of hostile) {
    const body = ReadableStream.from([new TextEncoder().encode('A note.')])
    const content = { body, fileName: name, mediaType: 'text/plain' }
    const file = await receiveContent(blobs, content, 100)
    await blobs.discard(file)
    assertSafe(file.name, JSON.stringify(name))
    assert.doesNotMatch(file.name, /\//)
    const headers = new Headers({
      'content-disposition': `attachment; filename*=utf-8''${encodeURIComponent(name)}`,
    })
    assertSafe(fileNameOf('https://example.com/x', headers), JSON.stringify(name))
  }
})

test('the download of a document that was named before names were judged has a safe name', async () => {
  const reply = await upload(app, { collectionId, name: 'old.txt' })
  const { id } = reply.body.data
  for (const name of hostile) {
    await app.dependencies.database.write(tx =>
      tx
        .updateTable('documents')
        .set({ name: name.replaceAll('\0', '') })
        .where('id', '=', id)
        .execute(),
    )
    const original = await app.request('GET', `/knowledge/documents/${id}/original`)
    const disposition = String(original.headers['content-disposition'])
    const encoded = /filename\*=UTF-8''(\S*)$/.exec(disposition)?.[1] ?? ''
    assertSafe(decodeURIComponent(encoded), JSON.stringify(name))
  }
})
