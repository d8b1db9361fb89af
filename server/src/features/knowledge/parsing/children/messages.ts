/** What the server and a parsing child tell each other. */
import type { Chunk } from '../chunking.ts'
import type { ParseFailureCode } from '../failure.ts'

/** A page of a PDF as a picture: a PNG in base64, null if the page is empty. Pages count from 1. */
export type RenderedPage = { page: number; pageCount: number; picture: string | null }

/**
 * One file at a time: `parse`, then `next` as often as chunks are wanted; or `render` a PDF, then `next` as often as
 * pages are wanted.
 */
export type ToChild = ToParse | { type: 'render'; path: string } | { type: 'next' }

export type ToParse = {
  type: 'parse'
  path: string
  name: string
  /** What a file of a few bytes may take of a processor; each MiB of it has as much again. */
  processorMs: number
  /** How many files within it are read. */
  maxInnerFiles: number
}

/** For the thread that watches a child. `until` is where its processor time, in milliseconds, has to end. */
export type WatchData = { limitBytes: number; parentId: number; until: Float64Array<SharedArrayBuffer> }

export type FromChild =
  | { type: 'progress'; share: number }
  /** A file within the file is about to be read, the `count`th of them. */
  | { type: 'inner-file'; count: number }
  | { type: 'parsed'; title: string | null; pageCount: number | null; textLength: number }
  | { type: 'chunks'; chunks: Chunk[] }
  | ({ type: 'page' } & RenderedPage)
  /** No more chunks or pages; the child is free for the next file. */
  | { type: 'end'; residentBytes: number }
  /** The file's fault. */
  | { type: 'failed'; code: ParseFailureCode; message: string; detail: string }
  /** The machine's fault: another attempt may succeed. */
  | { type: 'broken'; detail: string }
