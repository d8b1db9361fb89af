/** Pages as pictures: in grey for programs that recognise text, in colour for people. */
import { crc32, deflateSync } from 'node:zlib'
import type { RenderedPage } from '../children/child-process.ts'
import { ParseFailure } from '../failure.ts'
import { openPdf, type Pdf, pdfAt } from './pdfium.ts'

/** The resolution that text recognition programs expect. A page of A4 takes 35 MB while it is drawn. */
const dotsPerInch = 300
const pointsPerInch = 72
/** Larger pages are drawn smaller. */
const mostDots = 12_000_000
const drawAnnotations = 1
const white = 0xffffffff

/**
 * One page in colour, `longest` pixels at its longer side. The picture is null if the file has no such page. Throws
 * `ParseFailure`: `corrupt` for a page that cannot be drawn.
 */
export async function drawPage(path: string, page: number, longest: number): Promise<RenderedPage> {
  const file = pdfAt(path)
  let pdf: Pdf | null = null
  try {
    pdf = await openPdf(file)
    const { pageCount } = pdf
    if (page > pageCount) return { page, pageCount, picture: null }
    const picture = draw(pdf, page - 1, (wide, high) => longest / Math.max(1, wide, high), rgbOf)
    if (picture === null) throw new ParseFailure('corrupt')
    return { page, pageCount, picture: pngOf(picture).toString('base64') }
  } finally {
    pdf?.close()
    file.close()
  }
}

/** A page of an open PDF as a PNG, for text recognition; null if nothing is on it, or it is damaged. */
export function greyPage(pdf: Pdf, index: number): Buffer | null {
  const scaleOf = (wide: number, high: number): number =>
    Math.min(dotsPerInch / pointsPerInch, Math.sqrt(mostDots / Math.max(1, wide * high)))
  const picture = draw(pdf, index, scaleOf, greyOf)
  return picture === null ? null : pngOf(picture)
}

/** A bitmap of PDFium: four bytes for each dot, of which the first three are blue, green and red. */
type Bitmap = { bytes: Uint8Array; from: number; stride: number; width: number; height: number }

/** Rows of dots, with the filter's byte before each row. */
type Picture = { rows: Buffer; width: number; height: number; colourType: number }

function draw(
  pdf: Pdf,
  index: number,
  scaleOf: (wide: number, high: number) => number,
  pictureFrom: (bitmap: Bitmap) => Picture | null,
): Picture | null {
  try {
    return drawn(pdf, index, scaleOf, pictureFrom)
  } catch (error) {
    throw pdf.failure(error)
  }
}

function drawn(
  { library, document }: Pdf,
  index: number,
  scaleOf: (wide: number, high: number) => number,
  pictureFrom: (bitmap: Bitmap) => Picture | null,
): Picture | null {
  const page = library.FPDF_LoadPage(document, index)
  if (page === 0) return null
  const [wide, high] = [library.FPDF_GetPageWidthF(page), library.FPDF_GetPageHeightF(page)]
  const scale = scaleOf(wide, high)
  const [width, height] = [Math.max(1, Math.round(wide * scale)), Math.max(1, Math.round(high * scale))]
  const bitmap = library.FPDFBitmap_Create(width, height, 0)
  if (bitmap === 0) throw new ParseFailure('out_of_memory')
  library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
  library.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, drawAnnotations)
  const picture = pictureFrom({
    bytes: library.views().bytes,
    from: library.FPDFBitmap_GetBuffer(bitmap),
    stride: library.FPDFBitmap_GetStride(bitmap),
    width,
    height,
  })
  library.FPDFBitmap_Destroy(bitmap)
  library.FPDF_ClosePage(page)
  return picture
}

const greyType = 0
const rgbType = 2

/** One byte for each dot; null if all dots are alike. */
function greyOf({ bytes, from, stride, width, height }: Bitmap): Picture | null {
  const rows = Buffer.alloc((width + 1) * height)
  let isEven = true
  let first = -1
  for (let y = 0, to = 0; y < height; y++) {
    to += 1
    for (let x = 0, at = from + y * stride; x < width; x++, at += 4) {
      const grey = ((bytes[at] ?? 0) * 29 + (bytes[at + 1] ?? 0) * 150 + (bytes[at + 2] ?? 0) * 77) >> 8
      if (first < 0) first = grey
      isEven &&= grey === first
      rows[to++] = grey
    }
  }
  return isEven ? null : { rows, width, height, colourType: greyType }
}

function rgbOf({ bytes, from, stride, width, height }: Bitmap): Picture {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0, to = 0; y < height; y++) {
    to += 1
    for (let x = 0, at = from + y * stride; x < width; x++, at += 4) {
      rows[to++] = bytes[at + 2] ?? 0
      rows[to++] = bytes[at + 1] ?? 0
      rows[to++] = bytes[at] ?? 0
    }
  }
  return { rows, width, height, colourType: rgbType }
}

/** A PNG (ISO 15948) of eight bits for each sample. */
function pngOf({ rows, width, height, colourType }: Picture): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colourType, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    part('IHDR', header),
    part('IDAT', deflateSync(rows, { level: 1 })),
    part('IEND', Buffer.alloc(0)),
  ])
}

function part(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(content.length, 0)
  framed.set(typed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}
