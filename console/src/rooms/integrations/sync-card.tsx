/** Where the service's documents go, how often they are fetched, and a sync at once. */

import type { Connection } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { RefreshCw } from 'lucide-react'
import { useForm } from '../../api/form.ts'
import { useApiAction } from '../../api/queries.ts'
import { useRecords } from '../../api/records.tsx'
import { useMay } from '../../api/scope.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Form, SelectField } from '../../ui/field.tsx'
import { formatMoment } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useOpenRooms } from '../room.ts'

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
  const toasts = useToasts()
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
    onDone: () => toasts.show({ title: 'The sync is changed' }),
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
