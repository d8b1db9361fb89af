/** Where files are dropped or chosen, and how far each is: why it waits, what became of it. */
import {
  CircleAlert,
  CircleCheck,
  CircleSlash,
  CloudUpload,
  FileUp,
  RotateCcw,
  WifiOff,
  X,
} from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/choices.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { formatBytes, formatNumber } from '../../../ui/format.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { Progress } from '../../../ui/waiting.tsx'
import { isUnderWay, type NamedFile, type UploadItem, type UploadState } from './upload.ts'
import { type Uploads, useUploads } from './upload-queue.ts'

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

/** Uploads in progress come first; the list is cut, because thousands of rows help no reader. */
const mostShown = 100

function UploadList({ uploads }: { uploads: Uploads }) {
  const { items } = uploads
  if (items.length === 0) return null
  const left = items.filter(({ state }) => isUnderWay(state)).length
  const failed = items.filter(({ state }) => state.kind === 'failed').length
  const shown = items.toSorted((a, b) => order(a.state) - order(b.state)).slice(0, mostShown)
  return (
    <section aria-labelledby="uploads" className="overflow-hidden rounded-lg border bg-surface shadow-card">
      <header className="flex flex-wrap items-center justify-between gap-3 border-b bg-sunken py-2 pr-2 pl-4">
        <h2 id="uploads" className="text-[13px] font-medium text-muted">
          {left > 0
            ? `Uploading: ${formatNumber(items.length - left)} of ${formatNumber(items.length)} done`
            : `Uploads done${failed > 0 ? `, ${formatNumber(failed)} failed` : ''}`}
        </h2>
        {left < items.length && (
          <Button size="small" variant="ghost" onClick={uploads.clear}>
            Clear the list
          </Button>
        )}
      </header>
      <ul className="max-h-96 divide-y divide-line overflow-y-auto">
        {shown.map(item => (
          <UploadRow key={item.id} item={item} uploads={uploads} />
        ))}
      </ul>
      {items.length > mostShown && (
        <p className="border-t px-4 py-2 text-[13px] text-muted">
          And {formatNumber(items.length - mostShown)} more.
        </p>
      )}
    </section>
  )
}

const order = ({ kind }: UploadState): number =>
  ({ interrupted: 0, sending: 1, failed: 2, waiting: 3, stored: 4, cancelled: 5 })[kind]

function UploadRow({ item, uploads }: { item: UploadItem; uploads: Uploads }) {
  const { id, name, file, state } = item
  const { icon: Shape, tone } = looks[state.kind]
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <Shape aria-hidden size={18} className={`mt-px shrink-0 ${tone}`} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span dir="auto" className="min-w-0 font-medium [overflow-wrap:anywhere]">
            {name}
          </span>
          <span className="text-[13px] text-muted">{formatBytes(file.size)}</span>
        </p>
        <p
          className={`text-[13px] [overflow-wrap:anywhere] ${state.kind === 'failed' ? 'text-danger-text' : 'text-muted'}`}
        >
          {wordsOf(state, file.size)}
        </p>
        {(state.kind === 'sending' || state.kind === 'interrupted') && (
          <div className="mt-1.5">
            <Progress
              label={`Upload of ${name}`}
              value={state.sent === null ? null : state.sent / file.size}
            />
          </div>
        )}
        {state.kind === 'stored' && state.details.length > 0 && (
          <ul className="mt-1 list-disc pl-4 text-[13px] [overflow-wrap:anywhere] text-danger-text">
            {state.details.map(detail => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
      </div>
      {state.kind === 'failed' && state.mayPass && (
        <Button
          size="small"
          icon={RotateCcw}
          onClick={() => uploads.retry(id)}
          aria-label={`Try ${name} again`}
        >
          Try again
        </Button>
      )}
      {isUnderWay(state) && (
        <IconButton
          icon={X}
          label={`Cancel ${name}`}
          size="small"
          onClick={() => uploads.cancel(id)}
          className="-my-1"
        />
      )}
    </li>
  )
}

const looks = {
  waiting: { icon: FileUp, tone: 'text-muted' },
  sending: { icon: FileUp, tone: 'text-accent-text' },
  interrupted: { icon: WifiOff, tone: 'text-warn-text' },
  stored: { icon: CircleCheck, tone: 'text-good-text' },
  failed: { icon: CircleAlert, tone: 'text-danger-text' },
  cancelled: { icon: CircleSlash, tone: 'text-muted' },
} as const

function wordsOf(state: UploadState, size: number): string {
  switch (state.kind) {
    case 'waiting':
      return 'Waits for its turn'
    case 'sending':
      return state.sent === null ? 'Uploading' : `Uploading: ${percent(state.sent, size)}`
    case 'interrupted':
      return state.sent === null
        ? 'The line is broken; it goes on by itself'
        : `The line is broken at ${percent(state.sent, size)}; it goes on by itself from there`
    case 'stored':
      return state.note
    case 'failed':
      return state.reason
    case 'cancelled':
      return 'Cancelled'
  }
}

const percent = (sent: number, size: number): string => `${Math.floor((sent / Math.max(1, size)) * 100)} %`
