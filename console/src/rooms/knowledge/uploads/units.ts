/** What goes in one request: small files together, a zip by itself, a large file piece by piece. */
import type { UploadItem } from './upload.ts'

export type Unit = { kind: 'large' | 'together'; items: readonly UploadItem[] }

/** From this size on a broken line would cost more than another request does. */
const largeBytes = 256 * 1024
const mostTogether = 20

export function unitsOf(items: readonly UploadItem[]): Unit[] {
  const units: Unit[] = []
  let group: UploadItem[] = []
  const close = (): void => {
    if (group.length > 0) units.push({ kind: 'together', items: group })
    group = []
  }
  for (const item of items) {
    // The server takes a zip apart where it comes among several files; an empty file has no pieces to send.
    if (isZip(item)) units.push({ kind: 'together', items: [item] })
    else if (item.file.size >= largeBytes) units.push({ kind: 'large', items: [item] })
    else {
      group.push(item)
      if (group.length === mostTogether) close()
    }
  }
  close()
  return units
}

export const isZip = ({ name }: { name: string }): boolean => /\.zip$/i.test(name)
