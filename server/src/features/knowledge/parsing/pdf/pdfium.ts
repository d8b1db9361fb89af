/** PDFium in WebAssembly, where its memory has a limit: a file that exceeds it ends the library, not the process. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { init as Init } from '@embedpdf/pdfium'
import { ParseFailure } from '../failure.ts'

/** A file that the library reads piece by piece. */
export type PdfFile = {
  sizeBytes: number
  /** Returns the number of bytes read: fewer than `target` holds at the end of the file. */
  read(target: Uint8Array, at: number): number
  close(): void
}

function fileAt(path: string, start = 0): PdfFile {
  const descriptor = openSync(path, 'r')
  return {
    sizeBytes: fstatSync(descriptor).size - start,
    read: (target, at) => readSync(descriptor, target, 0, target.length, start + at),
    close: () => closeSync(descriptor),
  }
}

/** The PDF at a path from its header on: other data may stand before the header. */
export function pdfAt(path: string): PdfFile {
  const head = Buffer.alloc(headBytes)
  const file = fileAt(path)
  const start = headerIn(head.subarray(0, file.read(head, 0)))
  if (start === 0) return file
  file.close()
  return fileAt(path, start)
}

/** The same for a PDF in memory. */
export function pdfOf(whole: Buffer): PdfFile {
  const bytes = whole.subarray(headerIn(whole.subarray(0, headBytes)))
  return {
    sizeBytes: bytes.length,
    read(target, at) {
      const found = bytes.subarray(at, at + target.length)
      target.set(found)
      return found.length
    },
    close: () => undefined,
  }
}

const headerIn = (head: Buffer): number => Math.max(0, head.indexOf('%PDF-'))

const headBytes = 1_024
const numberBytes = 4
const scratchBytes = 4_096
const pageBytes = 65_536
/** A library with more memory than this reads no further file: it never gives memory back. */
const maxRestingBytes = 48 * 1_048_576

/** Called for each letter and each part of a drawing, without the library's wrappers, which convert each result. */
type DirectCalls = Record<
  'FPDFText_GetUnicode' | 'FPDFText_IsHyphen' | 'FPDFText_GetTextObject' | 'FPDFText_GetFontSize',
  (text: number, index: number) => number
> &
  Record<
    'FPDFText_GetLooseCharBox' | 'FPDFText_GetMatrix',
    (text: number, index: number, at: number) => number
  > & {
    FPDFText_GetCharOrigin(text: number, index: number, atX: number, atY: number): number
    FPDFTextObj_GetFont(object: number): number
    FPDFPage_GetObject(page: number, index: number): number
    FPDFPageObj_GetType(object: number): number
    FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number
  }
type WasmExports = Awaited<ReturnType<typeof Init>>['pdfium']['wasmExports']
type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number }

export type Library = Awaited<ReturnType<typeof startLibrary>>

let running: Library | null = null

/** The library reads one file after the other until one of them ends it. */
export async function takeLibrary(): Promise<Library> {
  if (running?.isOver() === false) return running
  running = null
  // The memory of an ended library is large, and the process may not hold two of them.
  await globalThis.gc?.({ execution: 'async' })
  running = await startLibrary()
  return running
}

async function startLibrary() {
  const { init } = await import('@embedpdf/pdfium')
  const bound = await init({
    print: () => undefined,
    printErr: () => undefined,
    wasmBinary: readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))),
  })
  const exports = bound.pdfium.wasmExports as WasmExports & DirectCalls & { memory: Memory }
  const { memory } = exports
  let maxBytes = Number.POSITIVE_INFINITY
  let isShort = false
  const grow = memory.grow.bind(memory)
  memory.grow = pages => {
    isShort = memory.buffer.byteLength + pages * pageBytes > maxBytes
    // The library takes it for a lack of memory, and ends with an error of its own.
    if (isShort) throw new RangeError('Too much memory')
    return grow(pages)
  }
  bound.PDFiumExt_Init()
  const scratch = exports.malloc(scratchBytes)
  let views = viewsOf(memory.buffer)
  let hasEnded = false
  return {
    ...bound,
    direct: exports as DirectCalls,
    /** Memory for results of single calls; aligned to 8 bytes. */
    scratch,
    scratchBytes,
    /** Of the memory, which moves when it grows. */
    views() {
      if (views.buffer !== memory.buffer) views = viewsOf(memory.buffer)
      return views
    },
    /** A call that needs more memory than this throws, and ends the library. */
    limitMemory(bytes: number) {
      maxBytes = bytes
    },
    /** True once a call was refused more memory. */
    isShortOfMemory: () => isShort,
    isOver: () => hasEnded || memory.buffer.byteLength > maxRestingBytes,
    end() {
      hasEnded = true
    },
    /** The text that a call writes as UTF-16 and whose length in bytes it returns; '' if it is longer than `scratch`. */
    textOf(call: (at: number, bytes: number) => number): string {
      const length = call(scratch, scratchBytes)
      return length > 0 && length <= scratchBytes ? bound.pdfium.UTF16ToString(scratch) : ''
    },
  }
}

const viewsOf = (buffer: ArrayBuffer) => ({
  buffer,
  bytes: new Uint8Array(buffer),
  floats: new Float32Array(buffer),
  doubles: new Float64Array(buffer),
})

export type OpenDocument = { document: number; close(): void }

/** Returns null if PDFium can't open it; `FPDF_GetLastError` has the reason. */
export function openDocument(library: Library, file: PdfFile): OpenDocument | null {
  const { malloc, free } = library.pdfium.wasmExports
  const read = library.pdfium.addFunction((_: number, at: number, to: number, length: number): number => {
    const target = library.views().bytes.subarray(to >>> 0, (to >>> 0) + length)
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
    return null
  }
  return {
    document,
    close() {
      library.FPDF_CloseDocument(document)
      release()
    },
  }
}

/** A page is held about three times while it is read: its stream, its parts, and their letters. */
const maxMemoryBytes = 144 * 1_048_576
const passwordError = 4

export type Pdf = Awaited<ReturnType<typeof openPdf>>

/** Throws `encrypted`, `corrupt`, and `out_of_memory`. */
export async function openPdf(file: PdfFile) {
  const library = await takeLibrary()
  library.limitMemory(maxMemoryBytes)
  let isOpen = true
  /** What a document that fails has open stays in the library's memory. */
  const failure = (error: unknown): unknown => {
    isOpen = false
    library.end()
    return library.isShortOfMemory() ? new ParseFailure('out_of_memory', undefined, error) : error
  }
  let opened: OpenDocument | null
  try {
    opened = openDocument(library, file)
  } catch (error) {
    throw failure(error)
  }
  const document = opened
  if (document === null)
    throw new ParseFailure(library.FPDF_GetLastError() === passwordError ? 'encrypted' : 'corrupt')
  return {
    library,
    document: document.document,
    pageCount: library.FPDF_GetPageCount(document.document),
    /** The error to throw for one that the library threw. It ends the library, and the document with it. */
    failure,
    close(): void {
      if (isOpen) document.close()
      isOpen = false
    },
  }
}
