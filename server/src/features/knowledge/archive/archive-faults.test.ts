import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { pack as tar } from 'tar-stream'
import { eventually } from '../../../testing/eventually.ts'
import { exportOf, importInto, pack, putDocument, unpack } from '../../../testing/knowledge/archives.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let here: TestApp

before(async () => {
  here = await startTestApp()
})
after(() => here.close())

test('a file that is no whole archive of this form is refused with a reason, and nothing of it is left', async () => {
  const collectionId = await createCollection(here, undefined, 'Whole')
  await putDocument(here, collectionId, {
    externalId: 'a',
    content: 'Wombat text.',
    name: 'a.txt',
    metadata: {},
  })
  const archive = await exportOf(here, collectionId)
  const entries = await unpack(archive)
  const document = JSON.parse(String(entries.get(names.document)))
  const chunk = JSON.parse(String(entries.get(names.chunks)))
  const changed = (name: string, content: string | Buffer | null): Promise<Buffer> =>
    pack(
      [...entries].flatMap(([known, bytes]) =>
        known !== name ? [[known, bytes]] : content === null ? [] : [[name, content]],
      ),
    )
  const json = (name: string, value: object): Promise<Buffer> => changed(name, `${JSON.stringify(value)}\n`)
  const withOneMore = (name: string, content: string | Buffer): Promise<Buffer> =>
    pack([...entries].flatMap(entry => (entry[0] === 'end.json' ? [[name, content], entry] : [entry])))
  const nested = () => {
    const depths = `${'['.repeat(500_000)}${']'.repeat(500_000)}`
    const text = JSON.stringify({ ...document, metadata: { a: 'deep' } })
    return changed(names.document, `${text.replace('"deep"', depths)}\n`)
  }
  const cases: [string, Buffer, RegExp][] = [
    ['nothing of ours', Buffer.from('hello'), /no whole archive/],
    ['an empty gzip', gzipSync(''), /no manifest|no whole archive/],
    ['cut in the middle', archive.subarray(0, archive.length >> 1), /cut off|damaged/],
    ['cut near the end', archive.subarray(0, archive.length - 9), /cut off|damaged/],
    ['without an end', await changed('end.json', null), /no end\.json/],
    ['without its file', await changed(names.file, null), /lacks a file|something else/],
    ['without its text', await changed(names.chunks, null), /not all the text|something else/],
    ['with another file', await changed(names.file, 'Kombat text.'), /not the file/],
    ['with a longer file', await changed(names.file, 'Wombat text, longer.'), /not a file that/],
    [
      'of a later form',
      await json('manifest.json', { format: 'atrium-archive-9' }),
      /atrium-archive-9.*update Atrium/,
    ],
    [
      'a workspace',
      await json('manifest.json', { ...JSON.parse(String(entries.get('manifest.json'))), kind: 'workspace' }),
      /workspace import/,
    ],
    [
      'forged counts',
      await json('end.json', { collections: 1, documents: 9, chunks: 1, files: 1, fileBytes: 12 }),
      /something else/,
    ],
    [
      'more chunks than there are',
      await json(names.document, { ...document, chunkCount: 2 }),
      /segments|not all/,
    ],
    ['a forged size', await json(names.document, { ...document, sizeBytes: 2 ** 39 }), /storage|not a file/],
    [
      'a foreign id',
      await json(names.document, { ...document, id: 'agt_01kajz4v7qf3x8m2c9t5b6n0rw' }),
      /not the id of a document/,
    ],
    [
      'an unknown field',
      await json(names.document, { ...document, workspace_id: here.workspaceId }),
      /not of the form/,
    ],
    [
      'metadata of another type',
      await json(names.document, { ...document, metadata: { a: { b: 1 } } }),
      /not of the form/,
    ],
    ['metadata nested without end', await nested(), /not of the form/],
    ['no time', await json(names.document, { ...document, createdAt: '2026-99-99T00:00:00.000Z' }), /not of/],
    ['a chunk as long as a book', await json(names.chunks, { ...chunk, text: 'x'.repeat(90_000) }), /not of/],
    [
      'more text than a document may have',
      await json(names.document, { ...document, textLength: 3e7 }),
      /not of/,
    ],
    [
      'a part of very many chunks',
      await changed(names.chunks, `${JSON.stringify(chunk)}\n`.repeat(1_001)),
      /more than 1000 lines/,
    ],
    [
      'an external id twice',
      await withOneMore(
        'collections/1/documents/2/document.json',
        JSON.stringify({ ...document, id: `${document.id.slice(0, -2)}zz` }),
      ),
      /external id a is there twice/,
    ],
    [
      'two collections',
      await withOneMore('collections/2/collection.json', entries.get(names.collection) ?? ''),
      /more than one collection/,
    ],
    ['NUL in its text', await json(names.chunks, { ...chunk, text: 'Wombat\0text.' }), /NUL/],
    ['text of another length', await json(names.chunks, { ...chunk, text: 'Wombat' }), /does not follow/],
    [
      'a header in a media type',
      await json(names.document, { ...document, mediaType: 'text/plain\r\nx: y' }),
      /not of the form/,
    ],
    [
      'a name with folders',
      await pack([
        ['manifest.json', entries.get('manifest.json') ?? ''],
        ['../../etc/passwd', 'x'],
      ]),
      /not expected/,
    ],
    [
      'a folder as a file',
      await pack([
        ['manifest.json', entries.get('manifest.json') ?? ''],
        ['collections/1/../../x', 'x'],
      ]),
      /not expected/,
    ],
    ['a link', await packLink(entries.get('manifest.json') ?? ''), /is no file/],
    [
      'a document twice',
      await withOneMore('collections/1/documents/2/document.json', entries.get(names.document) ?? ''),
      /there twice/,
    ],
    [
      'a bomb',
      await pack([
        ['manifest.json', entries.get('manifest.json') ?? ''],
        [names.collection, Buffer.alloc(200_000_000, 32)],
      ]),
      /larger than|unpacks/,
    ],
  ]
  const before = await counted(here)
  for (const [what, bytes, message] of cases) {
    const done = await importInto(here, bytes)
    assert.equal(done.status, 'failed', what)
    assert.match(done.error?.message ?? '', message, what)
    assert.equal(done.collectionId, null, what)
  }
  await eventually('nothing of the refused archives is left', async () =>
    isDeepStrictEqual(await counted(here), before),
  )
  assert.equal((await importInto(here, archive)).status, 'succeeded')
})

test('an import that the plan has no storage for is refused, and so is one by a narrowed key', async () => {
  const { workspaceId, ownerId } = await here.createWorkspace('starter')
  const poor = await here.createKey({ workspaceId, userId: ownerId })
  const collectionId = await createCollection(here, undefined, 'Large')
  await putDocument(here, collectionId, {
    externalId: 'a',
    content: 'x y z '.repeat(100),
    name: 'a.txt',
    metadata: {},
  })
  const archive = await exportOf(here, collectionId)
  const entries = await unpack(archive)
  const document = JSON.parse(String(entries.get(names.document)))
  const huge = `${JSON.stringify({ ...document, sizeBytes: 6_000_000_000 })}\n`
  const forged = await pack(
    [...entries].map(([name, bytes]) => [name, name === names.document ? huge : bytes]),
  )
  const done = await importInto(here, forged, poor)
  assert.deepEqual([done.status, done.error?.code], ['failed', 'storage_limit'])
  const narrowed = await here.createKey({ collectionIds: [collectionId] })
  const form = () => {
    const data = new FormData()
    data.append('file', new Blob([new Uint8Array(archive)]), 'a.tar.gz')
    return data
  }
  const refused = await here.request('POST', '/knowledge/imports', { form: form(), key: narrowed })
  assert.equal(refused.status, 403)
  const own = await here.request('GET', `/knowledge/imports/${done.id}`, { key: poor })
  assert.equal(own.status, 200)
  assert.equal((await here.request('GET', `/knowledge/imports/${done.id}`)).status, 404)
  const foreign = await here.request('GET', `/knowledge/collections/${collectionId}/export`, { key: poor })
  assert.equal(foreign.status, 404)
})

/** After `failAdoption(n)`, the server cannot keep the nth file. `holdErasure` delays the removal of files. */
async function startFailingApp(t: TestContext, settings: Record<string, string> = {}) {
  let adoptions = Number.POSITIVE_INFINITY
  let held: Promise<void> = Promise.resolve()
  const app = await startTestApp({
    settings,
    adapt: dependencies => ({
      ...dependencies,
      blobs: {
        ...dependencies.blobs,
        async adopt(file, blobId) {
          adoptions -= 1
          if (adoptions === 0) throw new Error('The disk is full')
          await dependencies.blobs.adopt(file, blobId)
        },
        async remove(blobId) {
          await held
          await dependencies.blobs.remove(blobId)
        },
      },
    }),
  })
  t.after(() => app.close())
  return {
    app,
    failAdoption(nth: number) {
      adoptions = nth
    },
    holdErasure(until: Promise<void>) {
      held = until
    },
  }
}

test('an interrupted import starts again, and the partial collection is erased', async t => {
  const { app, failAdoption } = await startFailingApp(t)
  const collectionId = await createCollection(app, undefined, 'Broken off')
  for (const name of ['a', 'b', 'c']) {
    await putDocument(app, collectionId, {
      externalId: name,
      content: `Wombat ${name}.`,
      name,
      metadata: { name },
    })
  }
  const archive = await exportOf(app, collectionId)
  // The archive itself is the first, then the files of the documents.
  failAdoption(3)
  const done = await importInto(app, archive)
  assert.equal(done.status, 'succeeded', JSON.stringify(done.error))
  assert.equal(done.documentCount, 3)
  await untilErased(app)
  const { body } = await app.request('GET', '/knowledge/search', { query: { query: 'wombat' } })
  assert.equal(body.meta.total, 6)
  assert.deepEqual((await counted(app)).collections, 2)
})

test('an import that starts again does not count the files of its own first attempt', async t => {
  const { app, failAdoption, holdErasure } = await startFailingApp(t, {
    ATRIUM_PLAN_ENTERPRISE: 'storageMb=1 uploadMb=10',
  })
  const collectionId = await createCollection(here, undefined, 'Two thirds of a megabyte')
  for (const name of ['a', 'b']) {
    const content = `Wombat ${name}.`.padEnd(350_000)
    await putDocument(here, collectionId, { externalId: name, content, name, metadata: {} })
  }
  const archive = await exportOf(here, collectionId)
  const erasure = Promise.withResolvers<void>()
  holdErasure(erasure.promise)
  failAdoption(3)
  const done = await importInto(app, archive).finally(() => erasure.resolve())
  assert.deepEqual([done.status, done.error], ['succeeded', null])
  // The files of the import that succeeded count.
  const again = await importInto(app, archive)
  assert.deepEqual([again.status, again.error?.code], ['failed', 'storage_limit'])
})

const names = {
  collection: 'collections/1/collection.json',
  document: 'collections/1/documents/1/document.json',
  chunks: 'collections/1/documents/1/chunks-1.jsonl',
  file: 'collections/1/documents/1/file-1',
}

/** What an import could leave behind. */
async function counted(app: TestApp): Promise<Record<string, number>> {
  const { read } = app.dependencies.database
  const rows: Record<string, number> = {}
  for (const table of [
    'collections',
    'documents',
    'chunks',
    'search_segments',
    'search_collections',
    'document_fields',
  ] as const) {
    const { count } = await read
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    rows[table] = Number(count)
  }
  let files = 0
  for await (const _ of app.dependencies.blobs.ids()) files += 1
  return { ...rows, files }
}

async function untilErased(app: TestApp): Promise<void> {
  await eventually('what failed imports had made is erased', async () => {
    const hidden = await app.dependencies.database.read
      .selectFrom('collections')
      .select('id')
      .where('deleted_at', 'is not', null)
      .execute()
    return hidden.length === 0
  })
}

async function packLink(manifest: string | Buffer): Promise<Buffer> {
  const archive = tar()
  archive.entry({ name: 'manifest.json' }, manifest)
  archive.entry({ name: names.collection, type: 'symlink', linkname: '/etc/passwd' })
  archive.finalize()
  const pieces: Buffer[] = []
  for await (const piece of archive) pieces.push(piece as Buffer)
  return gzipSync(Buffer.concat(pieces))
}
