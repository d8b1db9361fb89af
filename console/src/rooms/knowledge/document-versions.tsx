/** The history of a document: each version can be read, downloaded and brought back. */

import type { Document, DocumentVersion } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { Link } from '@tanstack/react-router'
import { Download, RefreshCw, Undo2 } from 'lucide-react'
import { useApiAction, usePagedQuery } from '../../api/queries.ts'
import { useSaveFile } from '../../api/save-file.ts'
import { useAtrium } from '../../api/scope.tsx'
import { Badge, StateBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { fileNameOf } from '../../ui/format.ts'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, PagedTable, sizeColumn } from '../../ui/table.tsx'
import { documentChanges } from './changes.ts'
import { isProcessing, statusWords } from './document-status.tsx'

type Props = { document: Document; mayWrite: boolean }

export function DocumentVersions({ document, mayWrite }: Props) {
  const { id, version, status } = document
  const versions = usePagedQuery(
    ['documents', id, 'versions', { version, status }],
    (atrium, query, options) => atrium.knowledge.documents.versions.list(id, query, options),
  )
  const actions = actionsColumn<DocumentVersion>(one => (
    <VersionMenu document={document} version={one} mayWrite={mayWrite} />
  ))
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-[72ch] text-muted">
          New content of the same document becomes a new version. Quotes of earlier ones stay where they were.
        </p>
        {mayWrite && <Reprocess document={document} />}
      </div>
      <PagedTable
        query={versions}
        caption="Versions"
        columns={[...columns, actions]}
        rowKey={one => String(one.version)}
        waitingRows={2}
      />
    </div>
  )
}

function Reprocess({ document }: { document: Document }) {
  const { run, isPending } = useApiAction(atrium => atrium.knowledge.documents.reprocess(document.id), {
    changes: documentChanges,
    done: () => ({ title: 'The file is being processed again, as a new version' }),
  })
  return (
    <Button
      size="small"
      icon={RefreshCw}
      busy={isPending}
      disabled={isProcessing(document)}
      onClick={() => run()}
    >
      Process the file again
    </Button>
  )
}

const columns: readonly Column<DocumentVersion>[] = [
  {
    header: 'Version',
    cell: ({ documentId, version, status, name }) => (
      <>
        {status === 'ready' ? (
          <Link
            to="/knowledge/documents/$documentId"
            params={{ documentId }}
            search={{ version: String(version) }}
            className="font-medium text-accent-text hover:underline"
          >
            Version {version}
          </Link>
        ) : (
          <span className="font-medium">Version {version}</span>
        )}
        <span dir="auto" className="block text-[13px] [overflow-wrap:anywhere] text-muted">
          {name}
        </span>
      </>
    ),
  },
  {
    header: 'State',
    cell: ({ isServed, status }) =>
      isServed ? (
        <StateBadge tone="good" label="Found by searches" />
      ) : (
        <Badge>{status === 'ready' ? 'Earlier' : statusWords[status]}</Badge>
      ),
  },
  sizeColumn,
  { header: 'Replaced', cell: ({ replacedAt }) => <RelativeTime time={replacedAt} fallback="Not yet" /> },
]

type VersionMenuProps = Props & { version: DocumentVersion }

function VersionMenu({ document, version: { version, name, isServed }, mayWrite }: VersionMenuProps) {
  const { id, servedVersion } = document
  const atrium = useAtrium()
  const saveFile = useSaveFile()
  const restore = useApiAction(
    (client, wanted: number) => client.knowledge.documents.versions.restore(id, wanted),
    {
      changes: documentChanges,
      done: (_, again) =>
        withoutUndefined({
          title: `The content of version ${version} is the document's again`,
          description: 'As a new version; the others stay.',
          undo: servedVersion !== null ? () => again(servedVersion) : undefined,
        }),
    },
  )
  return (
    <ActionsMenu of={`version ${version}`}>
      <MenuItem
        icon={Download}
        onSelect={() =>
          saveFile(() => atrium.knowledge.documents.original(id, { version }), fileNameOf(name))
        }
      >
        Download its file
      </MenuItem>
      {mayWrite && !isServed && version !== document.version && (
        <MenuItem icon={Undo2} onSelect={() => restore.run(version)}>
          Restore
        </MenuItem>
      )}
    </ActionsMenu>
  )
}
