/** The files that are attached to a PDF, or to places on its pages. */
import { type Attached, writeAttached } from '../attached.ts'
import { ParseFailure } from '../failure.ts'
import { limits } from '../office/zip.ts'
import type { Source } from '../reader.ts'
import type { TextWriter } from '../text-writer.ts'
import { type Library, type OpenDocument, openDocument, type PdfFile, takeLibrary } from './pdfium.ts'

const maxFiles = 1_000
/** At most this many annotations of a page are searched for files. */
const maxAnnotations = 10_000

/**
 * Writes the files after all pages; `clips` are the pages with files. The list of files may be packed, but the mark of
 * a file's stream never is: most PDFs are not opened again.
 */
export async function writeAttachments(
  file: PdfFile,
  clips: readonly number[],
  source: Source,
  writer: TextWriter,
): Promise<void> {
  if (clips.length === 0 && !mentionsFiles(file)) return
  if (!source.lookWithin()) {
    source.warn('attachment_not_read', { count: Math.max(1, clips.length) })
    return
  }
  const pdf = createPdf(file)
  try {
    const attached = (place: Place): Attached => ({
      name: place.name,
      open: async () => ({ name: place.name, bytes: await pdf.content(place, source) }),
    })
    for (const { page, places } of await listAll(pdf, clips, source)) {
      await writeAttached(places.map(attached), source, writer, { level: 1, page })
    }
  } finally {
    pdf.close()
  }
}

/** Those of the pages, then those of the document. A list that cannot be read takes no other with it. */
async function listAll(pdf: ReturnType<typeof createPdf>, clips: readonly number[], { warn }: Source) {
  const lists: { page: number | undefined; places: Place[] }[] = []
  for (const page of [...clips, undefined]) {
    try {
      const { places, leftOut } = await pdf.places(page)
      lists.push({ page, places })
      warn('files_left_out', { page, count: leftOut })
    } catch (error) {
      if (!(error instanceof ParseFailure)) throw error
      warn('attachment_not_read', { page })
    }
  }
  return lists
}

/** Where a file is attached; pages count from 1. */
type Place = { page: number | undefined; index: number; name: string }

function createPdf(file: PdfFile) {
  let opened: (OpenDocument & { library: Library }) | null = null
  const seen = new Set<number>()

  /** Opens the document again if a file of this or another document has ended the library. */
  const withDocument = async <Result>(
    work: (library: Library, document: number) => Result,
  ): Promise<Result> => {
    if (opened?.library.isOver() === true) opened = null
    const library = opened?.library ?? (await takeLibrary())
    library.limitMemory(maxMemoryBytes)
    try {
      if (opened === null) {
        const document = openDocument(library, file)
        if (document === null) throw new ParseFailure('corrupt')
        opened = { ...document, library }
      }
      return work(library, opened.document)
    } catch (error) {
      if (error instanceof ParseFailure) throw error
      library.end()
      throw new ParseFailure('archive_bomb', undefined, error)
    }
  }

  return {
    /** Lists those files of a page, or of the document, that were not listed before. */
    places: (page: number | undefined) =>
      withDocument((library, document) => {
        const count =
          page === undefined
            ? library.FPDFDoc_GetAttachmentCount(document)
            : Math.min(maxAnnotations, library.EPDFPage_GetAnnotCountRaw(document, page - 1))
        const places: Place[] = []
        let leftOut = 0
        for (let index = 0; index < count; index++) {
          // The library walks the document's list for each file.
          if (page === undefined && seen.size >= maxFiles) {
            leftOut = count - index
            break
          }
          const attachment = attachmentAt(library, document, { page, index })
          if (attachment === 0 || seen.has(attachment)) continue
          seen.add(attachment)
          if (seen.size > maxFiles) {
            leftOut += 1
            continue
          }
          const name = library.textOf((at, bytes) => library.FPDFAttachment_GetName(attachment, at, bytes))
          places.push({ page, index, name })
        }
        return { places, leftOut }
      }),
    content: ({ page, index }: Place, { unpackedWithin }: Source) =>
      withDocument((library, document) => {
        const attachment = attachmentAt(library, document, { page, index })
        // A file that ends the library, or is too large, counts with `wholeBytes`.
        unpackedWithin.bytes += limits.wholeBytes
        if (unpackedWithin.bytes > limits.totalBytes) throw new ParseFailure('archive_bomb')
        const bytes = contentOf(library, attachment)
        unpackedWithin.bytes += (bytes?.length ?? 0) - limits.wholeBytes
        if (bytes === null) throw new ParseFailure('corrupt')
        return bytes
      }),
    close() {
      if (opened?.library.isOver() === false) opened.close()
    },
  }
}

const mark = '/EmbeddedFile'
const pieceBytes = 1_048_576

function mentionsFiles(file: PdfFile): boolean {
  const piece = Buffer.alloc(Math.min(pieceBytes, file.sizeBytes))
  for (let at = 0; at < file.sizeBytes; at += pieceBytes - mark.length) {
    if (piece.subarray(0, file.read(piece, at)).includes(mark, 0, 'latin1')) return true
  }
  return false
}

const fileAttachment = 17
/** A file is held up to three times while it is unpacked, of which the process may hold one more. */
const maxMemoryBytes = 64 * 1_048_576

/** 0 if no file is attached at this place. */
function attachmentAt(
  library: Library,
  document: number,
  { page, index }: { page: number | undefined; index: number },
): number {
  if (page === undefined) return library.FPDFDoc_GetAttachment(document, index)
  const annotation = library.EPDFPage_GetAnnotRaw(document, page - 1, index)
  if (annotation === 0) return 0
  const isFile = library.FPDFAnnot_GetSubtype(annotation) === fileAttachment
  const found = isFile ? library.FPDFAnnot_GetFileAttachment(annotation) : 0
  library.FPDFPage_CloseAnnot(annotation)
  return found
}

/** Null if there is no content. Throws `too_large`, and the error that ends the library. */
function contentOf(library: Library, attachment: number): Buffer | null {
  const { scratch } = library
  if (!library.FPDFAttachment_GetFile(attachment, 0, 0, scratch)) return null
  const length = library.pdfium.getValue(scratch, 'i32') >>> 0
  if (length > limits.wholeBytes) throw new ParseFailure('too_large')
  const at = library.pdfium.wasmExports.malloc(length)
  library.FPDFAttachment_GetFile(attachment, at, length, scratch)
  const bytes = Buffer.from(library.views().bytes.subarray(at, at + length))
  library.pdfium.wasmExports.free(at)
  return bytes
}
