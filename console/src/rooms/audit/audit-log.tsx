/** Every change in the workspace, newest first. */

import type { AuditEntry } from '@atrium/sdk'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { usePagedQuery } from '../../api/queries.ts'
import { useSearchValue } from '../../api/search-values.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { SideDrawer } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { count, formatMoment } from '../../ui/format.ts'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, PagedTable } from '../../ui/table.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { type Authors, useAuthors } from './authors.ts'

const pageSize = 50

export function Room() {
  const [action] = useSearchValue('action')
  const [userId] = useSearchValue('person')
  const [keyId] = useSearchValue('key')
  const [resourceId] = useSearchValue('record')
  const [requestId] = useSearchValue('request')
  const [opened, setOpened] = useState<AuditEntry | null>(null)
  const authors = useAuthors()
  const chosen = Object.entries({ action, userId, keyId, resourceId, requestId }).filter(
    ([, value]) => value !== '',
  )
  const entries = usePagedQuery(
    ['audit-log', Object.fromEntries(chosen)],
    (atrium, query, options) =>
      atrium.auditLog.list({ ...query, ...Object.fromEntries(chosen) }, options).page(),
    { pageSize },
  )
  return (
    <Page
      title="Audit log"
      description="Each change and sign-in: who did it, with which key and from where. One entry stands for all files of an upload."
    >
      <AuditFilters authors={authors} seen={entries.data?.items ?? []} />
      <PagedTable
        query={entries}
        caption="Changes"
        columns={columnsOf(authors, setOpened)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={ScrollText}
            title={chosen.length === 0 ? 'Nothing has changed yet' : 'No change is like that'}
          >
            {chosen.length === 0
              ? 'Each change and each sign-in leaves an entry here.'
              : 'Take a filter away, or choose another one.'}
          </EmptyState>
        }
      />
      {opened !== null && (
        <EntryDrawer entry={opened} author={authors.nameOf(opened)} onClose={() => setOpened(null)} />
      )}
    </Page>
  )
}

const columnsOf = (authors: Authors, onOpen: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  {
    header: 'Change',
    // On a card the button stands beside it.
    className: 'max-sm:pr-20',
    cell: entry => {
      const { action, details } = entry
      const about = typeof details.name === 'string' ? details.name : authors.subjectOf(entry)
      return (
        <>
          <span className="block font-mono text-[13px]">{action}</span>
          {about !== null && (
            <span dir="auto" className="block text-[13px] break-words text-muted">
              {about}
            </span>
          )}
          {typeof details.files === 'number' && (
            <span className="block text-[13px] text-muted">{count(details.files, 'file')}</span>
          )}
        </>
      )
    },
  },
  {
    header: 'Who',
    cell: entry => (
      <span className="min-w-0 text-right break-words sm:text-left">{authors.nameOf(entry)}</span>
    ),
  },
  { header: 'From', cell: ({ address }) => <span className="break-all">{address ?? 'Inside'}</span> },
  { header: 'When', cell: ({ createdAt }) => <RelativeTime time={createdAt} /> },
  actionsColumn(
    entry => (
      <Button
        size="small"
        variant="ghost"
        aria-label={`Details of ${entry.action}`}
        onClick={() => onOpen(entry)}
      >
        Details
      </Button>
    ),
    'Details',
  ),
]

type EntryDrawerProps = { entry: AuditEntry; author: string; onClose: () => void }

/** One change with everything that is known of it. */
function EntryDrawer({ entry, author, onClose }: EntryDrawerProps) {
  const [, setRecord] = useSearchValue('record')
  const [, setRequest] = useSearchValue('request')
  const { action, resourceId, details, address, requestId, createdAt, keyId, userId } = entry
  const facts = [
    { name: 'When', value: formatMoment(createdAt) },
    { name: 'Who', value: author },
    { name: 'Person', value: userId },
    { name: 'Key', value: keyId },
    { name: 'Record', value: resourceId },
    { name: 'Address', value: address },
    { name: 'Request', value: requestId },
  ]
  return (
    <SideDrawer onClose={onClose} title={action}>
      <div className="flex flex-col gap-5">
        <Facts facts={facts} look="column" />
        {Object.keys(details).length > 0 && (
          <CodeBlock label="Details" code={JSON.stringify(details, null, 2)} />
        )}
        <div className="flex flex-wrap gap-2">
          {resourceId !== null && (
            <Button
              onClick={() => {
                setRecord(resourceId)
                onClose()
              }}
            >
              Every change of this record
            </Button>
          )}
          <Button
            onClick={() => {
              setRequest(requestId)
              onClose()
            }}
          >
            Every change by this request
          </Button>
        </div>
      </div>
    </SideDrawer>
  )
}
