/** One delivery: what is sent, and each attempt with its request and reply. */

import type { WebhookDelivery } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { Loaded } from '../../api/loaded.tsx'
import { parsedJson } from '../../api/parsed-json.ts'
import { useApiAction, useApiQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { useRoomParam } from '../../api/search-values.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Facts } from '../../ui/facts.tsx'
import { count, formatDuration, formatMoment } from '../../ui/format.ts'
import { Notice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { DeliveryStatus, originWords } from './deliveries.tsx'

const pendingMs = 2_000

export function Room() {
  const webhookId = useRoomParam('webhookId')
  const deliveryId = useRoomParam('deliveryId')
  const delivery = useApiQuery(
    ['webhooks', 'delivery', deliveryId],
    (atrium, options) => atrium.webhooks.deliveries.get(webhookId, deliveryId, options),
    { refetchInterval: data => (data?.status === 'pending' ? pendingMs : false) },
  )
  return (
    <Page
      title={delivery.data?.eventType ?? 'Delivery'}
      back={{ to: `/webhooks/${webhookId}`, label: 'The endpoint' }}
      actions={<Redeliver webhookId={webhookId} deliveryId={deliveryId} />}
    >
      <Loaded query={delivery}>
        {shown => (
          <>
            {shown.error !== null && (
              <Notice tone="danger" title="Given up">
                {shown.error}
              </Notice>
            )}
            <Card>
              <DeliveryFacts delivery={shown} />
            </Card>
            <Card title="What is sent">
              {shown.body === null ? (
                <p className="text-muted">
                  The event is not kept any more, or you may not read what it is about.
                </p>
              ) : (
                // It is sent without line breaks; a person reads it better with them.
                <CodeBlock label="Body" code={textOfJson(shown.body)} />
              )}
            </Card>
            <Card title={count(shown.attempts.length, 'attempt')}>
              {shown.attempts.length === 0 ? (
                <p className="text-muted">It is about to be tried.</p>
              ) : (
                <ol className="flex flex-col gap-6">
                  {shown.attempts.toReversed().map(attempt => (
                    <Attempt key={attempt.number} attempt={attempt} />
                  ))}
                </ol>
              )}
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Redeliver({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const navigate = useNavigate()
  const mayWrite = useMay('webhooks:write')
  const { run, isPending } = useApiAction(
    atrium => atrium.webhooks.deliveries.redeliver(webhookId, deliveryId),
    {
      changes: [['webhooks', 'deliveries', webhookId]],
      done: ({ id }) => {
        void navigate({ to: `/webhooks/${webhookId}/deliveries/${id}` })
        return { title: 'The event is sent again', description: 'This page shows the new delivery.' }
      },
    },
  )
  if (!mayWrite) return null
  return (
    <Button icon={RotateCw} busy={isPending} onClick={() => run()}>
      Deliver again
    </Button>
  )
}

function DeliveryFacts({ delivery }: { delivery: WebhookDelivery }) {
  const { status, origin, eventId, createdAt, nextAttemptAt } = delivery
  return (
    <Facts
      facts={[
        { name: 'Status', value: <DeliveryStatus status={status} /> },
        { name: 'Sent for', value: originWords[origin] },
        { name: 'webhook-id', value: <span className="font-mono text-[13px] break-all">{eventId}</span> },
        { name: 'Made', value: <RelativeTime time={createdAt} /> },
        { name: 'Next attempt', value: nextAttemptAt && <RelativeTime time={nextAttemptAt} /> },
      ]}
    />
  )
}

function Attempt({ attempt }: { attempt: WebhookDelivery['attempts'][number] }) {
  const { number, startedAt, durationMs, request, response, error } = attempt
  return (
    <li className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-semibold">Attempt {number}</h3>
        <Badge tone={error === null ? 'good' : 'danger'}>{response?.statusCode ?? 'No reply'}</Badge>
        <span className="text-[13px] text-muted">
          <time dateTime={startedAt}>{formatMoment(startedAt)}</time>, {formatDuration(durationMs)}
        </span>
      </div>
      {error !== null && <p className="break-words text-danger-text">{error}</p>}
      <CodeBlock
        label={`Request of attempt ${number}`}
        code={`POST ${request.url}\n${headerLines(request.headers)}`}
      />
      {response !== null && (
        <CodeBlock
          label={`Reply to attempt ${number}`}
          code={`${response.statusCode}\n${headerLines(response.headers)}${response.body === '' ? '' : `\n\n${response.body}`}`}
        />
      )}
    </li>
  )
}

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

const textOfJson = (body: string): string => JSON.stringify(parsedJson(body), null, 2) ?? body
