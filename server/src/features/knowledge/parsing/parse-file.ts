/** From a file to its text: finds out what it is and hands it to the reader of that format. */
import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { ParseFailure } from './failure.ts'
import { type Format, formats } from './formats.ts'
import { maxTextBytes } from './limits.ts'
import type { Recognise, Source } from './reader.ts'
import { readers } from './readers.ts'
import { sniffBytes, sniffFile } from './sniff.ts'
import { createTextWriter, type ExtractedText, type TextWriter } from './text-writer.ts'
import { createWarnings, type Warn, warnWithoutPages } from './warnings.ts'

export type ParseOptions = {
  /** False if a PDF without text goes to text recognition, which the text of attached files would prevent. */
  isFinal?: boolean
  /** Called with the share that is done, from 0 to 1. */
  onProgress: (share: number) => void
  /** True once most of the time is over: then no further file within the file is begun. */
  isLate?: () => boolean
  /** At most this many files within the file are read, and never more than 500. */
  maxInnerFiles?: number
  /** Reads the text of pictures. */
  recognise?: Recognise | null
  /** Called with the number of each inner file, from 1, before that file is read. */
  onInnerFile?: (count: number) => void
}

/** Throws `ParseFailure`. `path` ends in `.pdf` for every format; `name` is the file's real name. */
export async function parseFile(path: string, name: string, options: ParseOptions): Promise<ExtractedText> {
  const { size: sizeBytes } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new ParseFailure('file_missing', undefined, error) : error
  })
  if (sizeBytes === 0) throw new ParseFailure('empty')
  const { format } = await sniffFile(path, name)
  if (format === null) throw new ParseFailure('unsupported_type')
  return read(format, warn => ({
    name,
    sizeBytes,
    path,
    bytes: async () => {
      if (sizeBytes > maxTextBytes) throw new ParseFailure('too_large')
      return readFile(path)
    },
    isFinal: options.isFinal ?? true,
    recognise: options.recognise ?? null,
    onProgress: options.onProgress,
    unpacked: { bytes: 0 },
    ...createInnerReader(options, warn),
  }))
}

/**
 * Reads a small text in this process, without waiting for a child. Null for files that only a child may read: larger
 * ones, other formats, and encodings that have to be guessed.
 */
export async function parseSmallText(bytes: Buffer, name: string): Promise<ExtractedText | null> {
  const { format } = await sniffBytes(bytes, name)
  if (format === null || bytes.length > (formats[format].serverBytes ?? 0) || !isUtf8(bytes)) return null
  // None of the formats that are read in this process holds files.
  return read(format, warn => inMemory(bytes, name, createInnerReader({ maxInnerFiles: 0 }, warn)))
}

async function read(format: Format, sourceOf: (warn: Warn) => Source): Promise<ExtractedText> {
  const writer = createTextWriter()
  const warnings = createWarnings()
  const reader = await readers[format]()
  const about = await reader(sourceOf(warnings.warn), writer)
  return writer.finish({ ...about, warnings: warnings.list() })
}

const inMemory = (bytes: Buffer, name: string, within: Within): Source => ({
  name,
  sizeBytes: bytes.length,
  path: null,
  bytes: async () => bytes,
  unpacked: within.unpackedWithin,
  isFinal: true,
  recognise: null,
  onProgress: () => undefined,
  ...within,
})

/** How deep files are read within files, and how many of them for one uploaded file. */
const maxDepth = 8
const maxInnerFiles = 500

type Within = Pick<Source, 'warn' | 'lookWithin' | 'beginInner' | 'readInner' | 'unpackedWithin'>

function createInnerReader(options: Omit<ParseOptions, 'onProgress'>, warn: Warn): Within {
  const most = Math.min(maxInnerFiles, options.maxInnerFiles ?? maxInnerFiles)
  const unpackedWithin = { bytes: 0 }
  let files = 0
  const atDepth = (depth: number): Within => {
    const lookWithin = (): boolean => {
      if (files >= most) return false
      options.onInnerFile?.(files + 1)
      return true
    }
    const beginInner = () => depth <= maxDepth && options.isLate?.() !== true && lookWithin()
    const readInner: Source['readInner'] = async (bytes, name, writer) => {
      if (bytes.length === 0 || !beginInner()) return false
      files += 1
      const { format } = await sniffBytes(bytes, name)
      const { conversion, hasReader } = format === null ? {} : formats[format]
      if (format === null || (conversion !== undefined && !hasReader)) return false
      const reader = await readers[format]()
      await reader(inMemory(bytes, name, atDepth(depth + 1)), withoutPages(writer))
      return true
    }
    return {
      warn: depth === 1 ? warn : warnWithoutPages(warn),
      lookWithin,
      beginInner,
      readInner,
      unpackedWithin,
    }
  }
  return atDepth(1)
}

/** A page within an attachment is not a page of the document. */
const withoutPages = (writer: TextWriter): TextWriter => ({
  add: (kind, text, { level = 0 } = {}) => writer.add(kind, text, { level }),
})
