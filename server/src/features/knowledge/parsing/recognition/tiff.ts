/** The directories of a TIFF (revision 6.0): one for each page. Cameras write the same form into a JPEG, as Exif. */

const entryBytes = 12
const mostEntries = 1_000
const orientationTag = 274

export type Tiff = {
  /** Where the directories are, in order. */
  pages: number[]
  /** How a camera was held, from 1 to 8. */
  orientation: number
  /** Makes a page the first one, as which every program reads it. */
  putFirst(page: number): void
}

/** Null if no TIFF begins there. At most `mostPages` pages are listed. */
export function tiffAt(bytes: Buffer, start: number, mostPages: number): Tiff | null {
  const tiff = bytes.subarray(start)
  const mark = tiff.toString('latin1', 0, 4)
  const isBigEndian = mark === 'MM\0*'
  if ((!isBigEndian && mark !== 'II*\0') || tiff.length < 8) return null
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length)
  const uint16 = (at: number): number => view.getUint16(at, !isBigEndian)
  const uint32 = (at: number): number => view.getUint32(at, !isBigEndian)
  const holds = (at: number, length: number): boolean => at > 0 && at + length <= tiff.length
  const entriesAt = (page: number): number => Math.min(mostEntries, uint16(page))
  const pages = new Set<number>()
  for (let at = uint32(4); holds(at, 2) && !pages.has(at) && pages.size < mostPages; ) {
    pages.add(at)
    const next = at + 2 + entryBytes * uint16(at)
    at = holds(next, 4) ? uint32(next) : 0
  }
  const orientationOf = (page: number): number => {
    for (let entry = 0; entry < entriesAt(page); entry++) {
      const at = page + 2 + entryBytes * entry
      if (!holds(at, entryBytes)) break
      if (uint16(at) === orientationTag) return uint16(at + 8)
    }
    return 1
  }
  const [first] = pages
  return {
    pages: [...pages],
    orientation: first === undefined ? 1 : orientationOf(first),
    putFirst: page => view.setUint32(4, page, !isBigEndian),
  }
}
