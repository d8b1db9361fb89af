/** Documents as rows that can be chosen, with what can be done to one and to all that are chosen. */
import type { Document } from '@atrium/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useApiAction } from '../../api/queries.ts'
import { useSaveFile } from '../../api/save-file.ts'
import { useAtrium } from '../../api/scope.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { count, documentTitle, fileNameOf } from '../../ui/format.ts'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, sizeColumn, Table } from '../../ui/table.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { documentChanges, useDeleteDocuments } from './changes.ts'
import { DocumentStatus, FailureReason } from './document-status.tsx'

type Props = { documents: readonly Document[]; mayWrite: boolean }

export function DocumentTable({ documents, mayWrite }: Props) {
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set())
  const chosen = documents.filter(({ id }) => chosenIds.has(id))
  const toggle = (ids: readonly string[], on: boolean) =>
    setChosenIds(new Set(on ? [...chosenIds, ...ids] : [...chosenIds].filter(id => !ids.includes(id))))
  const nameColumn: Column<Document> = {
    header: 'Document',
    className: 'sm:w-1/2',
    cell: document => (
      <div className="flex min-w-0 items-start gap-3">
        {mayWrite && (
          <input
            type="checkbox"
            aria-label={`Choose ${documentTitle(document)}`}
            checked={chosenIds.has(document.id)}
            onChange={event => toggle([document.id], event.currentTarget.checked)}
            className="mt-0.5 size-4 shrink-0"
          />
        )}
        <DocumentName document={document} />
      </div>
    ),
  }
  const actions = actionsColumn<Document>(document => (
    <DocumentMenu document={document} mayWrite={mayWrite} />
  ))
  return (
    <>
      {mayWrite && (
        <ChoiceBar
          documents={documents}
          chosen={chosen}
          onToggle={on =>
            toggle(
              documents.map(({ id }) => id),
              on,
            )
          }
          onDone={() => setChosenIds(new Set())}
        />
      )}
      <Table
        caption="Documents"
        columns={[nameColumn, ...columns, actions]}
        rows={documents}
        rowKey={({ id }) => id}
      />
    </>
  )
}

function DocumentName({ document }: { document: Document }) {
  const { id, name, title, version, duplicateOf, status } = document
  const shown = documentTitle(document)
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <Link
        to="/knowledge/documents/$documentId"
        params={{ documentId: id }}
        className="font-medium [overflow-wrap:anywhere] text-accent-text hover:underline"
      >
        {shown}
      </Link>
      {title !== null && shown !== name && (
        <span dir="auto" className="text-[13px] [overflow-wrap:anywhere] text-muted">
          {name}
        </span>
      )}
      {(version > 1 || duplicateOf !== null) && (
        <span className="flex flex-wrap gap-1.5">
          {version > 1 && <Badge>Version {version}</Badge>}
          {duplicateOf !== null && <Badge tone="warn">The same content as another</Badge>}
        </span>
      )}
      {status === 'failed' && <FailureReason document={document} />}
    </div>
  )
}

const columns: readonly Column<Document>[] = [
  { header: 'Status', cell: document => <DocumentStatus document={document} /> },
  sizeColumn,
  { header: 'Added', cell: ({ createdAt }) => <RelativeTime time={createdAt} /> },
]

type ChoiceBarProps = {
  documents: readonly Document[]
  chosen: readonly Document[]
  onToggle: (on: boolean) => void
  onDone: () => void
}

function ChoiceBar({ documents, chosen, onToggle, onDone }: ChoiceBarProps) {
  const toasts = useToasts()
  const { mutate, isPending } = useMutation({
    mutationFn: useDeleteDocuments(),
    onSuccess: onDone,
    onError: toasts.fail,
  })
  return (
    <div className="flex min-h-8 flex-wrap items-center justify-between gap-3 px-4">
      <Checkbox
        label={chosen.length === 0 ? 'Choose all on this page' : `${count(chosen.length, 'document')} chosen`}
        checked={chosen.length === documents.length}
        mixed={chosen.length > 0 && chosen.length < documents.length}
        onChange={onToggle}
      />
      {chosen.length > 0 && (
        <Button size="small" icon={Trash2} busy={isPending} onClick={() => mutate(chosen)}>
          Move {count(chosen.length, 'document')} to the trash
        </Button>
      )}
    </div>
  )
}

function DocumentMenu({ document, mayWrite }: { document: Document; mayWrite: boolean }) {
  const { id, name, status } = document
  const atrium = useAtrium()
  const saveFile = useSaveFile()
  const toasts = useToasts()
  const remove = useDeleteDocuments()
  const retry = useApiAction(client => client.knowledge.documents.retry(id), { changes: documentChanges })
  return (
    <ActionsMenu of={documentTitle(document)}>
      {mayWrite && status === 'failed' && (
        <MenuItem icon={RotateCcw} onSelect={() => retry.run()}>
          Try again
        </MenuItem>
      )}
      <MenuItem
        icon={Download}
        onSelect={() => saveFile(() => atrium.knowledge.documents.original(id), fileNameOf(name))}
      >
        Download the file
      </MenuItem>
      {mayWrite && (
        <MenuItem icon={Trash2} danger onSelect={() => void remove([document]).catch(toasts.fail)}>
          Move to the trash
        </MenuItem>
      )}
    </ActionsMenu>
  )
}
