/** A received file: inspected once, moved to its place once, and deleted if no document keeps it. */
import type { BlobStore, ReceivedFile } from '../../../platform/blobs/blobs.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { NewId } from '../../../platform/ids.ts'
import { requireSupported } from './upload-checks.ts'

export type IncomingFile = {
  received: ReceivedFile
  /** By its content; throws for what is not taken. Asked before `place`, which moves the file. */
  mediaType(): Promise<string>
  /** Makes it permanent, and answers its blob's id. */
  place(): Promise<string>
  /** A row names the blob from now on, as soon as the transaction is committed. */
  keep(): void
}

/** Whatever becomes of `work`: a file that was placed and that no row names is removed. */
export async function withIncomingFile<T>(
  { blobs, newId }: { blobs: BlobStore; newId: NewId },
  received: ReceivedFile,
  work: (incoming: IncomingFile) => Promise<T>,
): Promise<T> {
  let mediaType: Promise<string> | null = null
  let placed: string | null = null
  let isKept = false
  try {
    return await work({
      received,
      mediaType() {
        mediaType ??= requireSupported(received)
        return mediaType
      },
      async place() {
        if (placed !== null) return placed
        const blobId = newId('blob')
        await blobs.adopt(received, blobId)
        placed = blobId
        return blobId
      },
      keep() {
        isKept = true
      },
    })
  } catch (error) {
    // Where the database went away in the commit, a row may name the file all the same. Where none does, the sweep takes it.
    if (error instanceof ServiceError && error.code === 'unavailable') isKept = true
    throw error
  } finally {
    if (placed !== null && !isKept) await blobs.remove(placed)
  }
}
