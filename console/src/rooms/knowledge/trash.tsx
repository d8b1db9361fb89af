/** What was deleted and can still be restored, and the way to be rid of it for good. */
import type { Atrium, TrashedCollection, TrashedDocument } from '@atrium/sdk'
import { Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useApiMutation, usePagedQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { useSearchValue } from '../../api/search-values.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { count, documentTitle, formatDate } from '../../ui/format.ts'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { type Column, PagedTable, RecordName, sizeColumn } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { documentChanges } from './changes.ts'

export function Room() {
  const mayWrite = useMay('knowledge:write')
  const [tab, setTab] = useSearchValue('tab', 'documents')
  const [isEmptying, setEmptying] = useState(false)
  return (
    <Page
      back={{ to: '/knowledge', label: 'Knowledge' }}
      title="Trash"
      description="What was deleted is neither listed nor found. It can be restored until the day that stands beside it."
      actions={
        mayWrite && (
          <Button icon={Trash2} onClick={() => setEmptying(true)}>
            Empty the trash
          </Button>
        )
      }
    >
      <Tabs
        label="What was deleted"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'documents', label: 'Documents', content: <Documents mayWrite={mayWrite} /> },
          { value: 'collections', label: 'Collections', content: <Collections mayWrite={mayWrite} /> },
        ]}
      />
      {isEmptying && <EmptyTrash onClose={() => setEmptying(false)} />}
    </Page>
  )
}

function Documents({ mayWrite }: { mayWrite: boolean }) {
  const documents = usePagedQuery(['trash', 'documents'], (atrium, query, options) =>
    atrium.knowledge.trash.list(query, options),
  )
  const action = useRestoreColumn<TrashedDocument>(documentTitle, (atrium, id) =>
    atrium.knowledge.trash.restore(id),
  )
  return (
    <PagedTable
      query={documents}
      caption="Deleted documents"
      columns={mayWrite ? [...documentColumns, action] : documentColumns}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={Trash2} title="No documents in the trash">
          A document that you delete stays here for a while, with all of its versions.
        </EmptyState>
      }
    />
  )
}

function Collections({ mayWrite }: { mayWrite: boolean }) {
  const collections = usePagedQuery(['trash', 'collections'], (atrium, query, options) =>
    atrium.knowledge.trash.collections(query, options),
  )
  const action = useRestoreColumn<TrashedCollection>(
    ({ name }) => name,
    (atrium, id) => atrium.knowledge.trash.restoreCollection(id),
  )
  return (
    <PagedTable
      query={collections}
      caption="Deleted collections"
      columns={mayWrite ? [...collectionColumns, action] : collectionColumns}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={Trash2} title="No collections in the trash">
          A collection goes and comes back as a whole, with everything in it.
        </EmptyState>
      }
    />
  )
}

type Deleted = { deletedAt: string; eraseAt: string }

const times: readonly Column<Deleted>[] = [
  {
    header: 'Deleted',
    className: 'sm:whitespace-nowrap',
    cell: ({ deletedAt }) => <RelativeTime time={deletedAt} />,
  },
  { header: 'Erased on', className: 'sm:whitespace-nowrap', cell: ({ eraseAt }) => formatDate(eraseAt) },
]

const documentColumns: readonly Column<TrashedDocument>[] = [
  {
    header: 'Document',
    className: 'sm:w-2/5',
    cell: document => <RecordName name={documentTitle(document)} />,
  },
  sizeColumn,
  ...times,
]

const collectionColumns: readonly Column<TrashedCollection>[] = [
  {
    header: 'Collection',
    className: 'sm:w-2/5',
    cell: ({ name, documentCount }) => <RecordName name={name} below={count(documentCount, 'document')} />,
  },
  ...times,
]

function useRestoreColumn<Row extends { id: string }>(
  nameOf: (row: Row) => string,
  write: (atrium: Atrium, id: string) => Promise<unknown>,
): Column<Row> {
  const toasts = useToasts()
  const { mutate, variables, isPending } = useApiMutation(write, { changes: documentChanges })
  const restore = (row: Row) =>
    mutate(row.id, {
      onSuccess: () => toasts.show({ title: `“${nameOf(row)}” is back` }),
      onError: toasts.fail,
    })
  return {
    header: 'Action',
    align: 'end',
    cell: row => (
      <Button
        size="small"
        icon={Undo2}
        busy={isPending && variables === row.id}
        onClick={() => restore(row)}
        aria-label={`Restore ${nameOf(row)}`}
      >
        Restore
      </Button>
    ),
  }
}

function EmptyTrash({ onClose }: { onClose: () => void }) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Empty the trash?"
      confirmLabel="Erase everything in it"
      typed="erase"
      onConfirm={atrium => atrium.knowledge.trash.empty()}
      changes={documentChanges}
      done="The trash is being emptied"
    >
      <p>
        All documents and collections in it are erased for good: files, texts, every version, and the quotes
        of them within runs. This cannot be taken back.
      </p>
    </ConfirmDialog>
  )
}
