/** Pages that are pictures: scans, and letters that are drawn as lines. */
import type { Library } from './pdfium.ts'

const pathObject = 2
const imageObject = 3
const formObject = 5
/** Fewer lines are a frame or a drawing; a line of text that is drawn has more. */
const fewestPaths = 200
/** A smaller picture is a logo or an ornament. */
const smallestShare = 0.25
const maxObjects = 10_000

/** Whether a page without text may show some. */
export function isPicture(library: Library, page: number): boolean {
  const count = Math.min(maxObjects, library.FPDFPage_CountObjects(page))
  const pageArea = library.FPDF_GetPageWidthF(page) * library.FPDF_GetPageHeightF(page)
  const calls = library.direct
  const at = library.scratch
  const first = at >> 2
  let paths = 0
  let area = 0
  for (let index = 0; index < count; index++) {
    const object = calls.FPDFPage_GetObject(page, index)
    const type = calls.FPDFPageObj_GetType(object)
    if (type === pathObject) paths += 1
    if (type !== imageObject && type !== formObject) continue
    if (calls.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12) === 0) continue
    const [left = 0, bottom = 0, right = 0, top = 0] = library.views().floats.subarray(first, first + 4)
    area += Math.max(0, right - left) * Math.max(0, top - bottom)
  }
  return paths >= fewestPaths || area >= pageArea * smallestShare
}
