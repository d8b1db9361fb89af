/** The remarks and form values that people have added to pages. Links only name addresses. */
import { onOneLine, type TextWriter } from '../text-writer.ts'
import type { Library } from './pdfium.ts'

const kinds = { link: 2, popup: 16, file: 17, widget: 20 }
/** At most this many of a page are read. */
const maxNotes = 10_000
/** A push button has a caption, but no value. */
const pushButton = 1

export function openNotes(library: Library, document: number) {
  const info = library.PDFiumExt_OpenFormFillInfo()
  const form = library.PDFiumExt_InitFormFillEnvironment(document, info)

  const fieldOf = (note: number): string => {
    if (library.FPDFAnnot_GetFormFieldType(form, note) === pushButton) return ''
    const value = onOneLine(
      library.textOf((at, bytes) => library.FPDFAnnot_GetFormFieldValue(form, note, at, bytes)),
    )
    if (value === '' || value === 'Off') return ''
    const alternate = library.textOf((at, bytes) =>
      library.FPDFAnnot_GetFormFieldAlternateName(form, note, at, bytes),
    )
    const name = library.textOf((at, bytes) => library.FPDFAnnot_GetFormFieldName(form, note, at, bytes))
    const label = onOneLine(alternate || name)
    return label === '' ? value : `${label}: ${value}`
  }

  return {
    /** Writes those of a page. True if a file is attached to the page. */
    write(loaded: number, page: number, writer: TextWriter): boolean {
      const count = Math.min(maxNotes, library.FPDFPage_GetAnnotCount(loaded))
      const fields = new Set<string>()
      let hasFile = false
      for (let index = 0; index < count; index++) {
        const note = library.FPDFPage_GetAnnot(loaded, index)
        if (note === 0) continue
        const kind = library.FPDFAnnot_GetSubtype(note)
        hasFile ||= kind === kinds.file
        if (kind === kinds.widget) fields.add(fieldOf(note))
        // A popup repeats the remark that it belongs to.
        else if (kind !== kinds.link && kind !== kinds.popup)
          writer.add(
            'paragraph',
            library.textOf((at, bytes) => library.FPDFAnnot_GetStringValue(note, 'Contents', at, bytes)),
            { page },
          )
        library.FPDFPage_CloseAnnot(note)
      }
      fields.delete('')
      writer.add('table', [...fields].join('\n'), { page })
      return hasFile
    },
    close(): void {
      library.PDFiumExt_ExitFormFillEnvironment(form)
      library.PDFiumExt_CloseFormFillInfo(info)
    },
  }
}
