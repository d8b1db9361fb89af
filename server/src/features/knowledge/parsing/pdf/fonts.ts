/** The fonts of a document: which are bold, and which size most of its text has. */
import type { Library } from './pdfium.ts'
import type { Word } from './words.ts'

export type Fonts = ReturnType<typeof createFonts>

const bold = /bold|black|heavy|demi|semibd|[-,]bd\b/i

export function createFonts(library: Library) {
  const isBoldOf = new Map<number, boolean>()
  const lettersOf = new Map<number, number>()
  let body = 0
  return {
    /** Counts the letters of a page. */
    count(words: readonly Word[]): void {
      for (const { text, size } of words) {
        const rounded = Math.round(size * 2) / 2
        const letters = (lettersOf.get(rounded) ?? 0) + text.length
        lettersOf.set(rounded, letters)
        if (letters > (lettersOf.get(body) ?? 0)) body = rounded
      }
    },
    /** The size of most letters of the pages so far. */
    bodySize: () => body,
    /** 1 for the largest headings. */
    levelOf: (size: number): number => (size > body * 1.6 ? 1 : size > body * 1.25 ? 2 : 3),
    isBold(font: number): boolean {
      let isBold = isBoldOf.get(font)
      if (isBold === undefined) {
        const length = library.FPDFFont_GetBaseFontName(font, library.scratch, library.scratchBytes)
        const name =
          length > 0 && length <= library.scratchBytes ? library.pdfium.UTF8ToString(library.scratch) : ''
        isBold = bold.test(name)
        isBoldOf.set(font, isBold)
      }
      return isBold
    },
  }
}
