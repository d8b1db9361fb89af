/** Files: received as a stream into staging, adopted under an id, read back whole or in part. */
import type { Readable } from 'node:stream'

/** A file that has arrived in staging. `discard` removes it unless it was adopted. */
export type ReceivedFile = {
  /** The name that the sender gave it, without any folder. */
  name: string
  /** The media type that the sender stated. The content may be of another type. */
  statedMediaType: string
  path: string
  sizeBytes: number
  /** In hexadecimal. */
  sha256: string
}

export type BlobStore = {
  /** Stores of the same id hold the same files, whichever process opened them. */
  readonly id: string
  /**
   * Writes a stream to staging and hashes it on the way; holds at most one buffer of it in memory.
   * Throws `payload_too_large` after more than `maxBytes`, and leaves no file behind when it throws.
   */
  receive(
    stream: Readable,
    options: { name: string; statedMediaType: string; maxBytes: number },
  ): Promise<ReceivedFile>
  /** Makes a received file permanent under `blobId`, safe against power loss. */
  adopt(file: ReceivedFile, blobId: string): Promise<void>
  discard(file: ReceivedFile): Promise<void>
  /** A path on this machine with the blob's content, for a parser in another process. */
  localPath(blobId: string): Promise<string>
  /** Throws `not_found` if there is no such blob. `range` is inclusive at both ends. */
  open(blobId: string, range?: { start: number; end: number }): Promise<Readable>
  size(blobId: string): Promise<number>
  remove(blobId: string): Promise<void>
  /** The ids of all blobs, in no order. Blobs that are added or removed meanwhile may be missing or included. */
  ids(): AsyncIterable<string>
  /** Resolves if the store can be written; throws otherwise. */
  ping(): Promise<void>
}
