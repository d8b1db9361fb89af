/** Whether an endpoint is told of things, and if not, why. */
import type { Webhook } from '@atrium/sdk'
import { Badge } from '../../ui/badge.tsx'

export function EndpointState({ webhook: { enabled, disabledReason, failingSince } }: { webhook: Webhook }) {
  if (!enabled) {
    return (
      <Badge tone={disabledReason === 'manual' ? 'neutral' : 'danger'} dot>
        {disabledReason === 'manual' ? 'Disabled' : 'Disabled by failures'}
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
