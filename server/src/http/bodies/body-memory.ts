/** Limits the memory that JSON bodies of requests in progress take: in all, and for each workspace or address. */
import { ServiceError, tooManyRequests } from '../../platform/errors.ts'

export type BodyMemoryLimits = { maxBodyMemoryMb: number; maxBodyMemoryPerWorkspaceMb: number }
/** Who a body counts for: the workspace, or the client's address if no workspace is known. */
export type BodyOwner = { kind: 'workspace' | 'address'; id: string }

/** The memory that one body takes. */
export type BodyShare = {
  /**
   * Counts the body with this size. Throws 429 if its owner's limit is exceeded, 503 if the limit of the process is.
   */
  growTo(bytes: number): void
  /** To be called once the request is over; a second call does nothing. */
  release(): void
}
export type BodyMemory = ReturnType<typeof createBodyMemory>

/** Bodies up to this size are counted but never refused: the limit of connections bounds their sum. */
export const freeBodyBytes = 16 * 1024
const mebibyte = 1024 * 1024
const retryAfterSeconds = '1'

export function createBodyMemory(limits: BodyMemoryLimits) {
  const maxBytes = limits.maxBodyMemoryMb * mebibyte
  const maxBytesOfOwner = limits.maxBodyMemoryPerWorkspaceMb * mebibyte
  const heldByOwner = new Map<string, number>()
  let heldBytes = 0

  return {
    open({ kind, id }: BodyOwner): BodyShare {
      const owner = `${kind} ${id}`
      let taken = 0
      const count = (bytes: number): void => {
        const held = (heldByOwner.get(owner) ?? 0) + bytes
        if (held === 0) heldByOwner.delete(owner)
        else heldByOwner.set(owner, held)
        heldBytes += bytes
        taken += bytes
      }
      return {
        growTo(bytes) {
          const more = bytes - taken
          if (bytes > freeBodyBytes) {
            const held = heldByOwner.get(owner) ?? 0
            if (held + more > maxBytesOfOwner) throw tooMuchOfOwner(kind, limits)
            if (heldBytes + more > maxBytes) throw tooMuch(limits)
          }
          count(more)
        },
        release: () => count(-taken),
      }
    },
  }
}

const tooMuchOfOwner = (
  kind: BodyOwner['kind'],
  { maxBodyMemoryPerWorkspaceMb }: BodyMemoryLimits,
): ServiceError =>
  tooManyRequests(
    `The bodies of this ${kind}'s requests in progress come to ${maxBodyMemoryPerWorkspaceMb} MiB (ATRIUM_BODY_MEMORY_PER_WORKSPACE_MB). Send fewer large bodies at once.`,
    Number(retryAfterSeconds),
    { limit: maxBodyMemoryPerWorkspaceMb * mebibyte, unit: 'bytes' },
  )

const tooMuch = ({ maxBodyMemoryMb }: BodyMemoryLimits): ServiceError =>
  new ServiceError(
    'unavailable',
    `The bodies of all requests in progress come to ${maxBodyMemoryMb} MiB (ATRIUM_BODY_MEMORY_MB). Try again in ${retryAfterSeconds} s.`,
    { headers: { 'retry-after': retryAfterSeconds } },
  )
