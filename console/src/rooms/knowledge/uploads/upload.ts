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
