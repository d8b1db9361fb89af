import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { eventually } from '../../../testing/eventually.ts'
import {
  annotatedPdfOf,
  docxOf,
  docxParagraph,
  drawnPdfOf,
  pdfBomb,
  pdfOf,
  pdfWithFilesOf,
  tiltedPdfOf,
  turnedPdfOf,
  zipOf,
} from '../../../testing/knowledge/sample-files.ts'
import type { Chunk } from './chunking.ts'
import { ParseFailure, type ParseFailureCode } from './failure.ts'
import { createParser, type ParserOptions, type ParseWork } from './parser.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-parser-test-'))
const parser = createParser({ folder: join(folder, 'children') })
after(() => {
  parser.close()
  rmSync(folder, { recursive: true, force: true })
})

type Read = { title: string | null; pageCount: number | null; text: string; chunks: Chunk[] }

function workOn(name: string, content: string | Buffer): ParseWork<Read> {
  const path = join(folder, 'file')
  writeFileSync(path, content)
  return {
    path,
    name,
    environment: 'live',
    owner: 'workspace',
    signal: new AbortController().signal,
    onProgress: () => undefined,
    use: async ({ title, pageCount, chunks }) => {
      const all = (await Array.fromAsync(chunks)).flat()
      return { title, pageCount, chunks: all, text: all.map(({ text, gap }) => text + gap).join('') }
    },
  }
}

const read = (name: string, content: string | Buffer): Promise<Read> => parser.parse(workOn(name, content))

const failsAs = (code: ParseFailureCode) => (error: unknown) => {
  assert.ok(error instanceof ParseFailure, `${error}`)
  assert.equal(error.code, code)
  return true
}

test('a PDF is read page by page', async () => {
  const { text, pageCount, chunks } = await read('a.pdf', pdfOf('The first page.', 'The second (page).'))
  assert.equal(pageCount, 2)
  assert.equal(text, 'The first page.\n\nThe second (page).')
  assert.deepEqual(
    chunks.map(({ page }) => page),
    [1, 2],
  )
})

test('signs that mean something in Markdown come out of a PDF as they stand there', async () => {
  const line = 'snake_case and 2 * 3 * 4, [a](b) <c> #5 | 6 and `7` costs 8.'
  assert.equal((await read('a.pdf', pdfOf(line))).text, line.replaceAll('`', '‘'))
})

test('text at an angle on a page is read line by line', async () => {
  const lines = [
    ['You begin at the left', 'and go on to the right,'],
    ['then comes the next line', 'with its own second half,'],
    ['and the last of the lines', 'ends the paragraph.'],
  ] as const
  for (const degrees of [4, -7, 30]) {
    const { text } = await read('a.pdf', tiltedPdfOf(lines, degrees))
    assert.equal(text, lines.flat().join(' '), `${degrees} degrees`)
  }
})

test('a page that is turned by a right angle is read as it stands', async () => {
  const lines = 'Apache Tika reads many files.\nIt extracts text and metadata\nof documents on every page.'
  for (const degrees of [90, 180, 270] as const) {
    const { text } = await read('a.pdf', turnedPdfOf(lines, degrees))
    assert.equal(text, lines.replaceAll('\n', ' '), `${degrees} degrees`)
  }
})

test('a PDF is known by its content, also behind something else and under another name', async () => {
  const shifted = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), pdfOf('Behind junk')])
  assert.equal((await read('a.txt', shifted)).text, 'Behind junk')
})

test('a PDF without text fails as no_text, a broken one as corrupt', async () => {
  await assert.rejects(read('scan.pdf', pdfOf('')), failsAs('no_text'))
  await assert.rejects(read('half.pdf', pdfOf('A page').subarray(0, 300)), failsAs('corrupt'))
})

test('remarks on a page of a PDF, and forms that are filled in, are read', async () => {
  const form = annotatedPdfOf('The page.', 'A remark', { label: 'City', value: 'Cologne' })
  assert.equal((await read('a.pdf', form)).text, 'The page.\n\nA remark\n\nCity: Cologne')
})

test('letters that a font only draws are no text', async () => {
  await assert.rejects(read('a.pdf', drawnPdfOf(['drawn', 'words', 'only'])), failsAs('no_text'))
})

test('spaces without width and control characters are no text by themselves', async () => {
  await assert.rejects(read('a.txt', '\u200b\u200b \ufeff\u2060\u00ad\n\n\u200e\b'), failsAs('no_text'))
  assert.equal((await read('a.txt', 'a\bb\u200bc\n\n\u200b\n\nd\u0085e')).text, 'a b\u200bc\n\nd\ne')
})

test('a PDF that unpacks to a gigabyte ends the child, not the server, and the next file is read', async () => {
  await assert.rejects(read('bomb.pdf', pdfBomb(1_000)), failsAs('out_of_memory'))
  assert.equal((await read('a.pdf', pdfOf('Still here'))).text, 'Still here')
})

test('an attached file that ends its reader costs itself alone', async () => {
  const { text } = await read(
    'a.pdf',
    pdfWithFilesOf('The page.', [
      { name: '(first.txt)', content: Buffer.from('Read before') },
      { name: '(bomb.pdf)', content: pdfBomb(1_000) },
      { name: '(last.txt)', content: Buffer.from('Read behind') },
    ]),
  )
  const shown = ['first.txt\n\nRead before', 'last.txt\n\nRead behind', 'bomb.pdf']
  assert.equal(text, ['The page.', ...shown.map(named => `Attachment: ${named}`)].join('\n\n'))
})

test('an attached file that unpacks to 200 MB is named, and those behind it are read in the same child', async () => {
  const { text } = await read(
    'a.pdf',
    pdfWithFilesOf('The page.', [
      { name: '(bomb.txt)', content: deflateSync(Buffer.alloc(200_000_000)), filter: '/FlateDecode' },
      { name: '(last.txt)', content: Buffer.from('Still read') },
    ]),
  )
  assert.equal(text, 'The page.\n\nAttachment: last.txt\n\nStill read\n\nAttachment: bomb.txt')
})

test('a Word document keeps its headings, lists and tables', async () => {
  const cell = (text: string): string => `<w:tc>${docxParagraph(text)}</w:tc>`
  const body = [
    docxParagraph('Travel policy', 'Heading1'),
    docxParagraph('Trains before planes.'),
    `<w:tbl><w:tr>${cell('City')}${cell('Rate')}</w:tr><w:tr>${cell('Köln')}${cell('120')}</w:tr></w:tbl>`,
  ]
  const { text, title, chunks } = await read('a.docx', docxOf(body.join('')))
  assert.equal(text, 'Travel policy\n\nTrains before planes.\n\nCity | Rate\nKöln | 120')
  assert.equal(title, 'Travel policy')
  assert.deepEqual(chunks[0]?.headings, ['Travel policy'])
})

test('a Word document that unpacks to far more than it is fails as archive_bomb', async () => {
  const tall = docxOf(docxParagraph('x'), '', { 'word/styles.xml': Buffer.alloc(30_000_000, ' ') })
  await assert.rejects(read('a.docx', tall), failsAs('archive_bomb'))
})

test('an archive that lies about the size of a part is not believed', async () => {
  const honest = docxOf(docxParagraph('x'), '', { 'word/styles.xml': Buffer.alloc(26_000_000, 'abcdefgh') })
  const forged = Buffer.from(honest)
  const stated = Buffer.alloc(4)
  stated.writeUInt32LE(26_000_000)
  for (let at = forged.indexOf(stated); at >= 0; at = forged.indexOf(stated, at)) forged.writeUInt32LE(10, at)
  await assert.rejects(read('a.docx', forged), error => error instanceof ParseFailure)
})

test('a Word document that declares entities is not read', async () => {
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'root:x:0:0')
  const prologue = `<!DOCTYPE w [<!ENTITY x SYSTEM "file://${secret}">]>`
  await assert.rejects(read('a.docx', docxOf(docxParagraph('&x;'), prologue)), failsAs('corrupt'))
})

test('what is no document at all fails as unsupported_type, nothing as empty', async () => {
  await assert.rejects(read('a.docx', zipOf({ 'a.txt': 'x' })), failsAs('unsupported_type'))
  await assert.rejects(read('a.txt', ''), failsAs('empty'))
})

test('a page shows what its reader sees, and nothing is fetched', async () => {
  const page = `<title>News</title><style>p{}</style><h1>News</h1><p>One<br>two &amp; three<script>evil()</script></p>
    <div style="display: none">hidden</div><img src="http://127.0.0.1:1/x.png" alt="a chart"><ul><li>first<li>second</ul>
    <table><tr><th>a<th>b<tr><td>1<td>2</table><pre>  keep\n   this</pre>`
  const { text, title } = await read('a.html', page)
  assert.equal(title, 'News')
  assert.equal(
    text,
    'News\n\nOne\ntwo & three\n\na chart\n\nfirst\nsecond\n\na | b\n1 | 2\n\n  keep\n   this',
  )
})

test('a page nested two hundred thousand deep is read', async () => {
  const { text } = await read('a.html', `<html>${'<div>'.repeat(200_000)}the middle`)
  assert.equal(text, 'the middle')
})

test('Markdown loses its marks and keeps its structure', async () => {
  const source =
    '# A *title*\n\nText with a [link](http://x.y) and `code`, snake_case, 2 * 3.\n\n- one\n- **two**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\n# no heading\n```\n'
  const { text, title } = await read('a.md', source)
  assert.equal(title, 'A title')
  assert.equal(
    text,
    'A title\n\nText with a link (http://x.y) and code, snake_case, 2 * 3.\n\n- one\n- two\n\na | b\n1 | 2\n\n# no heading',
  )
})

test('Markdown made of brackets only is read, whatever its length', async () => {
  const { text } = await read('a.md', `${'['.repeat(100_000)}\n\n${'*a **b '.repeat(20_000)}\n\nthe end`)
  assert.ok(text.endsWith('the end'))
})

test('a small text is read without any child', async () => {
  const childless = createParser({ folder, maxChildren: 0 })
  assert.equal((await childless.parse(workOn('a.txt', 'Just a note.'))).text, 'Just a note.')
  childless.close()
})

test('a text of two megabytes comes in slices that are the whole of it', async () => {
  const paragraphs = Array.from(
    { length: 20_000 },
    (_, i) => `Paragraph ${i} says something of its own: 😀 ${i * 7}.`,
  )
  const { text, chunks } = await read('a.txt', paragraphs.join('\n\n'))
  assert.equal(text, paragraphs.join('\n\n'))
  assert.equal(Array.from(text).length, chunks.at(-1)?.endOffset)
})

test('NUL characters and lone surrogates do not come through', async () => {
  const bytes = Buffer.concat([
    Buffer.from('Before\0after, then a '),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from(' surrogate'),
  ])
  const { text } = await read('a.txt', bytes)
  assert.ok(text.isWellFormed() && !text.includes('\0'))
  assert.match(text, /^Before after, then a /)
})

test('a text beyond twenty million characters fails as text_too_long', async () => {
  await assert.rejects(read('a.txt', Buffer.alloc(20_000_001, 'abc def\n')), failsAs('text_too_long'))
})

const withParser = async (
  options: Omit<ParserOptions, 'folder'>,
  work: (own: ReturnType<typeof createParser>) => Promise<void>,
) => {
  const own = createParser({ folder: join(folder, 'own'), ...options })
  await work(own).finally(own.close)
}

test('reading that takes too long ends as parsing_timeout', () =>
  withParser({ timeoutMs: 1 }, own =>
    assert.rejects(own.parse(workOn('a.pdf', pdfOf('Slow'))), failsAs('parsing_timeout')),
  ))

test('a small file that keeps a processor busy ends as too_complex, however much time there is', () =>
  withParser({ processorMs: 1 }, own =>
    assert.rejects(own.parse(workOn('a.html', '<p>words'.repeat(100_000))), failsAs('too_complex')),
  ))

test('an attached file that ends the child costs itself and what is behind it, not the file that holds it', () =>
  withParser({ processorMs: 1_500 }, async own => {
    const slow = Buffer.from(`<p>${'<b><i>words'.repeat(400_000)}`)
    const holder = pdfWithFilesOf('The page.', [
      { name: '(first.txt)', content: Buffer.from('Read before') },
      { name: '(slow.html)', content: deflateSync(slow), filter: '/FlateDecode' },
      { name: '(last.txt)', content: Buffer.from('Read no more') },
    ])
    const { text } = await own.parse(workOn('a.pdf', holder))
    assert.doesNotMatch(text, /Read no more|words/)
    assert.match(text, /^The page\.\n\nAttachment: first\.txt\n\nRead before\n\n.*Attachment: slow\.html/s)
  }))

test('an aborted work ends at once with the reason, and its child is replaced', () =>
  withParser({ maxChildren: 1 }, async own => {
    const reason = new Error('The lease is lost')
    const aborting = new AbortController()
    const work = { ...workOn('a.pdf', pdfOf('Words')), signal: aborting.signal }
    const use = async (): Promise<Read> => {
      aborting.abort(reason)
      aborting.signal.throwIfAborted()
      throw new Error('It went on')
    }
    await assert.rejects(own.parse({ ...work, use }), reason)
    await assert.rejects(own.parse(work), reason)
    assert.equal((await own.parse(workOn('a.pdf', pdfOf('Words')))).text, 'Words')
  }))

test('more work than children waits for its turn', () =>
  withParser({ maxChildren: 1 }, async own => {
    const work = workOn('a.pdf', pdfOf('Words'))
    const results = await Promise.all(Array.from({ length: 5 }, () => own.parse(work)))
    assert.deepEqual(
      results.map(({ text }) => text),
      Array.from({ length: 5 }, () => 'Words'),
    )
  }))

test('a document that is not asked for all of its chunks gives its child free', () =>
  withParser({ maxChildren: 1 }, async own => {
    const work = workOn('a.txt', 'Some words. '.repeat(100_000))
    await own.parse({
      ...work,
      use: async ({ title, pageCount }) => ({ title, pageCount, text: '', chunks: [] }),
    })
    assert.ok((await own.parse(work)).chunks.length > 700)
  }))

test('a child is ended when there is nothing to do, and leaves no file behind', () =>
  withParser({ idleTimeoutMs: 20 }, async own => {
    await own.parse(workOn('a.pdf', pdfOf('Words')))
    const left = (): string[] => readdirSync(join(folder, 'own')).filter(name => name.startsWith('child-'))
    await eventually('no file is left', () => left().length === 0)
  }))

test('in the sandbox a file named sim-parse-failed fails, elsewhere it is read', async () => {
  const work = workOn('sim-parse-failed.txt', 'Words')
  await assert.rejects(parser.parse({ ...work, environment: 'test' }), failsAs('simulated'))
  assert.equal((await parser.parse(work)).text, 'Words')
})

test('a file that is gone fails as file_missing', async () => {
  await assert.rejects(
    parser.parse({ ...workOn('a.txt', 'x'), path: join(folder, 'nowhere') }),
    failsAs('file_missing'),
  )
  assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'x')
})

test('workspaces with many files delay the file of another one by one file each', () =>
  withParser({ maxChildren: 1 }, async own => {
    const begun: { owner: string; end: () => void }[] = []
    const work = workOn('a.pdf', pdfOf('A page.'))
    const parse = (owner: string) =>
      own.parse({
        ...work,
        owner,
        use: async document => {
          const { promise, resolve: end } = Promise.withResolvers<void>()
          begun.push({ owner, end })
          await promise
          return work.use(document)
        },
      })
    const owners = [...Array(8).fill('busy'), ...Array(8).fill('also busy'), 'other']
    const files = owners.map(parse)
    for (let next = 0; next < files.length; next++) {
      await eventually('the file has begun', async () => begun.length > next)
      begun[next]?.end()
    }
    await Promise.all(files)
    const order = begun.map(({ owner }) => owner)
    // The first two, then one of each; the children's own pace may exchange neighbours.
    assert.ok(order.indexOf('other') <= 7, order.join())
  }))

test('a workspace that keeps its own children busy does not delay the file of another one', () =>
  withParser({ maxChildren: 1 }, async own => {
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const work = workOn('a.pdf', pdfOf('A page.'))
    const { use } = work
    const busy = [1, 2].map(() =>
      own.parse({
        ...work,
        owner: 'busy',
        use: async document => {
          await end
          return use(document)
        },
      }),
    )
    assert.equal((await own.parse({ ...work, owner: 'other' })).text, 'A page.')
    resolve()
    await Promise.all(busy)
  }))
