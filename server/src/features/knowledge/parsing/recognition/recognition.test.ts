import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../../../testing/eventually.ts'
import { pdfOf, pdfWithFilesOf, scanOf } from '../../../../testing/knowledge/sample-files.ts'
import type { Chunk } from '../chunking.ts'
import { ParseFailure, type ParseFailureCode } from '../failure.ts'
import { createParser } from '../parser.ts'
import type { Warning } from '../warnings.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-recognition-test-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

type Read = { text: string; chunks: Chunk[]; pageCount: number | null; warnings: Warning[] }

/** Reads the file with the program whose source this is; the picture is its first word. */
async function read(
  content: Buffer,
  program: string,
  {
    timeoutMs = 20_000,
    signal = new AbortController().signal,
  }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Read> {
  const script = join(folder, 'program.cjs')
  const path = join(folder, 'file')
  writeFileSync(
    script,
    `const { readFileSync } = require('node:fs'); const file = process.argv[2];${program}`,
  )
  writeFileSync(path, content)
  const parser = createParser({
    folder: join(folder, 'children'),
    recognition: { command: [process.execPath, script, '{file}'], timeoutMs },
  })
  try {
    return await parser.parse({
      path,
      name: 'scan.pdf',
      environment: 'live',
      owner: 'workspace',
      signal,
      onProgress: () => undefined,
      use: async ({ chunks, pageCount, warnings }) => {
        const all = (await Array.fromAsync(chunks)).flat()
        return { pageCount, warnings, chunks: all, text: all.map(({ text, gap }) => text + gap).join('') }
      },
    })
  } finally {
    parser.close()
  }
}

const failsAs = (code: ParseFailureCode) => (error: unknown) => {
  assert.ok(error instanceof ParseFailure, `${error}`)
  assert.equal(error.code, code)
  return true
}

/** Says how wide the picture of a page is, by the header of PNG. */
const sayWidth = `process.stdout.write('Width ' + readFileSync(file).readUInt32BE(16) + '\\n\\nA second paragraph.')`

test('a scan is read page by page, empty pages are left out', async () => {
  const { text, chunks, pageCount, warnings } = await read(
    scanOf({ widthPoints: 300 }, null, { widthPoints: 200 }),
    sayWidth,
  )
  assert.equal(pageCount, 3)
  assert.match(text, /^Width 2\d{3}\n\nA second paragraph\.\n\nWidth 2\d{3}\n\nA second paragraph\.$/)
  assert.deepEqual(
    chunks.map(({ page }) => page),
    [1, 3],
  )
  assert.deepEqual(warnings, [{ code: 'pages_without_text', count: 1, pages: [2] }])
  assert.deepEqual(
    readdirSync(join(folder, 'children')).filter(name => name.startsWith('pages-')),
    [],
  )
})

test('the files attached to a scan are counted, and read if there is nothing to recognise', async () => {
  const attached = [{ name: '(a.txt)', content: Buffer.from('Attached words') }]
  const blank = await read(pdfWithFilesOf('', attached), sayWidth)
  assert.equal(blank.text, 'Attachment: a.txt\n\nAttached words')
  const scan = scanOf({ widthPoints: 300 }).toString('latin1')
  const holding = scan.replace(
    '/Type/Catalog',
    '/Type/Catalog/Names<</EmbeddedFiles<</Names[(a) <</Type/Filespec/UF(a.txt)>>]>>>>',
  )
  const { text, warnings } = await read(Buffer.from(holding, 'latin1'), sayWidth)
  assert.match(text, /^Width/)
  assert.deepEqual(warnings, [{ code: 'attachment_not_read', count: 1, pages: [] }])
})

test('a picture is read as it is', async () => {
  const { text } = await read(png, `process.stdout.write(readFileSync(file).length + ' bytes')`)
  assert.equal(text, `${png.length} bytes`)
})

test('a PDF with text is not recognised', async () => {
  assert.equal((await read(pdfOf('Letters'), 'process.exit(1)')).text, 'Letters')
})

test('a picture without any text fails as no_text, one that the program refuses as corrupt', async () => {
  await assert.rejects(read(png, ''), failsAs('no_text'))
  await assert.rejects(read(png, `console.error('bad picture'); process.exit(3)`), failsAs('corrupt'))
})

test('a program that takes too long is ended with all that it has started', async t => {
  const sockets: Socket[] = []
  const server = createServer(socket => void sockets.push(socket.resume()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const grandchild = `require('node:net').connect(${port}, '127.0.0.1')`
  const program = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}]); setInterval(() => {}, 1000)`
  // On a busy machine it takes its time to start anything.
  for (let timeoutMs = 700; sockets.length === 0; timeoutMs *= 2) {
    await assert.rejects(read(png, program, { timeoutMs }), failsAs('parsing_timeout'))
  }
  await eventually('the connections of all that it has started are gone', () =>
    sockets.every(({ destroyed }) => destroyed),
  )
})

test('a program that writes without end is ended', async () => {
  const endless = `const write = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', write) }; write()`
  await assert.rejects(read(png, endless), failsAs('text_too_long'))
})

test('a program that does not exist is no fault of the file', async () => {
  const parser = createParser({
    folder: join(folder, 'children'),
    recognition: { command: [join(folder, 'nowhere'), '{file}'], timeoutMs: 60_000 },
  })
  const path = join(folder, 'file')
  writeFileSync(path, png)
  const work = {
    path,
    name: 'a.png',
    environment: 'live',
    owner: 'workspace',
    onProgress: () => undefined,
  } as const
  await assert.rejects(
    parser.parse({ ...work, signal: new AbortController().signal, use: async () => null }),
    error => !(error instanceof ParseFailure) && /cannot be run/.test(String(error)),
  )
  parser.close()
})

test('work that is aborted ends the program with the reason', async () => {
  const aborting = new AbortController()
  const reason = new Error('The lease is lost')
  setTimeout(() => aborting.abort(reason), 300)
  await assert.rejects(read(png, 'setInterval(() => {}, 1000)', { signal: aborting.signal }), reason)
})

test('the program sees nothing of the surroundings of the server', async () => {
  const { text } = await read(png, 'process.stdout.write(Object.keys(process.env).sort().join(" "))')
  assert.equal(text, 'LANG OMP_THREAD_LIMIT PATH')
})
