/** What has become of a delivery, and what it was sent for. */
import type { WebhookDelivery } from '@atrium/sdk'
import { Badge } from '../../ui/badge.tsx'

export const statusWords: Readonly<Record<WebhookDelivery['status'], string>> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Given up',
}

const tones = { pending: 'warn', delivered: 'good', failed: 'danger' } as const

export const originWords: Readonly<Record<WebhookDelivery['origin'], string>> = {
  event: 'What happened',
  test: 'A test',
  redelivery: 'Delivered again',
  replay: 'A replay',
}

export function DeliveryStatus({ status }: { status: WebhookDelivery['status'] }) {
  return (
    <Badge tone={tones[status]} dot>
      {statusWords[status]}
    </Badge>
  )
}
