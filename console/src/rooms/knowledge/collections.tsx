/** The collections of the workspace, and what can be done with each. */
import type { Collection } from '@atrium/sdk'
import { Link } from '@tanstack/react-router'
import { BookOpen, Download, Pencil, Plus, Search, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { usePagedQuery } from '../../api/queries.ts'
import { useSaveFile } from '../../api/save-file.ts'
import { useAtrium, useMay } from '../../api/scope.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, PagedTable, sizeColumn } from '../../ui/table.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useDeleteCollection } from './changes.ts'
import { EditCollection } from './collection-fields.tsx'

export function Room() {
  const mayWrite = useMay('knowledge:write')
  const collections = usePagedQuery(['collections'], (atrium, query, options) =>
    atrium.knowledge.collections.list(query, options),
  )
  const [edited, setEdited] = useState<Collection | null>(null)
  const actions = actionsColumn<Collection>(collection => (
    <CollectionMenu collection={collection} mayWrite={mayWrite} onEdit={() => setEdited(collection)} />
  ))
  const create = mayWrite && (
    <ButtonLink to="/knowledge/new" variant="primary" icon={Plus}>
      Create a collection
    </ButtonLink>
  )
  return (
    <Page
      title="Knowledge"
      description="Collections of documents that agents answer from, and quote."
      actions={
        <>
          <ButtonLink to="/knowledge/trash" icon={Trash2}>
            Trash
          </ButtonLink>
          <ButtonLink to="/knowledge/search" icon={Search}>
            Try a search
          </ButtonLink>
          {create}
        </>
      }
    >
      <PagedTable
        query={collections}
        caption="Collections"
        columns={[...columns, actions]}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={BookOpen} title="No collections yet" action={create}>
            A collection holds documents that belong together, such as a handbook. Put files in it, and agents
            find the passages that answer a question and say where they stand.
          </EmptyState>
        }
      />
      {edited !== null && <EditCollection collection={edited} onClose={() => setEdited(null)} />}
    </Page>
  )
}

const columns: readonly Column<Collection>[] = [
  {
    header: 'Name',
    className: 'sm:w-1/2',
    cell: ({ id, name, description, access }) => (
      <>
        <span className="flex flex-wrap items-center gap-2">
          <Link
            to="/knowledge/collections/$collectionId"
            params={{ collectionId: id }}
            className="min-w-0 font-medium [overflow-wrap:anywhere] text-accent-text hover:underline"
          >
            {name}
          </Link>
          {access === 'teams' && (
            <Badge>
              <Users aria-hidden size={12} />
              Teams
            </Badge>
          )}
        </span>
        {description !== null && description !== '' && (
          <span dir="auto" className="line-clamp-2 [overflow-wrap:anywhere] text-muted">
            {description}
          </span>
        )}
      </>
    ),
  },
  { header: 'Documents', align: 'end', cell: ({ documentCount }) => formatNumber(documentCount) },
  sizeColumn,
  { header: 'Changed', cell: ({ updatedAt }) => <RelativeTime time={updatedAt} /> },
]

type CollectionMenuProps = { collection: Collection; mayWrite: boolean; onEdit: () => void }

function CollectionMenu({ collection, mayWrite, onEdit }: CollectionMenuProps) {
  const { id, name } = collection
  const atrium = useAtrium()
  const saveFile = useSaveFile()
  const toasts = useToasts()
  const remove = useDeleteCollection()
  return (
    <ActionsMenu of={name}>
      {mayWrite && (
        <MenuItem icon={Pencil} onSelect={onEdit}>
          Edit…
        </MenuItem>
      )}
      <MenuItem
        icon={Download}
        onSelect={() => saveFile(() => atrium.knowledge.collections.export(id), `${name}.tar.gz`)}
      >
        Export as an archive
      </MenuItem>
      {mayWrite && (
        <MenuItem icon={Trash2} danger onSelect={() => void remove(collection).catch(toasts.fail)}>
          Move to the trash
        </MenuItem>
      )}
    </ActionsMenu>
  )
}
