/** The documents of a collection: filtered, paged, chosen, deleted, tried again. */
import type { Document, Filter } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, FileText, RotateCcw, Search, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiQuery, usePagedQuery, useReadAgain } from '../../api/queries.ts'
import { useSaveFile } from '../../api/save-file.ts'
import { useAtrium } from '../../api/scope.tsx'
import { useSearchChoice, useSearchValue } from '../../api/search-values.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { Form, SelectField, TextField } from '../../ui/field.tsx'
import { count, documentTitle, fileNameOf } from '../../ui/format.ts'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { EmptyState, Notice } from '../../ui/notices.tsx'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, Pager, sizeColumn, Table, TableSkeleton } from '../../ui/table.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { documentChanges, useDeleteDocuments } from './changes.ts'
import { DocumentStatus, FailureReason, isProcessing, statusWords } from './document-status.tsx'

const pollMs = 1_500
const idlePollMs = 15_000

type Props = { collectionId: string; mayWrite: boolean }

export function DocumentList({ collectionId, mayWrite }: Props) {
  const [status, setStatus] = useSearchChoice('status', statuses, '')
  const [name, setName] = useSearchValue('name')
  const documents = usePagedQuery(
    ['documents', { collectionId, status, name }],
    (atrium, query, options) =>
      atrium.knowledge.documents.list(
        withoutUndefined({
          ...query,
          collectionId,
          status: status || undefined,
          filter: name === '' ? undefined : nameFilter(name),
        }),
        options,
      ),
    { refetchInterval: page => (page?.items.some(isProcessing) ? pollMs : idlePollMs) },
  )
  useFreshCounts(documents.data?.items.filter(isProcessing).length ?? 0)
  const isNarrowed = status !== '' || name !== ''
  return (
    <Section
      title="Documents"
      actions={
        <div className="flex w-full flex-wrap gap-2 sm:w-auto">
          <NameField name={name} onChange={setName} />
          <div className="w-full sm:w-44">
            <SelectField
              label="Status"
              labelHidden
              value={status}
              onChange={setStatus}
              emptyLabel="Every status"
              options={statuses.map(one => ({ value: one, label: statusWords[one] }))}
            />
          </div>
        </div>
      }
    >
      <FailedNotice
        collectionId={collectionId}
        mayWrite={mayWrite}
        onShow={status === 'failed' ? undefined : () => setStatus('failed')}
      />
      <Loaded query={documents} waiting={<TableSkeleton />}>
        {({ items, total }) =>
          total === 0 ? (
            <NoDocuments isNarrowed={isNarrowed} mayWrite={mayWrite} />
          ) : (
            <>
              <DocumentTable documents={items} mayWrite={mayWrite} />
              <Pager of={documents} total={total} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

/** What has been read since changes the counts of the collection. */
function useFreshCounts(processing: number): void {
  const readAgain = useReadAgain()
  const before = useRef(processing)
  useEffect(() => {
    if (processing < before.current) void readAgain([['collections'], ['documents', 'failed']])
    before.current = processing
  }, [processing, readAgain])
}

const statuses = Object.keys(statusWords) as Document['status'][]

function NameField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  const [typed, setTyped] = useState(name)
  useEffect(() => setTyped(name), [name])
  return (
    <Form className="flex w-full gap-2 sm:w-72" onSubmit={() => onChange(typed.trim())}>
      <div className="min-w-0 flex-1">
        <TextField
          label="Name or title has"
          labelHidden
          type="search"
          placeholder="Name or title has…"
          maxLength={200}
          value={typed}
          onChange={text => {
            setTyped(text)
            if (text === '') onChange('')
          }}
        />
      </div>
      <Button type="submit" icon={Search} aria-label="Find documents by name" />
    </Form>
  )
}

type FailedProps = Props & { onShow: (() => void) | undefined }

function FailedNotice({ collectionId, mayWrite, onShow }: FailedProps) {
  const failed = useApiQuery(
    ['documents', 'failed', collectionId],
    (atrium, options) =>
      atrium.knowledge.documents.list({ collectionId, status: 'failed', pageSize: 1 }, options).page(),
    { refetchInterval: idlePollMs },
  )
  const total = failed.data?.total ?? 0
  const retry = useApiAction(atrium => atrium.knowledge.documents.retryFailed({ collectionId }), {
    changes: documentChanges,
    done: () => ({ title: `${count(total, 'document')} will be tried again` }),
  })
  if (total === 0) return null
  return (
    <Notice
      tone="warn"
      title={`${count(total, 'document')} failed`}
      action={
        <span className="flex flex-wrap gap-2">
          {onShow !== undefined && (
            <Button size="small" onClick={onShow}>
              Show {total === 1 ? 'it' : 'them'}
            </Button>
          )}
          {mayWrite && (
            <Button size="small" busy={retry.isPending} onClick={() => retry.run()}>
              Try {total === 1 ? 'it' : 'all of them'} again
            </Button>
          )}
        </span>
      }
    >
      What failed is not found. The reason stands beside each.
    </Notice>
  )
}

function NoDocuments({ isNarrowed, mayWrite }: { isNarrowed: boolean; mayWrite: boolean }) {
  if (isNarrowed) {
    return (
      <EmptyState icon={Search} title="No matching documents">
        Try another status or another name.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={FileText} title="No documents yet">
      {mayWrite
        ? 'Drop files above. Agents and search find each file as soon as it is processed.'
        : 'Members with write access can upload files. Search finds a file as soon as it is ready.'}
    </EmptyState>
  )
}

/** Documents by a part of their name: the API tells capitals apart, so the usual spellings are asked for. */
function nameFilter(part: string): Filter {
  const lower = part.toLocaleLowerCase()
  const capital = lower.charAt(0).toLocaleUpperCase() + lower.slice(1)
  const spellings = [...new Set([part, lower, capital, part.toLocaleUpperCase()])]
  return {
    or: ['$name', '$title'].flatMap(field =>
      spellings.map(value => ({ field, op: 'contains', value }) as const),
    ),
  }
}

type TableProps = { documents: readonly Document[]; mayWrite: boolean }

function DocumentTable({ documents, mayWrite }: TableProps) {
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
