/** PDF through PDFium, page by page: a long document needs no more memory than a short one. */
import { setImmediate } from 'node:timers/promises'
import { ParseFailure } from '../failure.ts'
import { maxPdfPages } from '../limits.ts'
import type { Reader } from '../reader.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'
import { writeAttachments } from './attachments.ts'
import { createFonts, type Fonts } from './fonts.ts'
import { blocksOf } from './layout.ts'
import { lettersOf } from './letters.ts'
import { openNotes } from './notes.ts'
import { type Library, openPdf, type PdfFile, pdfAt, pdfOf } from './pdfium.ts'
import { rulesOf } from './rules.ts'
import { wordsOf } from './words.ts'

const pagesBetweenPauses = 8

export const readPdf: Reader = async (source, writer) => {
  const file = source.path === null ? pdfOf(await source.bytes()) : pdfAt(source.path)
  try {
    let isBlank = true
    const pages: TextWriter = {
      add(kind, text, options) {
        isBlank &&= text.trim() === ''
        writer.add(kind, text, options)
      },
    }
    const { pageCount, clips } = await writePages(file, pages, source.onProgress)
    // A PDF without text may go to text recognition, which the text of attachments would prevent.
    if (!isBlank) await writeAttachments(file, clips, source, writer)
    return { pageCount }
  } finally {
    file.close()
  }
}

async function writePages(file: PdfFile, writer: TextWriter, onProgress: (share: number) => void) {
  const pdf = await openPdf(file)
  const { library, document, pageCount } = pdf
  try {
    if (pageCount > maxPdfPages)
      throw new ParseFailure('too_large', `The PDF has ${pageCount} pages; ${maxPdfPages} are read at most.`)
    /** Pages with files attached to them. */
    const clips: number[] = []
    const fonts = createFonts(library)
    const notes = openNotes(library, document)
    for (let page = 1; page <= pageCount; page++) {
      const loaded = library.FPDF_LoadPage(document, page - 1)
      // A page that is damaged is left out.
      if (loaded !== 0) {
        writePage(library, loaded, { page, fonts, writer })
        if (notes.write(loaded, page, writer)) clips.push(page)
        library.FPDF_ClosePage(loaded)
      }
      onProgress(page / pageCount)
      if (page % pagesBetweenPauses === 0) await setImmediate()
    }
    notes.close()
    return { pageCount, clips }
  } catch (error) {
    throw pdf.failure(error)
  } finally {
    pdf.close()
  }
}

type Target = { page: number; fonts: Fonts; writer: TextWriter }

function writePage(library: Library, loaded: number, { page, fonts, writer }: Target): void {
  const words = wordsOf(lettersOf(library, loaded))
  fonts.count(words)
  if (words.length === 0 || isDrawn(words.map(({ text }) => text).join(' '))) return
  const rules = rulesOf(library, loaded)
  for (const block of blocksOf({ words, rules, bodySize: fonts.bodySize(), isBold: fonts.isBold })) {
    if (block.kind === 'table') {
      writer.add('table', block.rows.map(row => row.map(onOneLine).join(' | ')).join('\n'), { page })
    } else if (!isDrawn(block.text)) {
      const level = block.kind === 'heading' ? fonts.levelOf(block.size) : 0
      writer.add(block.kind, onOneLine(block.text), { page, level })
    }
  }
}

/** True for text that is mostly control characters: fonts that only draw their letters number them from 1. */
const isDrawn = (text: string): boolean =>
  countOf(text, /\p{Cc}|\p{Co}|\ufffd/gu) > countOf(text, /\S/g) * drawnShare

/** Old fonts of TeX keep ligatures, but nothing else, at such numbers. */
const drawnShare = 0.2

const countOf = (text: string, signs: RegExp): number => text.match(signs)?.length ?? 0
