/** A large file piece by piece: what the server has is safe, also over a reload, when the same file is chosen again. */
import { ApiError } from '@atrium/sdk'
import { isPassing, persist } from './persist.ts'
import type { Tell, UploadItem } from './upload.ts'

const smallestPiece = 256 * 1024
const largestPiece = 16 * 1024 * 1024
/** So many steps its bar has, as long as the pieces stay within their limits. */
const piecesOfFile = 40

export async function sendLarge(
  [item]: readonly UploadItem[],
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  if (item === undefined) return
  const { id, target, file, name } = item
  const { uploads } = target.atrium.knowledge
  const memory = `atrium.upload.${fingerprintOf(item)}`
  const chunkBytes = Math.min(largestPiece, Math.max(smallestPiece, Math.ceil(file.size / piecesOfFile)))
  let sent = 0
  tell(id, { kind: 'sending', sent })
  await persist(
    async noteProgress => {
      const uploadId = localStorage.getItem(memory) ?? undefined
      try {
        await uploads.send(
          {
            collectionId: target.collectionId,
            name,
            mediaType: file.type !== '' ? file.type : undefined,
            externalId: target.replace ? name : undefined,
          },
          file,
          {
            uploadId,
            chunkBytes,
            // Here it is taken up again, so that the page can say that the line is broken.
            maxRetries: 0,
            signal,
            onProgress: (begun, offset) => {
              if (offset > sent) noteProgress()
              sent = offset
              localStorage.setItem(memory, begun)
              tell(id, { kind: 'sending', sent })
            },
          },
        )
      } catch (error) {
        // The next attempt starts from the beginning if the server has rejected or dropped the upload.
        if (!signal.aborted && !isPassing(error)) localStorage.removeItem(memory)
        const isForgotten = error instanceof ApiError && error.statusCode === 404 && uploadId !== undefined
        if (isForgotten) return sendLarge([item], signal, tell)
        throw error
      }
    },
    { signal, onInterrupted: () => tell(id, { kind: 'interrupted', sent }) },
  )
  localStorage.removeItem(memory)
  tell(id, { kind: 'stored', note: 'Stored', details: [] })
}

/** Deletes the pieces that the server holds of a cancelled upload. */
export async function forgetUpload(item: UploadItem): Promise<void> {
  const memory = `atrium.upload.${fingerprintOf(item)}`
  const uploadId = localStorage.getItem(memory)
  if (uploadId === null) return
  localStorage.removeItem(memory)
  // The server forgets it by itself after a day.
  await item.target.atrium.knowledge.uploads.delete(uploadId).catch(() => undefined)
}

const fingerprintOf = ({ target, file, name }: UploadItem): string =>
  [target.key, target.replace, name, file.size, file.lastModified].join('/')
