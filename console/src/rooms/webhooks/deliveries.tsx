/** What was sent to an endpoint, newest first. */

import type { WebhookDelivery } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { usePagedQuery } from '../../api/queries.ts'
import { useSearchChoice } from '../../api/search-values.ts'
import { type BadgeState, StateBadge } from '../../ui/badge.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { type Column, PagedTable, RecordName } from '../../ui/table.tsx'
import { eventTypes } from './endpoint.tsx'

const busyMs = 2_000
const quietMs = 20_000

const statuses = ['pending', 'delivered', 'failed'] as const
const types = [...eventTypes, 'webhook.test' as const]

export function Deliveries({ webhookId }: { webhookId: string }) {
  const [status, setStatus] = useSearchChoice('status', statuses, '')
  const [eventType, setEventType] = useSearchChoice('type', types, '')
  const deliveries = usePagedQuery(
    ['webhooks', 'deliveries', webhookId, { status, eventType }],
    (atrium, query, options) =>
      atrium.webhooks.deliveries.list(
        webhookId,
        withoutUndefined({
          ...query,
          status: status || undefined,
          eventType: eventType || undefined,
        }),
        options,
      ),
    { refetchInterval: data => (data?.items.some(row => row.status === 'pending') ? busyMs : quietMs) },
  )
  return (
    <Section
      title="Deliveries"
      actions={
        <div className="flex flex-wrap gap-2">
          <div className="w-full sm:w-44">
            <SelectField
              label="Status"
              labelHidden
              value={status}
              onChange={setStatus}
              emptyLabel="Every status"
              options={statuses.map(one => ({ value: one, label: states[one].label }))}
            />
          </div>
          <div className="w-full sm:w-56">
            <SelectField
              label="Type of event"
              labelHidden
              value={eventType}
              onChange={setEventType}
              emptyLabel="Every type"
              options={types.map(one => ({ value: one, label: one }))}
            />
          </div>
        </div>
      }
    >
      <PagedTable
        query={deliveries}
        caption="Deliveries"
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <p className="rounded-lg border border-dashed px-6 py-8 text-center text-muted">
            {status === '' && eventType === ''
              ? 'Nothing was sent yet. Send a test to see whether the receiver answers.'
              : 'No delivery is like that.'}
          </p>
        }
      />
    </Section>
  )
}

type Row = Pick<
  WebhookDelivery,
  'id' | 'webhookId' | 'eventType' | 'origin' | 'status' | 'attemptCount' | 'createdAt' | 'nextAttemptAt'
>

const columns: readonly Column<Row>[] = [
  {
    header: 'Event',
    cell: ({ id, webhookId, eventType, origin }) => (
      <RecordName
        to={`/webhooks/${webhookId}/deliveries/${id}`}
        name={eventType}
        below={originWords[origin]}
      />
    ),
  },
  { header: 'Status', cell: ({ status }) => <DeliveryStatus status={status} /> },
  { header: 'Attempts', align: 'end', cell: ({ attemptCount }) => attemptCount },
  {
    header: 'Next attempt',
    cell: ({ nextAttemptAt }) => <RelativeTime time={nextAttemptAt} fallback="None" />,
  },
  { header: 'Made', cell: ({ createdAt }) => <RelativeTime time={createdAt} /> },
]

const states: Readonly<Record<WebhookDelivery['status'], BadgeState>> = {
  pending: { label: 'Pending', tone: 'warn' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Given up', tone: 'danger' },
}

export const originWords: Readonly<Record<WebhookDelivery['origin'], string>> = {
  event: 'What happened',
  test: 'A test',
  redelivery: 'Delivered again',
  replay: 'A replay',
}

export const DeliveryStatus = ({ status }: Pick<WebhookDelivery, 'status'>) => (
  <StateBadge {...states[status]} />
)
