/** Where the service's documents go, how often they are fetched, and a sync at once. */

import type { Connection } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatMoment } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useOpenRooms } from '../room.ts'

const schedules: readonly { minutes: number; label: string }[] = [
  { minutes: 15, label: 'Every 15 minutes' },
  { minutes: 60, label: 'Every hour' },
  { minutes: 360, label: 'Every 6 hours' },
  { minutes: 1_440, label: 'Every day' },
  { minutes: 10_080, label: 'Every week' },
]

/** More are chosen by the API. */
const mostCollections = 100

type Plan = { collectionId?: string | null; everyMinutes?: number | null }

export function SyncCard({ connection }: { connection: Connection }) {
  const { id, sync, status } = connection
  const mayWrite = useMay('integrations:write')
  const toasts = useToasts()
  const [collectionId, setCollectionId] = useState(sync.collectionId ?? '')
  const [every, setEvery] = useState(String(sync.everyMinutes ?? ''))
  const { mutate, error, isPending } = useApiMutation(
    (atrium, plan: Plan) => atrium.integrations.update(id, { sync: plan }),
    { changes: [['integrations']] },
  )
  const start = useApiMutation((atrium, full: boolean) => atrium.integrations.sync(id, { full }), {
    changes: [['integrations']],
  })
  const isSame = collectionId === (sync.collectionId ?? '') && every === String(sync.everyMinutes ?? '')
  const save = () =>
    mutate(
      withoutUndefined({
        collectionId: collectionId === (sync.collectionId ?? '') ? undefined : collectionId || null,
        everyMinutes: every === '' ? null : Number(every),
      }),
      { onSuccess: () => toasts.show({ title: 'The sync is changed' }) },
    )
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
            onClick={() => start.mutate(false, { onError: toasts.fail })}
          >
            Sync now
          </Button>
        )
      }
    >
      <form
        className="grid gap-5 sm:grid-cols-2"
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <CollectionField value={collectionId} onChange={setCollectionId} disabled={!mayWrite} />
        <Field
          label="How often"
          {...(sync.nextSyncAt === null ? {} : { hint: `Next at ${formatMoment(sync.nextSyncAt)}.` })}
        >
          <Select value={every} disabled={!mayWrite} onChange={event => setEvery(event.currentTarget.value)}>
            <option value="">When somebody asks for it</option>
            {schedules.map(({ minutes, label }) => (
              <option key={minutes} value={minutes}>
                {label}
              </option>
            ))}
            {sync.everyMinutes !== null &&
              !schedules.some(({ minutes }) => minutes === sync.everyMinutes) && (
                <option value={sync.everyMinutes}>Every {sync.everyMinutes} minutes</option>
              )}
          </Select>
        </Field>
        <div className="flex flex-wrap gap-2 sm:col-span-2">
          {mayWrite && (
            <Button type="submit" busy={isPending} disabled={isSame}>
              Save the sync
            </Button>
          )}
          <CollectionLink id={sync.collectionId} />
        </div>
        {error !== null && (
          <div className="sm:col-span-2">
            <ErrorNotice error={error} />
          </div>
        )}
      </form>
    </Card>
  )
}

function CollectionField({
  value,
  onChange,
  disabled,
}: {
  value: string
  onChange: (id: string) => void
  disabled: boolean
}) {
  const mayRead = useMay('knowledge:read')
  const { data } = useApiQuery(
    ['collections', 'to-sync'],
    (atrium, options) => atrium.knowledge.collections.list({ pageSize: mostCollections }, options).page(),
    { enabled: mayRead },
  )
  const items = data?.items ?? []
  return (
    <Field label="Collection" hint="One connection keeps a collection in sync.">
      <Select value={value} disabled={disabled} onChange={event => onChange(event.currentTarget.value)}>
        <option value="">A new one, made by the first sync</option>
        {items.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {value !== '' && !items.some(({ id }) => id === value) && <option value={value}>{value}</option>}
      </Select>
    </Field>
  )
}

function CollectionLink({ id }: { id: string | null }) {
  const isOpen = useOpenRooms().some(({ path }) => path === '/knowledge')
  if (id === null || !isOpen) return null
  return <ButtonLink to={`/knowledge/collections/${id}`}>Open the collection</ButtonLink>
}
