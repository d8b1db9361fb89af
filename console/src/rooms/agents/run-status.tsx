/** The state of a run in a word. */
import type { Run } from '@atrium/sdk'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'

export type RunStatus = Run['status']

const words: Record<RunStatus, { label: string; tone: BadgeTone }> = {
  queued: { label: 'Queued', tone: 'neutral' },
  running: { label: 'Running', tone: 'accent' },
  waiting: { label: 'Waits for approval', tone: 'warn' },
  succeeded: { label: 'Succeeded', tone: 'good' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export const runStatusLabel = (status: RunStatus): string => words[status].label

export const runStatuses = Object.keys(words) as RunStatus[]

export function RunStatusBadge({ status }: { status: RunStatus }) {
  const { label, tone } = words[status]
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
}
