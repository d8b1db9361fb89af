/** What goes in one request: small files together, a zip by itself, a large file piece by piece. */
import type { UploadItem } from './upload.ts'

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
