/** Pictures of text, as a scanner makes them: PDFium draws a page, whose dots are then all that is left of it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { drawPage } from '../../features/knowledge/parsing/pdf/render.ts'
import { pdfOf } from './sample-files.ts'

export type Scan = { width: number; height: number; png: Buffer; grey: Buffer }

/** A page of A4 with these lines at 170 dots per inch. */
export async function scanned(text: string): Promise<Scan> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-scan-'))
  const path = join(folder, 'page.pdf')
  try {
    await writeFile(path, pdfOf(text))
    const { picture } = await drawPage(path, 1, 2_000)
    return scanOfPng(Buffer.from(picture ?? '', 'base64'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reads what `drawPage` writes: three bytes for each dot, one part of data, and rows without a filter. */
function scanOfPng(png: Buffer): Scan {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
  const grey = Buffer.alloc(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) grey[y * width + x] = rows[y * (width * 3 + 1) + 1 + x * 3] ?? 0
  }
  return { width, height, png, grey }
}

/** The dots of a scan after so many quarter turns. */
export function turned(scan: Scan, quarters: number): Scan {
  if (quarters === 0) return scan
  const { width, height, grey } = scan
  const quarter = Buffer.alloc(grey.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) quarter[x * height + (height - 1 - y)] = grey[y * width + x] ?? 0
  return turned({ ...scan, width: height, height: width, grey: quarter }, quarters - 1)
}

/** A TIFF whose pages are these scans, without compression. `orientation` is that of a camera. */
export function tiffOf(scans: readonly Scan[], orientation = 1): Buffer {
  const parts: Buffer[] = [Buffer.from('II*\0\0\0\0\0', 'latin1')]
  let length = 8
  let linkAt = 4
  for (const { width, height, grey } of scans) {
    const directoryAt = length + grey.length
    const entries: (readonly [tag: number, value: number])[] = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, length],
      [274, orientation],
      [277, 1],
      [278, height],
      [279, grey.length],
    ]
    const directory = Buffer.alloc(2 + 12 * entries.length + 4)
    directory.writeUInt16LE(entries.length, 0)
    for (const [index, [tag, value]] of entries.entries()) {
      const at = 2 + 12 * index
      directory.writeUInt16LE(tag, at)
      // Numbers of four bytes, one each.
      directory.writeUInt16LE(4, at + 2)
      directory.writeUInt32LE(1, at + 4)
      directory.writeUInt32LE(value, at + 8)
    }
    parts.push(grey, directory)
    writeLink(parts, linkAt, directoryAt)
    length = directoryAt + directory.length
    linkAt = length - 4
  }
  return Buffer.concat(parts)
}

function writeLink(parts: readonly Buffer[], at: number, value: number): void {
  let from = 0
  for (const part of parts) {
    if (at < from + part.length) return void part.writeUInt32LE(value, at - from)
    from += part.length
  }
}
