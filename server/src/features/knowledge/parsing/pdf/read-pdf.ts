/** PDF through PDFium, page by page: a long document needs no more memory than a short one. */
import { setImmediate } from 'node:timers/promises'
import { ParseFailure } from '../failure.ts'
import { maxPdfPages } from '../limits.ts'
import { writePlainText } from '../plain-text.ts'
import type { Reader, Recognise, Source } from '../reader.ts'
import { rowText } from '../tables/rows.ts'
import { onOneLine, onPage, type TextWriter } from '../text-writer.ts'
import type { Warn } from '../warnings.ts'
import { writeAttachments } from './attachments.ts'
import { createFonts, type Fonts } from './fonts.ts'
import { blocksOf } from './layout.ts'
import { lettersOf } from './letters.ts'
import { lostLines } from './lost-lines.ts'
import { openNotes } from './notes.ts'
import { type Library, openPdf, type Pdf, type PdfFile, pdfAt, pdfOf } from './pdfium.ts'
import { greyPage } from './render.ts'
import { barePictures, rulesOf } from './rules.ts'
import { isPicture } from './scans.ts'
import { wordsOf } from './words.ts'

const pagesBetweenPauses = 8

export const readPdf: Reader = async (source, writer) => {
  const file = source.path === null ? pdfOf(await source.bytes()) : pdfAt(source.path)
  try {
    const { clips, isBlank, ...about } = await writePages(file, writer, source)
    if (!isBlank || source.isFinal) await writeAttachments(file, clips, source, writer)
    return about
  } finally {
    file.close()
  }
}

async function writePages(file: PdfFile, writer: TextWriter, { warn, recognise, onProgress }: Source) {
  const pdf = await openPdf(file)
  const { library, document, pageCount } = pdf
  try {
    if (pageCount > maxPdfPages)
      throw new ParseFailure('too_large', `The PDF has ${pageCount} pages; ${maxPdfPages} are read at most.`)
    /** Pages with files attached to them. */
    const clips: number[] = []
    const fonts = createFonts(library)
    const notes = openNotes(library, document)
    let textPages = 0
    let unreadPages = 0
    for (let page = 1; page <= pageCount; page++) {
      const loaded = library.FPDF_LoadPage(document, page - 1)
      // A page that is damaged is left out.
      if (loaded === 0) warn('page_not_read', { page })
      else {
        let hasText = false
        const ofPage: TextWriter = {
          add(kind, text, options) {
            hasText ||= text.trim() !== ''
            writer.add(kind, text, options)
          },
        }
        const hasWords = writePage(library, loaded, { page, fonts, writer: ofPage, warn })
        if (!hasWords && !(await readScan({ pdf, loaded, page, writer: ofPage, recognise }))) unreadPages += 1
        if (notes.write(loaded, page, ofPage)) clips.push(page)
        library.FPDF_ClosePage(loaded)
        // A damaged page may look blank, so blank pages are not left out.
        if (hasText) textPages += 1
        else warn('pages_without_text', { page })
      }
      onProgress(page / pageCount)
      if (page % pagesBetweenPauses === 0) await setImmediate()
    }
    notes.close()
    return { pageCount, clips, unreadPages, isBlank: textPages === 0 }
  } catch (error) {
    throw pdf.failure(error)
  } finally {
    pdf.close()
  }
}

type Scan = { pdf: Pdf; loaded: number; page: number; writer: TextWriter; recognise: Recognise | null }

/** For a page without text. False if it is a picture that is not read. */
async function readScan({ pdf, loaded, page, writer, recognise }: Scan): Promise<boolean> {
  if (recognise === null) return !isPicture(pdf.library, loaded)
  const picture = greyPage(pdf, page - 1)
  if (picture === null) return true
  const text = await recognise(picture)
  if (text !== null) writePlainText(text, onPage(writer, page))
  return text !== null
}

type Target = { page: number; fonts: Fonts; writer: TextWriter; warn: Warn }

/** False if the page has no text, or only codes of letters that its fonts draw. */
function writePage(library: Library, loaded: number, { page, fonts, writer, warn }: Target): boolean {
  const words = wordsOf(lettersOf(library, loaded))
  fonts.count(words)
  if (words.length === 0 || isDrawn(words.map(({ text }) => text).join(' '))) return false
  warn('pictures_not_read', { page, count: barePictures(library, loaded, words) })
  const rules = rulesOf(library, loaded)
  const blocks = blocksOf({ words, rules, bodySize: fonts.bodySize(), isBold: fonts.isBold })
  for (const block of blocks) {
    if (block.kind === 'table') {
      writer.add('table', block.rows.map(rowText).join('\n'), { page })
    } else if (isDrawn(block.text)) warn('part_not_read', { page })
    else {
      const level = block.kind === 'heading' ? fonts.levelOf(block.size) : 0
      writer.add(block.kind, onOneLine(block.text), { page, level })
    }
  }
  const lost = lostLines(words, blocks)
  for (const line of lost.lines) writer.add('paragraph', line, { page })
  if (lost.share > leastAdded) warn('lines_added', { page, count: lost.lines.length })
  return true
}

/** A smaller share of a page's letters is not worth a warning: they are in the text. */
const leastAdded = 0.01

/** True for text that is mostly control characters: fonts that only draw their letters number them from 1. */
const isDrawn = (text: string): boolean =>
  countOf(text, /\p{Cc}|\p{Co}|\ufffd/gu) > countOf(text, /\S/g) * drawnShare

/** Old fonts of TeX keep ligatures, but nothing else, at such numbers. */
const drawnShare = 0.2

const countOf = (text: string, signs: RegExp): number => text.match(signs)?.length ?? 0
