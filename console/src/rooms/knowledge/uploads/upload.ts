/** A file on its way to the server. */
import type { Atrium } from '@atrium/sdk'

export type UploadState =
  | { kind: 'waiting' }
  /** `sent` is null if the number of bytes received is unknown. */
  | { kind: 'sending'; sent: number | null }
  | { kind: 'interrupted'; sent: number | null }
  | { kind: 'stored'; note: string; details: readonly string[] }
  | { kind: 'failed'; reason: string; mayPass: boolean }
  | { kind: 'cancelled' }

export type UploadItem = { id: number; target: UploadTarget; file: File; name: string; state: UploadState }

/** Where files go. Two targets are the same place where their `key` is. */
export type UploadTarget = {
  atrium: Atrium
  /** Workspace, environment and collection. */
  key: string
  collectionId: string
  /** A file of the same name becomes a new version; otherwise each is a document of its own. */
  replace: boolean
}

export type NamedFile = { file: File; name: string }

export type Tell = (id: number, state: UploadState) => void

export const isUnderWay = ({ kind }: UploadState): boolean =>
  kind === 'waiting' || kind === 'sending' || kind === 'interrupted'

/** What goes in one request: small files together, a zip by itself, a large file piece by piece. */
export type Unit = { kind: 'large' | 'together'; items: readonly UploadItem[] }

/** From this size on a broken line would cost more than another request does. */
const largeBytes = 256 * 1024
/** Each request leaves one entry in the audit log; what a broken line costs is bounded by the bytes. */
const mostTogether = 100
const mostBytesTogether = 20 * largeBytes

export function unitsOf(items: readonly UploadItem[]): Unit[] {
  const units: Unit[] = []
  let group: UploadItem[] = []
  let bytes = 0
  const close = (): void => {
    if (group.length > 0) units.push({ kind: 'together', items: group })
    group = []
    bytes = 0
  }
  for (const item of items) {
    // The server takes a zip apart where it comes among several files; an empty file has no pieces to send.
    if (isZip(item)) units.push({ kind: 'together', items: [item] })
    else if (item.file.size >= largeBytes) units.push({ kind: 'large', items: [item] })
    else {
      group.push(item)
      bytes += item.file.size
      if (group.length === mostTogether || bytes >= mostBytesTogether) close()
    }
  }
  close()
  return units
}

export const isZip = ({ name }: { name: string }): boolean => /\.zip$/i.test(name)

/** Why the server did not take a file, in words for the person who sent it. */
export const unsupportedType = 'unsupported_media_type'

type Refused = { code: string; message: string }

export const refusal = (refused: Refused | null): UploadState => ({
  kind: 'failed',
  reason: reasonOf(refused),
  // The same file would be refused again for what it is.
  mayPass: refused?.code !== unsupportedType,
})

export function reasonOf(refused: Refused | null): string {
  if (refused === null) return 'It was not taken.'
  if (refused.code !== unsupportedType) return refused.message
  // The list of types that follows is for programs.
  const [what = refused.message] = refused.message.split(' Supported: ')
  return `${what} Save it as PDF or as text, and upload that.`
}
