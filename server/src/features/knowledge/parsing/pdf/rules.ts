/** Lines that are drawn on a page, or are the edges of drawn boxes. */
import type { Library } from './pdfium.ts'
import type { Rule } from './tables.ts'
import type { Word } from './words.ts'

const pathObject = 2
const maxObjects = 50_000
/** Drawings of more parts than this are no tables. */
const maxPaths = 4_000
const thickest = 3
const shortest = 8

/** The horizontal ones, in the coordinates of upright text. */
export function rulesOf(library: Library, page: number): Rule[] {
  const count = Math.min(maxObjects, library.FPDFPage_CountObjects(page))
  const calls = library.direct
  const rules: Rule[] = []
  const at = library.scratch
  const first = at >> 2
  for (let index = 0; index < count; index++) {
    const object = calls.FPDFPage_GetObject(page, index)
    if (calls.FPDFPageObj_GetType(object) !== pathObject) continue
    if (calls.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12) === 0) continue
    const [left = 0, bottom = 0, right = 0, top = 0] = library.views().floats.subarray(first, first + 4)
    if (right - left < shortest) continue
    if (rules.length > maxPaths) return []
    rules.push({ start: left, end: right, across: -top })
    if (top - bottom > thickest) rules.push({ start: left, end: right, across: -bottom })
  }
  return joined(rules)
}

const pictureObject = 3
/** A picture that is smaller than this, in points, has no room for text. */
const smallestPicture = 36
/** A page with more pictures is drawn in pieces. */
const mostPictures = 200

/** How many pictures of a page no text lies on. Text lies on a scan that was read before, and on a background. */
export function barePictures(library: Library, page: number, words: readonly Word[]): number {
  const count = Math.min(maxObjects, library.FPDFPage_CountObjects(page))
  const calls = library.direct
  const at = library.scratch
  const first = at >> 2
  const upright = words.filter(({ turn }) => turn === 0)
  let pictures = 0
  let bare = 0
  for (let index = 0; index < count && pictures < mostPictures; index++) {
    const object = calls.FPDFPage_GetObject(page, index)
    if (calls.FPDFPageObj_GetType(object) !== pictureObject) continue
    if (calls.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12) === 0) continue
    const [left = 0, bottom = 0, right = 0, top = 0] = library.views().floats.subarray(first, first + 4)
    if (right - left < smallestPicture || top - bottom < smallestPicture) continue
    pictures += 1
    const isCovered = upright.some(
      ({ start, end, base }) => start >= left && end <= right && -base >= bottom && -base <= top,
    )
    if (!isCovered) bare += 1
  }
  return bare
}

/** Cells that are drawn one by one have a rule of many parts below them. */
function joined(rules: readonly Rule[]): Rule[] {
  const whole: Rule[] = []
  for (const rule of rules.toSorted(
    (a, b) => Math.round(a.across) - Math.round(b.across) || a.start - b.start,
  )) {
    const before = whole.at(-1)
    const isNext =
      before !== undefined && Math.abs(before.across - rule.across) < 2 && rule.start < before.end + thickest
    if (isNext) before.end = Math.max(before.end, rule.end)
    else whole.push({ ...rule })
  }
  return whole
}
