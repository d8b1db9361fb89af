/** Where a service’s documents go and how often, and what each sync did; the one in progress moves by itself. */
import type { Connection, ConnectionSync } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { History, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiQuery, usePagedQuery } from '../../api/queries.ts'
import { useRecords } from '../../api/records.tsx'
import { useMay } from '../../api/scope.tsx'
import { type BadgeState, StateBadge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog, SideDrawer } from '../../ui/dialog.tsx'
import { Form, SelectField } from '../../ui/field.tsx'
import { count, formatMoment } from '../../ui/format.ts'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { Card, Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, PagedTable } from '../../ui/table.tsx'
import { useOpenRooms } from '../room.ts'
import { isUnderWay } from './connections.ts'

const schedules = [
  { value: '15', label: 'Every 15 minutes' },
  { value: '60', label: 'Every hour' },
  { value: '360', label: 'Every 6 hours' },
  { value: '1440', label: 'Every day' },
  { value: '10080', label: 'Every week' },
]

export function SyncCard({ connection }: { connection: Connection }) {
  const { id, sync, status } = connection
  const mayWrite = useMay('integrations:write')
  const collections = useRecords('collections')
  const present = { collectionId: sync.collectionId ?? '', everyMinutes: String(sync.everyMinutes ?? '') }
  const minutes = present.everyMinutes
  const isUsual = minutes === '' || schedules.some(({ value }) => value === minutes)
  const { fields, of, sending } = useForm({
    initial: present,
    write: (atrium, { collectionId, everyMinutes }) =>
      atrium.integrations.update(id, {
        sync: withoutUndefined({
          collectionId: collectionId === present.collectionId ? undefined : collectionId || null,
          everyMinutes: everyMinutes === '' ? null : Number(everyMinutes),
        }),
      }),
    changes: [['integrations']],
    done: () => ({ title: 'The sync is changed' }),
  })
  const start = useApiAction(atrium => atrium.integrations.sync(id, { full: false }), {
    changes: [['integrations']],
  })
  const isSame = fields.collectionId === present.collectionId && fields.everyMinutes === minutes
  return (
    <Card
      title="Sync"
      description="What the service holds becomes documents of a collection: new, changed and deleted there, so here. Documents that it lost go to the trash."
      actions={
        mayWrite && (
          <Button
            icon={RefreshCw}
            variant="primary"
            busy={start.isPending}
            disabled={status !== 'active'}
            onClick={() => start.run()}
          >
            Sync now
          </Button>
        )
      }
    >
      <Form className="grid gap-5 sm:grid-cols-2" onSubmit={sending.onSubmit}>
        <SelectField
          label="Collection"
          hint="One connection keeps a collection in sync."
          disabled={!mayWrite}
          {...of('collectionId')}
          emptyLabel="A new one, made by the first sync"
          options={(collections.data?.items ?? []).map(({ id: value, name }) => ({ value, label: name }))}
        />
        <SelectField
          label="How often"
          hint={sync.nextSyncAt === null ? undefined : `Next at ${formatMoment(sync.nextSyncAt)}.`}
          disabled={!mayWrite}
          {...of('everyMinutes')}
          emptyLabel="When somebody asks for it"
          options={[
            ...schedules,
            ...(isUsual ? [] : [{ value: minutes, label: `Every ${minutes} minutes` }]),
          ]}
        />
        <div className="flex flex-wrap gap-2 sm:col-span-2">
          {mayWrite && (
            <Button type="submit" busy={sending.busy} disabled={isSame}>
              Save the sync
            </Button>
          )}
          <CollectionLink id={sync.collectionId} />
        </div>
        <div className="sm:col-span-2">
          <ErrorNotice error={sending.error} />
        </div>
      </Form>
    </Card>
  )
}

function CollectionLink({ id }: { id: string | null }) {
  const isOpen = useOpenRooms().some(({ path }) => path === '/knowledge')
  if (id === null || !isOpen) return null
  return <ButtonLink to={`/knowledge/collections/${id}`}>Open the collection</ButtonLink>
}

const movingMs = 1_500

export function Syncs({ connection }: { connection: Connection }) {
  const mayWrite = useMay('integrations:write')
  const [opened, setOpened] = useState<ConnectionSync | null>(null)
  const [confirming, setConfirming] = useState<Guarded | null>(null)
  const syncs = usePagedQuery(
    ['integrations', 'syncs', connection.id],
    (atrium, query, options) => atrium.integrations.syncs.list(connection.id, query, options),
    { refetchInterval: data => (data?.items.some(isUnderWay) ? movingMs : false) },
  )
  const columns: Column<ConnectionSync>[] = [
    {
      header: 'Sync',
      cell: ({ createdAt, startedBy, full }) => (
        <>
          <span className="block font-medium">
            <RelativeTime time={createdAt} />
          </span>
          <span className="block text-[13px] text-muted">
            {startedBy === 'schedule' ? 'By schedule' : 'Asked for'}
            {full && ', of everything'}
          </span>
        </>
      ),
    },
    { header: 'State', cell: sync => <SyncState sync={sync} /> },
    { header: 'Documents', cell: sync => <Counts sync={sync} /> },
    actionsColumn(sync => (
      <SyncActions sync={sync} mayWrite={mayWrite} onOpen={setOpened} onConfirm={setConfirming} />
    )),
  ]
  return (
    <Section title="Syncs">
      <PagedTable
        query={syncs}
        caption="Syncs"
        columns={columns}
        rowKey={({ id }) => id}
        waitingRows={2}
        empty={
          <EmptyState icon={History} title="It was not synchronized yet">
            Sync now, or choose how often it happens by itself. Each sync fetches what is new or changed.
          </EmptyState>
        }
      />
      {opened !== null && <SyncItems sync={opened} onClose={() => setOpened(null)} />}
      {confirming !== null && <ConfirmDeletes {...confirming} onClose={() => setConfirming(null)} />}
    </Section>
  )
}

const stateWords: Readonly<Record<ConnectionSync['status'], BadgeState>> = {
  queued: { label: 'Waits for its turn', tone: 'neutral' },
  running: { label: 'In progress', tone: 'warn' },
  succeeded: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

const phaseWords: Readonly<Record<NonNullable<ConnectionSync['phase']>, string>> = {
  listing: 'asks what there is',
  fetching: 'fetches what is new',
  removing: 'removes what is gone',
}

function SyncState({ sync: { status, phase, waitingUntil, error } }: { sync: ConnectionSync }) {
  const working = phase === null ? null : phaseWords[phase]
  const doing = waitingUntil === null ? working : `pauses until ${formatMoment(waitingUntil)}`
  return (
    <span className="flex min-w-0 flex-col items-end gap-1 sm:items-start">
      <StateBadge {...stateWords[status]} />
      {status === 'running' && <span className="text-[13px] text-muted">{doing}</span>}
      {error !== null && (
        <span className="text-right text-[13px] break-words text-muted sm:text-left">{error.message}</span>
      )}
    </span>
  )
}

function Counts({ sync }: { sync: ConnectionSync }) {
  const { added, changed, unchanged, deleted, failed } = sync
  const parts = [
    `${added} new`,
    `${changed} changed`,
    `${unchanged} unchanged`,
    `${deleted} deleted`,
    ...(failed > 0 ? [`${failed} failed`] : []),
  ]
  return <span className="text-[13px] tabular-nums">{parts.join(' · ')}</span>
}

type SyncActionsProps = {
  sync: ConnectionSync
  mayWrite: boolean
  onOpen: (sync: ConnectionSync) => void
  onConfirm: (guarded: Guarded) => void
}

function SyncActions({ sync, mayWrite, onOpen, onConfirm }: SyncActionsProps) {
  const cancel = useApiAction(atrium => atrium.integrations.syncs.cancel(sync.connectionId, sync.id), {
    changes: [['integrations']],
  })
  const guarded = sync.error?.code === 'delete_guard' ? numberIn(sync.error.message) : null
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {sync.failed > 0 && (
        <Button size="small" onClick={() => onOpen(sync)}>
          What failed
        </Button>
      )}
      {mayWrite && guarded !== null && (
        <Button size="small" onClick={() => onConfirm({ sync, number: guarded })}>
          Confirm the deletion…
        </Button>
      )}
      {mayWrite && isUnderWay(sync) && (
        <Button size="small" busy={cancel.isPending} onClick={() => cancel.run()}>
          Cancel the sync
        </Button>
      )}
    </span>
  )
}

/** The guard names the number in its words. */
const numberIn = (message: string): number | null => {
  const [digits] = /\d+/.exec(message) ?? []
  return digits === undefined ? null : Number(digits)
}

/** A sync that stopped before it would have deleted so many documents. */
type Guarded = { sync: ConnectionSync; number: number }

function ConfirmDeletes({ sync, number, onClose }: Guarded & { onClose: () => void }) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Move ${count(number, 'document')} to the trash?`}
      confirmLabel="Sync and delete"
      onConfirm={atrium => atrium.integrations.sync(sync.connectionId, { confirmDeletes: number })}
      changes={[['integrations']]}
    >
      <p>
        The service no longer has a large part of this connection’s documents. You can restore them from the
        trash for 30 days. If the number changes before the sync runs, the sync stops and asks again.
      </p>
      <section
        aria-label="What would go"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys.
        tabIndex={0}
        className="max-h-48 overflow-y-auto"
      >
        <ItemList sync={sync} status="gone" none="Nothing is gone any more." />
      </section>
    </ConfirmDialog>
  )
}

const mostShown = 100

function SyncItems({ sync, onClose }: { sync: ConnectionSync; onClose: () => void }) {
  return (
    <SideDrawer onClose={onClose} title="What failed">
      <p className="mb-4 text-muted">Each is tried again at the next sync; its old document stays.</p>
      <ItemList sync={sync} status="failed" none="Nothing fails any more." />
    </SideDrawer>
  )
}

type ItemListProps = { sync: ConnectionSync; status: 'failed' | 'gone'; none: string }

function ItemList({ sync, status, none }: ItemListProps) {
  const items = useApiQuery(['integrations', 'sync-items', sync.id, status], (atrium, options) =>
    atrium.integrations.syncs
      .items(sync.connectionId, sync.id, { status, pageSize: mostShown }, options)
      .page(),
  )
  return (
    <Loaded query={items}>
      {({ items: found, total }) =>
        found.length === 0 ? (
          <p>{none}</p>
        ) : (
          <>
            <ul className="flex flex-col gap-4">
              {found.map(({ externalId, title, error }) => (
                <li key={externalId} className="min-w-0 border-b pb-4 last:border-b-0">
                  <p className="font-medium break-words">{title ?? externalId}</p>
                  {title !== null && <p className="text-[13px] break-all text-muted">{externalId}</p>}
                  {error !== null && <p className="mt-1 break-words">{error.message}</p>}
                </li>
              ))}
            </ul>
            {total > found.length && (
              <p className="mt-4 text-muted">
                These are {found.length} of {total}.
              </p>
            )}
          </>
        )
      }
    </Loaded>
  )
}
