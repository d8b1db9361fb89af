/** Where files are dropped or chosen, and what becomes of each. */
import { CloudUpload } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/choices.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { useToasts } from '../../../ui/toast.tsx'
import type { NamedFile } from './upload.ts'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'

export function UploadArea({ collectionId }: { collectionId: string }) {
  const uploads = useUploads(collectionId)
  const toasts = useToasts()
  const input = useRef<HTMLInputElement>(null)
  const [replace, setReplace] = useState(true)
  const [isOver, setOver] = useState(false)
  const add = (files: readonly NamedFile[]) => {
    if (files.length >= mostFiles) {
      toasts.show({
        tone: 'danger',
        title: `Only the first ${mostFiles} files are taken at once`,
        description: 'Drop the others afterwards, or send them as a zip.',
      })
    }
    uploads.add(files, { replace })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    droppedFiles(event.dataTransfer).then(add, toasts.fail)
  }
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <section
        aria-label="Upload"
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classNames(
          'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-dashed px-5 py-5 transition-colors',
          isOver ? 'border-accent-text bg-accent-soft' : 'border-edge bg-surface',
        )}
      >
        <CloudUpload aria-hidden size={28} className="shrink-0 text-accent-text" />
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">Drop files, folders or a zip here</p>
          <p className="mt-0.5 text-[13px] text-muted">
            PDF, Word, Excel, PowerPoint, Markdown, HTML, mail, CSV, JSON and plain text, among others.
          </p>
        </div>
        <input
          ref={input}
          type="file"
          multiple
          tabIndex={-1}
          aria-label="Files to upload"
          className="sr-only"
          onChange={event => {
            add(namedFiles(event.currentTarget.files ?? []))
            // The same file again is another choice.
            event.currentTarget.value = ''
          }}
        />
        <Button variant="primary" onClick={() => input.current?.click()}>
          Choose files
        </Button>
        <div className="basis-full border-t pt-3">
          <Checkbox
            label="A file of the same name becomes a new version"
            checked={replace}
            onChange={setReplace}
          />
        </div>
      </section>
      <UploadList uploads={uploads} />
    </div>
  )
}

/** More than that goes through the API or a zip. */
const mostFiles = 2_000

/** Has to be called while the event is being handled: afterwards the browser forgets what was dropped. */
async function droppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
  const entries = [...transfer.items].map(item => item.webkitGetAsEntry()).filter(entry => entry !== null)
  if (entries.length === 0) return namedFiles(transfer.files)
  const found: NamedFile[] = []
  for (const entry of entries) await walk(entry, found)
  return found
}

const namedFiles = (files: Iterable<File>): NamedFile[] =>
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
