/** The signature of a reader, which all formats share: a new format is one file and a line in two tables. */
import type { TextWriter } from './text-writer.ts'
import type { Warn } from './warnings.ts'

/** A file as its reader sees it. */
export type Source = {
  /** The file's name, which cannot be relied on. */
  name: string
  sizeBytes: number
  /**
   * The file's path, which ends in `.pdf`; null for a file that is only in memory, such as one within another file.
   */
  path: string | null
  /** The whole file. Throws `too_large` if it is longer than any text may be. */
  bytes(): Promise<Buffer>
  /** Bytes unpacked of this file, and of all files within it together. Each of the two has a limit. */
  unpacked: Unpacked
  unpackedWithin: Unpacked
  /** Notes what is not read. A file that is read in full warns of nothing. */
  warn: Warn
  /** True if no text recognition follows for a file without text: then the files attached to it are all that it has. */
  isFinal: boolean
  /** Reads the text of a picture of this file; null if text is not recognised. */
  recognise: Recognise | null
  /** Called with the share that is done, from 0 to 1. */
  onProgress(share: number): void
  /**
   * Called before looking for files within this one; false if they are not to be read. If the process ends after this
   * call, the file is read again without them.
   */
  lookWithin(): boolean
  /**
   * Like `lookWithin`, before each inner file. Also false if it lies too deep, there are too many, or time runs out.
   */
  beginInner(): boolean
  /**
   * Reads a file within this one, such as an attachment, with the reader of its format and without pages. False if
   * its format is not read, or the file may not be read. Throws `ParseFailure`.
   */
  readInner(bytes: Buffer, name: string, writer: TextWriter): Promise<boolean>
}

/** The text of a picture; null if it holds none that can be read, or time runs out. Throws `ParseFailure`. */
export type Recognise = (picture: Buffer) => Promise<string | null>

export type Unpacked = { bytes: number }

export type About = {
  title?: string | null
  pageCount?: number | null
  /** Pages that are pictures whose text was not recognised. */
  unreadPages?: number
}

/** Writes the text of a file. Throws `ParseFailure` if the file is at fault. */
export type Reader = (source: Source, writer: TextWriter) => Promise<About>
