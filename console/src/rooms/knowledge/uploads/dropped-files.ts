/** What was dropped: files, and those within folders, with their paths as their names. */
import type { NamedFile } from './upload.ts'

/** More than that goes through the API or a zip. */
export const mostFiles = 2_000

/** Has to be called while the event is being handled: afterwards the browser forgets what was dropped. */
export async function droppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
  const entries = [...transfer.items].map(item => item.webkitGetAsEntry()).filter(entry => entry !== null)
  if (entries.length === 0) return namedFiles(transfer.files)
  const found: NamedFile[] = []
  for (const entry of entries) await walk(entry, found)
  return found
}

export const namedFiles = (files: Iterable<File>): NamedFile[] =>
  [...files].slice(0, mostFiles).map(file => ({ file, name: file.webkitRelativePath || file.name }))

async function walk(entry: FileSystemEntry, found: NamedFile[]): Promise<void> {
  if (found.length >= mostFiles || entry.name === '.DS_Store' || entry.name === 'Thumbs.db') return
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ file, name: entry.fullPath.replace(/^\//, '') || file.name })
    return
  }
  if (!isFolder(entry)) return
  const reader = entry.createReader()
  // A folder answers a hundred entries at a time, and none at its end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (part.length === 0) return
    for (const child of part) await walk(child, found)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
