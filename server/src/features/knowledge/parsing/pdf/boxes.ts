/** Where a passage lies on a page: its words are looked for among the letters of the page. */
import { lettersOf, vertical } from './letters.ts'
import { least, most } from './numbers.ts'
import { openPdf, type Pdf, pdfAt } from './pdfium.ts'
import { type Word, wordsOf } from './words.ts'

/** In shares of the page as it is shown, from its left and its upper edge. */
export type Box = { left: number; top: number; right: number; bottom: number }

/** Where a passage lies on a page; null if the page is absent. */
export type PlacedPassage = { boxes: Box[] | null }

/** The boxes of a passage on a page, a line each. Null if the file has no such page. Throws `ParseFailure`. */
export async function findPassage(path: string, page: number, passage: string): Promise<PlacedPassage> {
  const file = pdfAt(path)
  let pdf: Pdf | null = null
  try {
    pdf = await openPdf(file)
    return page > pdf.pageCount ? { boxes: null } : { boxes: boxesOn(pdf, page - 1, passage) }
  } catch (error) {
    throw pdf === null ? error : pdf.failure(error)
  } finally {
    pdf?.close()
    file.close()
  }
}

function boxesOn({ library, document }: Pdf, index: number, passage: string): Box[] {
  const page = library.FPDF_LoadPage(document, index)
  if (page === 0) return []
  const words = wordsOf(lettersOf(library, page))
  const found = wordsIn(words, passage)
  const boxes = joined(found).map(run => boxOf(run, (x, y) => shareOf(x, y)))
  library.FPDF_ClosePage(page)
  return boxes.slice(0, mostBoxes)

  /** The page may be turned, or show only a part of what is drawn. */
  function shareOf(x: number, y: number): { x: number; y: number } {
    const at = library.scratch
    library.FPDF_PageToDevice(page, 0, 0, device, device, 0, x, y, at, at + 4)
    const { buffer } = library.views()
    const [column = 0, row = 0] = new Int32Array(buffer, at, 2)
    return { x: within(column / device), y: within(row / device) }
  }
}

const mostBoxes = 500
const device = 100_000
const within = (share: number): number => Math.min(1, Math.max(0, share))

/** Letters and digits only: readers join lines and words, and write marks. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Runs of letters begin with as many that are the same. */
const gramLength = 4
/** A run of this length is the passage's wherever it lies, a shorter one only near the run before. */
const longRun = 12
const nearLength = 200
const mostPlaces = 200

/** The words of a page that a passage has, as runs that are as long as can be. */
function wordsIn(words: readonly Word[], passage: string): Word[] {
  const wanted = plain(passage)
  let text = ''
  const wordAt: number[] = []
  for (const [index, word] of words.entries()) {
    const letters = plain(word.text)
    text += letters
    for (let count = 0; count < letters.length; count++) wordAt.push(index)
  }
  const length = Math.min(gramLength, wanted.length)
  if (length === 0) return []
  const places = new Map<string, number[]>()
  for (let at = 0; at + length <= text.length; at++) {
    const gram = text.slice(at, at + length)
    const known = places.get(gram)
    if (known === undefined) places.set(gram, [at])
    else if (known.length < mostPlaces) known.push(at)
  }
  const found = new Set<number>()
  let last: number | null = null
  for (let at = 0; at + length <= wanted.length; ) {
    let [start, run] = [0, 0]
    for (const place of places.get(wanted.slice(at, at + length)) ?? []) {
      let same = length
      while (at + same < wanted.length && text[place + same] === wanted[at + same]) same += 1
      const isNearer = last !== null && Math.abs(place - last) < Math.abs(start - last)
      if (same > run || (same === run && isNearer)) [start, run] = [place, same]
    }
    const isNear = last !== null && Math.abs(start - last) <= nearLength
    if (run >= Math.min(longRun, wanted.length) || (run > 0 && isNear)) {
      for (let letter = start; letter < start + run; letter++) found.add(wordAt[letter] ?? 0)
      last = start + run
      at += run
    } else at += 1
  }
  return words.filter((_, index) => found.has(index))
}

/** Words that follow each other on a line. */
function joined(words: readonly Word[]): Word[][] {
  const runs: Word[][] = []
  for (const word of words) {
    const before = runs.at(-1)?.at(-1)
    const isNext =
      before !== undefined &&
      before.turn === word.turn &&
      Math.abs(before.base - word.base) < word.size * sameLine &&
      Math.abs(word.start - before.end) < word.size * widestGap
    if (isNext) runs.at(-1)?.push(word)
    else runs.push([word])
  }
  return runs
}

/** Shares of the font's height. */
const sameLine = 0.35
const widestGap = 2
const ascent = 0.9
const descent = 0.25

function boxOf(run: readonly Word[], shareOf: (x: number, y: number) => { x: number; y: number }): Box {
  const [start, end] = [least(run, word => word.start), most(run, word => word.end)]
  const [first, last] = [
    least(run, ({ base, size }) => base - ascent * size),
    most(run, ({ base, size }) => base + descent * size),
  ]
  const turn = run[0]?.turn ?? 0
  const corners = [start, end].flatMap(along =>
    [first, last].map(across => {
      const { x, y } = placeOf(along, across, turn)
      return shareOf(x, y)
    }),
  )
  return {
    left: least(corners, ({ x }) => x),
    top: least(corners, ({ y }) => y),
    right: most(corners, ({ x }) => x),
    bottom: most(corners, ({ y }) => y),
  }
}

/** The point of the page, upwards, of a point along and across a line that is turned. */
function placeOf(along: number, across: number, turn: number): { x: number; y: number } {
  if (turn === vertical) return { x: -across, y: -along }
  const radians = (-turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  return { x: along * cos + across * sin, y: along * sin - across * cos }
}
