/** What the server and a parsing child tell each other. */
import type { Chunk } from './chunking.ts'
import type { ParseFailureCode } from './failure.ts'

/** One file at a time: `parse`, then `next` as often as chunks are wanted. */
export type ToChild = { type: 'parse'; path: string; name: string } | { type: 'next' }

export type FromChild =
  | { type: 'progress'; share: number }
  | { type: 'parsed'; title: string | null; pageCount: number | null; textLength: number }
  | { type: 'chunks'; chunks: Chunk[] }
  /** No more chunks; the child is free for the next file. */
  | { type: 'end'; residentBytes: number }
  /** The file's fault. */
  | { type: 'failed'; code: ParseFailureCode; message: string; detail: string }
  /** The machine's fault: another attempt may succeed. */
  | { type: 'broken'; detail: string }
