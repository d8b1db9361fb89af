/** What a reader of a format is: one signature for all, so that a new format is one file and a line in two tables. */
import type { TextWriter } from './text-writer.ts'

/** A file as its reader sees it. */
export type Source = {
  /** The file's own name, which says nothing that can be relied on. */
  name: string
  sizeBytes: number
  /** Where it lies, under a name that ends in `.pdf`; null of a file within another one, which is in memory only. */
  path: string | null
  /** All of it. Throws `too_large` if it is longer than any text may be. */
  bytes(): Promise<Buffer>
  /** What of it has been unpacked, and what of the files within it: each has a limit. They share one among them. */
  unpacked: Unpacked
  unpackedWithin: Unpacked
  /** Hears the share that is done, from 0 to 1. */
  onProgress(share: number): void
  /**
   * Before files within this one are looked for: if the process ends from here on, it is read again without them, and this
   * is false.
   */
  lookWithin(): boolean
  /** The same before each of them. False besides if they lie too deep, there are too many, or time runs out. */
  beginInner(): boolean
  /**
   * Reads a file that lies within this one, such as an attachment, by the reader of its own format; it has no pages then.
   * False if its format is not read, or it may not be. Throws `ParseFailure`.
   */
  readInner(bytes: Buffer, name: string, writer: TextWriter): Promise<boolean>
}

export type Unpacked = { bytes: number }

export type About = { title?: string | null; pageCount?: number | null }

/** Writes the text of a file. Throws `ParseFailure` for whatever is the file's fault. */
export type Reader = (source: Source, writer: TextWriter) => Promise<About>
