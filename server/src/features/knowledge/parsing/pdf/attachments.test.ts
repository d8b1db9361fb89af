import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'
import { docxOf, docxParagraph, pdfOf, pdfWithFilesOf } from '../../../../testing/knowledge/sample-files.ts'
import { ParseFailure } from '../failure.ts'

const sheet = Buffer.from('City;Rate\nBonn;120\n')

test('files attached to a PDF are read behind its pages, those of a page with its number', async () => {
  const { text, blocks, title } = await readDocument(
    pdfWithFilesOf('The page.', [
      { name: '(rates.csv)', content: deflateSync(sheet), filter: '/FlateDecode' },
      { name: '<FEFF00DC00620065007200730069006300680074>', content: docxOf(docxParagraph('Inside')) },
      { name: '(C:\\\\x\\\\a \\(1\\)\\056txt)', content: Buffer.from('On the page'), isOnPage: true },
      { name: '(photo.png)', content: Buffer.from('89504e470d0a1a0a', 'hex') },
    ]),
  )
  assert.equal(
    text,
    'The page.\n\nAttachment: a (1).txt\n\nOn the page\n\nAttachment: rates.csv\n\nCity | Rate\nBonn | 120\n\nAttachment: Übersicht\n\nInside\n\nAttachment: photo.png',
  )
  assert.deepEqual(
    blocks.map(({ page }) => page),
    [1, 1, 1, null, null, null, null, null],
  )
  assert.equal(title, null)
})

test('a PDF within a PDF is read with what is attached to it, to a depth', async () => {
  let nested = pdfOf('The innermost')
  for (let depth = 0; depth < 10; depth++) {
    nested = pdfWithFilesOf(`Depth ${depth}`, [{ name: '(inner.pdf)', content: nested }])
  }
  const { text } = await readDocument(nested)
  assert.match(text, /^Depth 9\n\nAttachment: inner\.pdf\n\nDepth 8/)
  assert.match(text, /Depth 1\n\nAttachment: inner\.pdf$/)
})

test('attached bombs and broken files are named, and the rest is read, with forged lengths too', async () => {
  const bomb = deflateSync(Buffer.alloc(200_000_000))
  const { text } = await readDocument(
    pdfWithFilesOf('The page.', [
      { name: '(bomb.txt)', content: bomb, filter: '/FlateDecode' },
      { name: '(twice.txt)', content: deflateSync(bomb), filter: '[/FlateDecode/FlateDecode]' },
      { name: '(broken.txt)', content: Buffer.from('789c0102030405', 'hex'), filter: '/FlateDecode' },
      ...Array.from({ length: 6 }, () => ({ name: '(none.txt)', content: Buffer.alloc(0) })),
      { name: '(long.txt)', content: Buffer.from('Long'), length: 2_000_000_000 },
      { name: '(negative.txt)', content: Buffer.from('Negative'), length: -1 },
      { name: '(sound.txt)', content: Buffer.from('Still read') },
    ]),
  )
  const read = { long: 'Long', negative: 'Negative', sound: 'Still read' }
  const unread = ['bomb', 'twice', 'broken', ...Array(6).fill('none')].map(name => `Attachment: ${name}.txt`)
  const blocks = Object.entries(read).map(([name, content]) => `Attachment: ${name}.txt\n\n${content}`)
  assert.equal(text, ['The page.', ...blocks, unread.join('\n')].join('\n\n'))
})

test('a PDF that packs its objects into streams, and takes a file away later, has what is left', async () => {
  const { bytes, tableAt } = packedPdfOf('The page.', 'Attached words')
  assert.match((await readDocument(bytes)).text, /^The page\.\n\nAttachment: packed\.txt\n\nAttached words$/)
  const object = '1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n'
  const table = `xref\n0 0\n1 1\n${String(bytes.length).padStart(10, '0')} 00000 n \ntrailer<</Size 10/Root 1 0 R/Prev ${tableAt}>>\nstartxref\n${bytes.length + object.length}\n%%EOF`
  const { text } = await readDocument(Buffer.concat([bytes, Buffer.from(object + table)]))
  assert.equal(text, 'The page.')
})

test('streams of objects that lie within each other, or list what they do not hold, take no page away', async () => {
  const hostile: ((packed: PackedPdf) => void)[] = [
    // The stream of objects is said to lie in itself.
    ({ row }) => row(8, [2, 8, 0]),
    ({ row }) => row(6, [2, 6, 0]),
    ({ row }) => row(6, [2, 5, 0]),
    ({ row }) => row(6, [1, 65_000, 0]),
    ({ objects }) => {
      objects[6] = '<</Names[(x) <</EF<</F 8 0 R>>>>(y) <</EF<</F 6 0 R>>>>(z) 6 0 R]/Kids[6 0 R 6 0 R]>>'
    },
    ({ about }) => {
      about.table = '/W[1 2 1]/DecodeParms<</Predictor 12/Columns 900000000>>'
    },
    ({ about }) => {
      about.table = '/W[1.5 2 1]/DecodeParms<</Predictor 12/Columns 4>>'
    },
    ({ about }) => {
      about.pack = '/First 900000000'
    },
  ]
  for (const change of hostile) {
    const text = await readDocument(packedPdfOf('The page.', 'Attached words', change).bytes).then(
      document => document.text,
      // The reader of pages needs the same table.
      error => error instanceof ParseFailure && `${error.code}`,
    )
    assert.match(`${text}`, /^(The page\.|corrupt|no_text)/)
  }
})

test('what is attached to a PDF that is protected, but opens without a password, is read', async () => {
  const { text } = await readDocument(protectedPdfOf('The page.', 'Attached words'))
  assert.equal(text, 'The page.\n\nAttachment: secret.txt\n\nAttached words')
})

test('ten thousand attached files, and lists of them that run in circles, end', async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => ({
    name: `(${i}.txt)`,
    content: Buffer.from(`word${i}.`),
  }))
  const { text } = await readDocument(pdfWithFilesOf('The page.', many))
  assert.match(text, /word499\.\n\nAttachment: 500\.txt/)
  assert.match(text, /\n400 more attachments$/)
  const circle = pdfWithFilesOf('The page.', [], '/AF 1 0 R')
    .toString('latin1')
    .replace('/Kids[<</Names[]>>]', '/Kids[1 0 R 1 0 R]')
  const looped = circle.replace('/Catalog', '/Catalog/Kids[1 0 R 1 0 R]')
  assert.equal((await readDocument(Buffer.from(looped, 'latin1'))).text, 'The page.')
})

test('a table of objects that is damaged, circular or full of blanks takes the attached files alone', async () => {
  const whole = pdfWithFilesOf('The page.', [{ name: '(a.txt)', content: Buffer.from('Attached') }])
  const hostile = [
    (text: string) => text.replace(/startxref\n\d+/, 'startxref\n7'),
    (text: string) => text.replace('trailer<<', `trailer${' '.repeat(3_000_000)}<<`),
    (text: string) => text.replace('trailer<<', 'trailer<</Prev 1.5/XRefStm -3'),
    (text: string) => text.replace(/startxref\n(\d+)/, 'trailer<</Prev $1>>startxref\n$1'),
  ]
  for (const change of hostile) {
    const forged = Buffer.from(change(whole.toString('latin1')), 'latin1')
    assert.match((await readDocument(forged)).text, /^The page\./)
  }
  for (const name of [
    '['.repeat(1_000_000),
    '<<'.repeat(1_000_000),
    '('.repeat(1_000_000),
    `${'%'.repeat(200)}\n{`,
    '99 0 R',
    '/x',
  ]) {
    const files = [
      { name, content: sheet },
      { name: '(b.txt)', content: sheet },
    ]
    assert.match((await readDocument(pdfWithFilesOf('The page.', files))).text, /^The page\./)
  }
})

type PackedPdf = {
  objects: Record<number, string>
  /** What streams say of themselves. */
  about: { pack: string; table: string }
  /** Sets what the table says of an object. */
  row(number: number, values: [kind: number, first: number, second: number]): void
}

/** A PDF of version 1.5: its objects are in a stream, and so is the table that says where they are. */
function packedPdfOf(text: string, attached: string, change: (packed: PackedPdf) => void = () => undefined) {
  const packed: Record<number, string> = {
    1: '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles 6 0 R>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>>',
    4: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    6: '<</Names[(x) <</Type/Filespec/F(packed.txt)/EF<</F 7 0 R>>>>]>>',
  }
  const about = { pack: '', table: '/W[1 2 1]/DecodeParms<</Predictor 12/Columns 4>>' }
  const forged = new Map<number, [number, number, number]>()
  change({ objects: packed, about, row: (number, values) => void forged.set(number, values) })
  let at = 0
  const offsets = Object.entries(packed).map(([number, object]) => {
    const offset = `${number} ${at}`
    at += object.length + 1
    return offset
  })
  const header = `${offsets.join(' ')} `
  const parts = [Buffer.from('%PDF-1.5\n')]
  const places = new Map<number, number>()
  let length = parts[0]?.length ?? 0
  const add = (number: number, about: string, content: Buffer): void => {
    const raw = deflateSync(content)
    const head = `${number} 0 obj\n<</Length ${raw.length}/Filter/FlateDecode${about}>>stream\r\n`
    const part = Buffer.concat([Buffer.from(head), raw, Buffer.from('\nendstream\nendobj\n')])
    places.set(number, length)
    length += part.length
    parts.push(part)
  }
  add(5, '', Buffer.from(`BT /F1 11 Tf 50 780 Td (${text}) Tj ET`))
  add(7, '/Type/EmbeddedFile', Buffer.from(attached))
  const objects = Buffer.from(header + Object.values(packed).join('\n'))
  add(8, `/Type/ObjStm/N ${offsets.length}/First ${header.length}${about.pack}`, objects)
  const tableAt = length
  const inStream = Object.keys(packed).map(Number)
  const rows = Array.from({ length: 10 }, (_, number) => {
    const row = Buffer.alloc(4)
    const index = inStream.indexOf(number)
    const place = number === 9 ? tableAt : places.get(number)
    const sound =
      index >= 0 ? ([2, 8, index] as const) : ([place === undefined ? 0 : 1, place ?? 0, 0] as const)
    const [kind, first, second] = forged.get(number) ?? sound
    row.writeUInt8(kind, 0)
    row.writeUInt16BE(first, 1)
    row.writeUInt8(second, 3)
    return row
  })
  // Each row as the difference from the one above.
  const differences = rows.map((row, number) =>
    Buffer.from([2, ...row.map((byte, column) => byte - (rows[number - 1]?.[column] ?? 0))]),
  )
  add(9, `/Type/XRef/Size 10/Root 1 0 R${about.table}`, Buffer.concat(differences))
  parts.push(Buffer.from(`startxref\n${tableAt}\n%%EOF\n`))
  return { bytes: Buffer.concat(parts), tableAt }
}

/** A PDF that opens without a password, but not without a key (ISO 32000-1, 7.6, of 40 bits); with one file attached. */
function protectedPdfOf(text: string, attached: string): Buffer {
  const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
  const hash = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()
  const rights = Buffer.from('fcffffff', 'hex')
  const key = hash(padding, padding, rights, padding.subarray(0, 16)).subarray(0, 5)
  const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`
  const hidden = (object: number, content: string): Buffer =>
    rc4(hash(key, Buffer.from([object, 0, 0, 0, 0])).subarray(0, 10), Buffer.from(content, 'latin1'))
  const encrypt = `/Encrypt<</Filter/Standard/V 1/R 2/P -4/O${hex(padding)}/U${hex(rc4(key, padding))}>>/ID[${hex(padding.subarray(0, 16))}${hex(padding.subarray(0, 16))}]`
  const file = { name: hex(hidden(5, 'secret.txt')), content: hidden(4, attached) }
  const encrypted = pdfWithFilesOf(text, [file])
    .toString('latin1')
    .replace(
      /(\d+) 0 obj\n(<<\/Length \d+>>stream\n)(BT[\s\S]*?ET)/,
      (_, number, head, content) =>
        `${number} 0 obj\n${head}${hidden(Number(number), content).toString('latin1')}`,
    )
    .replace('trailer<<', `trailer<<${encrypt}`)
  return Buffer.from(encrypted, 'latin1')
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  const at = (place: number): number => state[place & 255] ?? 0
  const swap = (one: number, other: number): void => {
    const [first, second] = [at(one), at(other)]
    state[one & 255] = second
    state[other & 255] = first
  }
  let j = 0
  for (let i = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  j = 0
  return Buffer.from(
    bytes.map((byte, index) => {
      j = (j + at(index + 1)) & 255
      swap(index + 1, j)
      return byte ^ at(at(index + 1) + at(j))
    }),
  )
}
