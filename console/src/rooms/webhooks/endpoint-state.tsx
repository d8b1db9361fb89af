/** Whether an endpoint is told of things, and if not, why. */
import type { Webhook } from '@atrium/sdk'
import { Badge } from '../../ui/badge.tsx'

export function EndpointState({ webhook: { enabled, disabledReason, failingSince } }: { webhook: Webhook }) {
  const isByFailures = disabledReason === 'gone' || disabledReason === 'failing'
  if (!enabled) {
    return (
      <Badge tone={isByFailures ? 'danger' : 'neutral'} dot>
        {isByFailures ? 'Disabled by failures' : 'Disabled'}
      </Badge>
    )
  }
  return failingSince === null ? (
    <Badge tone="good" dot>
      Enabled
    </Badge>
  ) : (
    <Badge tone="warn" dot>
      Failing
    </Badge>
  )
}
