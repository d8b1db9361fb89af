/** The endpoints of the environment. */
import type { Webhook } from '@atrium/sdk'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { usePagedQuery } from '../../api/queries.ts'
import { useMay, useScope } from '../../api/scope.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { type Column, PagedTable, RecordName } from '../../ui/table.tsx'
import { EndpointState } from './endpoint.tsx'

export function Room() {
  const { environment } = useScope()
  const mayWrite = useMay('webhooks:write')
  const webhooks = usePagedQuery(['webhooks', 'list'], (atrium, query, options) =>
    atrium.webhooks.list(query, options),
  )
  const create = mayWrite && (
    <ButtonLink to="/webhooks/new" variant="primary" icon={Plus}>
      Create an endpoint
    </ButtonLink>
  )
  return (
    <Page
      title="Webhooks"
      description={
        environment === 'test'
          ? 'Your programs are told what happens in the sandbox, by signed requests.'
          : 'Your programs are told what happens here, by signed requests.'
      }
      actions={create}
    >
      <PagedTable
        query={webhooks}
        caption="Webhook endpoints"
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={WebhookIcon} title="No endpoints yet" action={create}>
            An endpoint is an address of yours. It is told when a run has ended, a document can be found or a
            key was revoked, so that no program has to ask again and again.
          </EmptyState>
        }
      />
    </Page>
  )
}

const columns: readonly Column<Webhook>[] = [
  {
    header: 'Endpoint',
    className: 'break-all',
    cell: ({ id, url, description }) => <RecordName to={`/webhooks/${id}`} name={url} below={description} />,
  },
  { header: 'State', cell: webhook => <EndpointState webhook={webhook} /> },
  {
    header: 'Told of',
    cell: ({ eventTypes }) => (
      <span>
        {eventTypes.includes('*')
          ? 'Everything'
          : count(eventTypes.length, 'type of event', 'types of event')}
      </span>
    ),
  },
  { header: 'Made', cell: ({ createdAt }) => <RelativeTime time={createdAt} /> },
]
