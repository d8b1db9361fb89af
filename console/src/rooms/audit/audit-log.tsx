/** Every change in the workspace, newest first: filtered, and with the names of those who made it. */
import type { AuditEntry } from '@atrium/sdk'
import { ScrollText, Search, X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useApiQuery, usePagedQuery } from '../../api/queries.ts'
import { useMemberNames } from '../../api/records.tsx'
import { useMay } from '../../api/scope.tsx'
import { useSearchValue } from '../../api/search-values.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { SideDrawer } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Form, SelectField, TextField } from '../../ui/field.tsx'
import { count, formatMoment } from '../../ui/format.ts'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, PagedTable } from '../../ui/table.tsx'

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
    (atrium, query, options) => atrium.auditLog.list({ ...query, ...Object.fromEntries(chosen) }, options),
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

type Props = { authors: Authors; seen: readonly AuditEntry[] }

function AuditFilters({ authors, seen }: Props) {
  const [person, setPerson] = useSearchValue('person')
  const [key, setKey] = useSearchValue('key')
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <ActionField seen={seen} />
        <SelectField
          label="Person"
          value={person}
          onChange={setPerson}
          emptyLabel="Every person"
          options={optionsOf(authors.people)}
        />
        <SelectField
          label="Key"
          value={key}
          onChange={setKey}
          emptyLabel="With and without a key"
          options={optionsOf(authors.keys)}
        />
      </div>
      <OnlyOne parameter="record" what="Only changes of" back="Of every record" />
      <OnlyOne parameter="request" what="Only changes by the request" back="By every request" />
    </div>
  )
}

/** Nothing while the address does not name one. */
function OnlyOne({ parameter, what, back }: { parameter: string; what: string; back: string }) {
  const [id, setId] = useSearchValue(parameter)
  if (id === '') return null
  return (
    <p className="flex flex-wrap items-center gap-2 text-muted">
      {what} <span className="font-mono text-[13px] break-all text-ink">{id}</span>
      <Button size="small" icon={X} onClick={() => setId('')}>
        {back}
      </Button>
    </p>
  )
}

const optionsOf = (named: Authors['people']) => named.map(({ id, name }) => ({ value: id, label: name }))

function ActionField({ seen }: { seen: readonly AuditEntry[] }) {
  const [action, setAction] = useSearchValue('action')
  const [typed, setTyped] = useState(action)
  useEffect(() => setTyped(action), [action])
  const listId = useId()
  const known = [...new Set(seen.map(entry => entry.action))].toSorted()
  return (
    <Form className="flex items-end gap-2" onSubmit={() => setAction(typed.trim())}>
      <div className="min-w-0 flex-1">
        <TextField
          label="Action"
          type="search"
          list={listId}
          maxLength={100}
          placeholder="agent.create"
          value={typed}
          onChange={text => {
            setTyped(text)
            // What is picked from the list, and what is emptied, needs no further press.
            if (text === '' || known.includes(text)) setAction(text)
          }}
        />
        <datalist id={listId}>
          {known.map(one => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </div>
      <Button type="submit" icon={Search} aria-label="List this action only" />
    </Form>
  )
}

/** As many as one page has: of a larger workspace the newest; the others are shown by their ids. */
const mostNamed = 100

type Named = { id: string; name: string }

type Authors = {
  people: readonly Named[]
  keys: readonly Named[]
  /** `Ada, by the key Nightly import`. */
  nameOf(entry: AuditEntry): string
  /** The person whom another's change is about, such as a sign-in that was refused; null for any other record. */
  subjectOf(entry: AuditEntry): string | null
}

/** Names of the people and keys that have made changes, as far as the person may see them. */
function useAuthors(): Authors {
  const names = useMemberNames()
  const listed = useApiQuery(
    ['api-keys', 'names'],
    (atrium, options) => atrium.apiKeys.list({ pageSize: mostNamed }, options).page(),
    { enabled: useMay('keys:read') },
  )
  const people = [...names].map(([id, { name }]) => ({ id, name }))
  const keys = (listed.data?.items ?? []).map(({ id, name }) => ({ id, name }))
  return {
    people,
    keys,
    nameOf({ actor, userId, keyId, address }) {
      if (actor === 'operator') return 'The operator'
      // The server writes the entry, yet the request of a stranger has brought it about.
      if (actor === 'system') return address === null ? 'The server' : 'Somebody not signed in'
      const person = userId === null ? null : (names.get(userId)?.name ?? userId)
      if (keyId === null) return person ?? 'Somebody'
      const key = `the key ${keys.find(({ id }) => id === keyId)?.name ?? keyId}`
      return person === null ? `By ${key}` : `${person}, by ${key}`
    },
    subjectOf: ({ resourceId, userId }) =>
      resourceId === userId || resourceId === null ? null : (names.get(resourceId)?.name ?? null),
  }
}
