/**
 * The files that are attached to a PDF, or to places on its pages. PDFium reads them in WebAssembly, where its memory
 * has a limit: a file that exceeds it does not end the process.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { init as Init } from '@embedpdf/pdfium'
import { type Attached, onPage, writeAttached } from './attached.ts'
import { ParseFailure } from './failure.ts'
import { limits } from './office/zip.ts'
import type { Source } from './reader.ts'
import type { TextWriter } from './text-writer.ts'

const maxFiles = 1_000
/** At most this many annotations of a page are searched for files. */
const maxAnnotations = 10_000

/**
 * Writes the files after all pages; `clips` are the pages with files. The library, 35 MB in memory, is loaded only if
 * the PDF mentions embedded files. The list of them may be packed, but the mark of a file's stream never is.
 */
export async function writeAttachments(
  input: string | Uint8Array,
  clips: readonly number[],
  source: Source,
  writer: TextWriter,
): Promise<void> {
  const file = typeof input === 'string' ? fileAt(input) : fileOf(input)
  const pdf = createPdf(file)
  try {
    if ((clips.length === 0 && !mentionsFiles(file)) || !source.lookWithin()) return
    const attached = (place: Place): Attached => ({
      name: place.name,
      open: async () => ({ name: place.name, bytes: await pdf.content(place, source) }),
    })
    const { document, pages } = await pdf.places(clips)
    for (const { page, places } of pages) {
      await writeAttached(places.map(attached), source, onPage(writer, page), 1)
    }
    await writeAttached(document.map(attached), source, writer, 1)
  } catch (error) {
    if (!(error instanceof ParseFailure) || error.code === 'text_too_long') throw error
  } finally {
    pdf.close()
  }
}

/** Where a file is attached; pages count from 1. */
type Place = { page: number | null; index: number; name: string }

function createPdf(file: PdfFile) {
  let opened: ReturnType<typeof openDocument> | null = null

  /** Opens the document again if a file of this or another document has ended the library. */
  const withDocument = async <Result>(
    work: (library: Library, document: number) => Result,
  ): Promise<Result> => {
    if (opened?.library.isOver() === true) opened = null
    const own = opened?.library ?? (await library())
    try {
      opened ??= openDocument(own, file)
      return work(own, opened.document)
    } catch (error) {
      if (error instanceof ParseFailure) throw error
      own.end()
      throw new ParseFailure('archive_bomb', undefined, error)
    }
  }

  return {
    /** Lists each file once, at the first place where it is found. */
    places: (clips: readonly number[]) =>
      withDocument((library, document) => {
        const seen = new Set<number>()
        const placesOf = (page: number | null, count: number): Place[] => {
          const places: Place[] = []
          for (let index = 0; index < count && seen.size < maxFiles; index++) {
            const attachment = library.attachment(document, page, index)
            if (attachment === 0 || seen.has(attachment)) continue
            seen.add(attachment)
            places.push({ page, index, name: library.nameOf(attachment) })
          }
          return places
        }
        const onPages = clips.map(page => {
          const count = Math.min(maxAnnotations, library.EPDFPage_GetAnnotCountRaw(document, page - 1))
          return { page, places: placesOf(page, count) }
        })
        return { pages: onPages, document: placesOf(null, library.FPDFDoc_GetAttachmentCount(document)) }
      }),
    content: ({ page, index }: Place, { unpackedWithin }: Source) =>
      withDocument((library, document) => {
        const attachment = library.attachment(document, page, index)
        // A file that ends the library, or is too large, counts with `wholeBytes`.
        unpackedWithin.bytes += limits.wholeBytes
        if (unpackedWithin.bytes > limits.totalBytes) throw new ParseFailure('archive_bomb')
        const bytes = library.contentOf(attachment)
        unpackedWithin.bytes += (bytes?.length ?? 0) - limits.wholeBytes
        if (bytes === null) throw new ParseFailure('corrupt')
        return bytes
      }),
    close() {
      if (opened?.library.isOver() === false) opened.close()
      file.close()
    },
  }
}

type PdfFile = {
  sizeBytes: number
  /** Returns the number of bytes read: fewer than `target` holds at the end of the file. */
  read(target: Uint8Array, at: number): number
  close(): void
}

function fileAt(path: string): PdfFile {
  const descriptor = openSync(path, 'r')
  return {
    sizeBytes: fstatSync(descriptor).size,
    read: (target, at) => readSync(descriptor, target, 0, target.length, at),
    close: () => closeSync(descriptor),
  }
}

const fileOf = (bytes: Uint8Array): PdfFile => ({
  sizeBytes: bytes.length,
  read(target, at) {
    const found = bytes.subarray(at, at + target.length)
    target.set(found)
    return found.length
  },
  close: () => undefined,
})

const mark = '/EmbeddedFile'
const pieceBytes = 1_048_576

function mentionsFiles(file: PdfFile): boolean {
  const piece = Buffer.alloc(Math.min(pieceBytes, file.sizeBytes))
  for (let at = 0; at < file.sizeBytes; at += pieceBytes - mark.length) {
    if (piece.subarray(0, file.read(piece, at)).includes(mark, 0, 'latin1')) return true
  }
  return false
}

/** Opens the PDF, which the library reads piece by piece. Throws `corrupt`. */
function openDocument(library: Library, file: PdfFile) {
  const { malloc, free } = library.pdfium.wasmExports
  const read = library.pdfium.addFunction((_: number, at: number, to: number, length: number): number => {
    const target = library.heap().subarray(to >>> 0, (to >>> 0) + length)
    return file.read(target, at >>> 0) === length ? 1 : 0
  }, 'iiiii')
  const access = malloc(3 * numberBytes)
  for (const [index, value] of [file.sizeBytes, read, 0].entries()) {
    library.pdfium.setValue(access + index * numberBytes, value, 'i32')
  }
  const document = library.FPDF_LoadCustomDocument(access, '')
  const release = (): void => {
    library.pdfium.removeFunction(read)
    free(access)
  }
  if (document === 0) {
    release()
    throw new ParseFailure('corrupt')
  }
  const close = (): void => {
    library.FPDF_CloseDocument(document)
    release()
  }
  return { library, document, close }
}

// The library reads one file after the other until one of them ends it.

const numberBytes = 4
const nameBytes = 4_096
const fileAttachment = 17
/** A file is held up to three times while it is unpacked, of which the process may hold one more. */
const maxMemoryBytes = 64 * 1_048_576
/** A library with more memory than this reads no further file: it never gives memory back. */
const maxRestingBytes = 32 * 1_048_576
const pageBytes = 65_536

type Library = Awaited<ReturnType<typeof startLibrary>>
let running: Library | null = null

type WasmExports = Awaited<ReturnType<typeof Init>>['pdfium']['wasmExports']
type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number }

async function library(): Promise<Library> {
  if (running?.isOver() !== false) running = await startLibrary()
  return running
}

async function startLibrary() {
  running = null
  // The memory of an ended library is large, and the process may not hold two of them.
  await globalThis.gc?.({ execution: 'async' })
  const { init } = await import('@embedpdf/pdfium')
  const bound = await init({
    print: () => undefined,
    printErr: () => undefined,
    wasmBinary: readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))),
  })
  const { malloc, free, memory } = bound.pdfium.wasmExports as WasmExports & { memory: Memory }
  const grow = memory.grow.bind(memory)
  memory.grow = pages => {
    if (memory.buffer.byteLength + pages * pageBytes > maxMemoryBytes) throw new RangeError('Too much memory')
    return grow(pages)
  }
  bound.PDFiumExt_Init()
  const scratch = malloc(nameBytes)
  const heap = () => new Uint8Array(memory.buffer)
  let hasEnded = false
  return {
    ...bound,
    heap,
    isOver: () => hasEnded || memory.buffer.byteLength > maxRestingBytes,
    end() {
      hasEnded = true
    },
    /** 0 if no file is attached at this place. */
    attachment(document: number, page: number | null, index: number): number {
      if (page === null) return bound.FPDFDoc_GetAttachment(document, index)
      const annotation = bound.EPDFPage_GetAnnotRaw(document, page - 1, index)
      if (annotation === 0) return 0
      const isFile = bound.FPDFAnnot_GetSubtype(annotation) === fileAttachment
      const found = isFile ? bound.FPDFAnnot_GetFileAttachment(annotation) : 0
      bound.FPDFPage_CloseAnnot(annotation)
      return found
    },
    nameOf(attachment: number): string {
      const length = bound.FPDFAttachment_GetName(attachment, scratch, nameBytes)
      return length > 0 && length <= nameBytes ? bound.pdfium.UTF16ToString(scratch) : ''
    },
    /** Null if there is no content. Throws `too_large`, and the error that ends the library. */
    contentOf(attachment: number): Buffer | null {
      if (!bound.FPDFAttachment_GetFile(attachment, 0, 0, scratch)) return null
      const length = bound.pdfium.getValue(scratch, 'i32') >>> 0
      if (length > limits.wholeBytes) throw new ParseFailure('too_large')
      const at = malloc(length)
      bound.FPDFAttachment_GetFile(attachment, at, length, scratch)
      const bytes = Buffer.from(heap().subarray(at, at + length))
      free(at)
      return bytes
    },
  }
}
