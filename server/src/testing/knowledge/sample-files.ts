/** Small files of the formats that Atrium reads, sound and hostile, made where a test needs them. */
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'

/** A PDF with one page for each text; its lines are parted by "\n". */
export function pdfOf(...pages: string[]): Buffer {
  return pdfOfStreams(textStreams(pages))
}

/** A PDF whose one page has these lines at an angle, each in two pieces, as layout programs write them. */
export function tiltedPdfOf(lines: readonly (readonly [string, string])[], degrees: number): Buffer {
  const radians = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const shown = lines.flatMap(([first, second], index) => {
    const place = (along: number): string =>
      [100 + along * cos + index * 16 * sin, 400 + along * sin - index * 16 * cos]
        .map(at => at.toFixed(2))
        .join(' ')
    const turn = [cos, sin, -sin, cos].map(value => value.toFixed(4)).join(' ')
    return [`${turn} ${place(0)} Tm (${first}) Tj`, `${turn} ${place(130)} Tm (${second}) Tj`]
  })
  return pdfOfStreams([{ filter: '', bytes: Buffer.from(`BT /F1 11 Tf ${shown.join(' ')} ET`) }])
}

/** Text at a place of a page, in points from its lower left corner; `degrees` turn it against the clock. */
export type PlacedText = {
  text: string
  x: number
  y: number
  size?: number
  degrees?: number
  isBold?: boolean
}

/** A PDF whose one page has these texts, in this order, and lines of `[from x, to x, y]`. */
export function placedPdfOf(
  texts: readonly PlacedText[],
  lines: readonly (readonly [number, number, number])[] = [],
): Buffer {
  const shown = texts.map(({ text, x, y, size = 10, degrees = 0, isBold = false }) => {
    const radians = (degrees * Math.PI) / 180
    const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
    const turn = [cos, sin, -sin, cos, x, y].map(value => value.toFixed(4)).join(' ')
    return `/${isBold ? 'F2' : 'F1'} ${size} Tf ${turn} Tm (${text.replace(/[()\\]/g, '\\$&')}) Tj`
  })
  const drawn = lines.map(([from, to, y]) => `${from} ${y} m ${to} ${y} l S`)
  const bold = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>'
  const bytes = Buffer.from(`${drawn.join(' ')} BT ${shown.join(' ')} ET`, 'latin1')
  return pdfOfStreams([{ filter: '', bytes, fonts: ' /F2 4 0 R' }], { more: [bold] })
}

/** A PDF whose one page has a remark on it, and a field of a form that is filled in. */
export function annotatedPdfOf(
  text: string,
  remark: string,
  field: { label: string; value: string },
): Buffer {
  const [page] = textStreams([text])
  return pdfOfStreams(page === undefined ? [] : [{ ...page, about: '/Annots[4 0 R 5 0 R]' }], {
    catalog: '/AcroForm<</Fields[5 0 R]>>',
    more: [
      `<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(${remark})>>`,
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(field)/TU(${field.label})/V(${field.value})/Rect[50 600 200 620]>>`,
    ],
  })
}

export type AttachedToPdf = {
  /** As a PDF writes a string, with its brackets. */
  name: string
  content: Buffer
  /** To a place on the page instead of to the document. */
  isOnPage?: true
  /** Of the stream: instead of its own length, and of no filter. */
  length?: number
  filter?: string
}

/** A PDF of one page with files attached to it. */
export function pdfWithFilesOf(text: string, files: readonly AttachedToPdf[], catalog = ''): Buffer {
  const [page] = textStreams([text])
  const specification = (index: number): string => `${4 + index * 2 + 1} 0 R`
  const onPage = files.flatMap(({ isOnPage }, index) =>
    isOnPage ? [`<</Type/Annot/Subtype/FileAttachment/Rect[10 10 30 30]/FS ${specification(index)}>>`] : [],
  )
  const named = files.flatMap(({ isOnPage }, index) =>
    isOnPage ? [] : [`(${index}) ${specification(index)}`],
  )
  return pdfOfStreams(page === undefined ? [] : [{ ...page, about: `/Annots[${onPage.join('')}]` }], {
    catalog: `/Names<</EmbeddedFiles<</Kids[<</Names[${named.join(' ')}]>>]>>>>${catalog}`,
    more: files.flatMap(({ name, content, length = content.length, filter }, index) => [
      Buffer.concat([
        Buffer.from(
          `<</Type/EmbeddedFile/Length ${length}${filter === undefined ? '' : `/Filter${filter}`}>>stream\n`,
        ),
        content,
        Buffer.from('\nendstream'),
      ]),
      `<</Type/Filespec/F(old)/UF ${name}/EF<</F ${4 + index * 2} 0 R>>>>`,
    ]),
  })
}

/** A PDF whose one page is shown turned by a right angle, as programs turn wide tables, with the text not turned along. */
export function turnedPdfOf(text: string, degrees: 90 | 180 | 270): Buffer {
  const [page] = textStreams([text])
  return pdfOfStreams(page === undefined ? [] : [{ ...page, about: `/Rotate ${degrees}` }])
}

/** A PDF whose one page has words in a font that only draws: its letters are numbers without a meaning. */
export function drawnPdfOf(words: readonly string[]): Buffer {
  const letters = [...new Set(words.join(''))]
  const codes = (word: string): string =>
    Array.from(word, letter => (letters.indexOf(letter) + 1).toString(16).padStart(2, '0')).join('')
  const names = letters.map((_, index) => `/g${index}`)
  const glyph = '500 0 0 0 500 500 d1 0 0 500 500 re f'
  const font = `<</Type/Font/Subtype/Type3/FontBBox[0 0 500 500]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 1/LastChar ${letters.length}/Widths[${letters.map(() => 500).join(' ')}]/Encoding<</Type/Encoding/Differences[1 ${names.join('')}]>>/CharProcs<<${names.map(name => `${name} 4 0 R`).join('')}>>/Resources<<>>>>`
  const shown = words.map(word => `<${codes(word)}> Tj T*`).join(' ')
  return pdfOfStreams([{ filter: '', bytes: Buffer.from(`BT /F1 11 Tf 14 TL 50 780 Td ${shown} ET`) }], {
    font,
    more: [`<</Length ${glyph.length}>>stream\n${glyph}\nendstream`],
  })
}

/** A PDF whose pages show a black bar and no letter, as a scan shows what it shows; null makes an empty page. */
export function scanOf(...bars: ({ widthPoints: number } | null)[]): Buffer {
  return pdfOfStreams(
    bars.map(bar => ({
      filter: '',
      bytes: Buffer.from(bar === null ? '' : `0 0 0 rg 100 100 ${bar.widthPoints} 50 re f`),
    })),
  )
}

/** A PDF with a page of text, and then a page for each picture, of one byte for each dot. */
export function mixedPdfOf(
  text: string,
  pictures: readonly { width: number; height: number; grey: Buffer }[],
): Buffer {
  const pages = pictures.map(({ width, height, grey }) => ({
    filter: '',
    bytes: Buffer.concat([
      Buffer.from(`q 595 0 0 842 0 0 cm BI /W ${width} /H ${height} /CS /G /BPC 8 /F /Fl ID `),
      deflateSync(grey),
      Buffer.from('\nEI Q'),
    ]),
  }))
  return pdfOfStreams([...textStreams([text]), ...pages])
}

/** A PDF of a few KB whose one page unpacks, twice over, to so many megabytes. */
export function pdfBomb(megabytes: number): Buffer {
  const spaces = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_SYNC_FLUSH })
  const zlibHeader = Buffer.from([0x78, 0x9c])
  const lastBlock = Buffer.from([0x03, 0x00])
  const inner = Buffer.concat([zlibHeader, ...Array.from({ length: megabytes }, () => spaces), lastBlock])
  return pdfOfStreams([{ filter: '/Filter[/FlateDecode/FlateDecode]', bytes: deflateSync(inner) }])
}

/** A zip of these entries, in their order. */
export function zipOf(entries: Record<string, string | Buffer>): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(entries)) {
    const raw = Buffer.from(content)
    // OpenDocument and EPUB say what they are in a first entry that anybody can read.
    const isStored = name === 'mimetype'
    const packed = isStored ? raw : deflateRawSync(raw)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(0x0800, 2)
    about.writeUInt16LE(isStored ? 0 : 8, 4)
    about.writeUInt32LE(crc32(raw), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(raw.length, 18)
    about.writeUInt16LE(Buffer.byteLength(name), 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), about, place, Buffer.from(name))
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, Buffer.from(name), packed])
    files.push(file)
    offset += file.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listed, end])
}

/** A Word document whose body is this XML; `prologue` stands before it, `more` are further entries of the zip. */
export function docxOf(body: string, prologue = '', more: Record<string, string | Buffer> = {}): Buffer {
  return packageOf('word/document.xml', {
    'word/document.xml': `${xmlHeader}${prologue}<w:document xmlns:w="${openXml}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ...more,
  })
}

/** An Office Open XML package about one of its parts; its properties are known by their usual name. */
export function packageOf(main: string, parts: Record<string, string | Buffer>): Buffer {
  return zipOf({
    '[Content_Types].xml': `${xmlHeader}<Types xmlns="${openXml}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': xmlRelationships({ officeDocument: main, 'core-properties': 'docProps/core.xml' }),
    ...parts,
  })
}

/** What a part refers to: targets by the kind of relation, which is their id too. */
export function xmlRelationships(targets: Record<string, string>): string {
  const relations = Object.entries(targets).map(
    ([type, target]) =>
      `<Relationship Id="${type}" Type="${openXml}/officeDocument/2006/relationships/${type.replace(/\d+$/, '')}" Target="${target}"/>`,
  )
  return `${xmlHeader}<Relationships xmlns="${openXml}/package/2006/relationships">${relations.join('')}</Relationships>`
}

export const docxParagraph = (text: string, style?: string): string =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`

const xmlHeader = '<?xml version="1.0" encoding="UTF-8"?>'
const openXml = 'http://schemas.openxmlformats.org'

const textStreams = (pages: readonly string[]): PdfPage[] =>
  pages.map(text => {
    const lines = text.split('\n').map(line => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`)
    return {
      filter: '',
      bytes: Buffer.from(`BT /F1 11 Tf 14 TL 50 780 Td ${lines.join(' ')} ET`, 'latin1'),
    }
  })

/** `about` are further entries of the page. */
type PdfPage = { filter: string; bytes: Buffer; about?: string; fonts?: string }

/** `catalog` are further entries of the document; `more` are further objects, the first of which is `4 0 R`. */
function pdfOfStreams(
  pages: readonly PdfPage[],
  {
    font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    catalog = '',
    more = [],
  }: { font?: string; catalog?: string; more?: readonly (string | Buffer)[] } = {},
): Buffer {
  const pageIds = pages.map((_, index) => `${4 + more.length + index * 2} 0 R`)
  const objects: (string | Buffer)[] = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Kids[${pageIds.join(' ')}]/Count ${pages.length}>>`,
    font,
    ...more,
  ]
  for (const { filter, bytes, about = '', fonts = '' } of pages) {
    const content = objects.length + 2
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${content} 0 R/Resources<</Font<</F1 3 0 R${fonts}>>>>${about}>>`,
      Buffer.concat([
        Buffer.from(`<</Length ${bytes.length}${filter}>>stream\n`),
        bytes,
        Buffer.from('\nendstream'),
      ]),
    )
  }
  const parts = [Buffer.from('%PDF-1.5\n')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ])
    offsets.push(length)
    length += part.length
    parts.push(part)
  }
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}
