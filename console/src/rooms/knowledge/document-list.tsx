/** The documents of a collection: filtered, paged, chosen, deleted, tried again. */

import type { Document, Filter } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { FileText, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiQuery, usePagedQuery, useReadAgain } from '../../api/queries.ts'
import { useSearchChoice, useSearchValue } from '../../api/search-values.ts'
import { Button } from '../../ui/button.tsx'
import { Form, SelectField, TextField } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { EmptyState, Notice } from '../../ui/notices.tsx'
import { Section } from '../../ui/page.tsx'
import { Pager, TableSkeleton } from '../../ui/table.tsx'
import { documentChanges } from './changes.ts'
import { isProcessing, statusWords } from './document-status.tsx'
import { DocumentTable } from './document-table.tsx'

const pollMs = 1_500
const idlePollMs = 15_000

type Props = { collectionId: string; mayWrite: boolean }

export function DocumentList({ collectionId, mayWrite }: Props) {
  const [status, setStatus] = useSearchChoice('status', statuses, '')
  const [name, setName] = useSearchValue('name')
  const documents = usePagedQuery(
    ['documents', { collectionId, status, name }],
    (atrium, query, options) =>
      atrium.knowledge.documents
        .list(
          withoutUndefined({
            ...query,
            collectionId,
            status: status || undefined,
            filter: name === '' ? undefined : nameFilter(name),
          }),
          options,
        )
        .page(),
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
