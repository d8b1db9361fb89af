/** What a run took, in a line. */
import type { Run } from '@atrium/sdk'
import { formatDuration, formatNumber, formatUsd } from '../../ui/format.ts'

export const costOf = ({ costUsd }: Run['usage']): string =>
  costUsd === null ? 'cost not known' : formatUsd(costUsd)

export function factsOf({ usage, durationMs, model, agentRevision }: Run): string[] {
  return [
    ...(durationMs === null ? [] : [formatDuration(durationMs)]),
    `${formatNumber(usage.inputTokens)} tokens read, ${formatNumber(usage.outputTokens)} written${usage.isEstimate ? ' (reckoned)' : ''}`,
    costOf(usage),
    ...(model === null ? [] : [model]),
    `revision ${agentRevision}`,
  ]
}

/** An error of a run with what to do about it stands on its page and in the playground alike. */
export const isUnderWay = ({ status }: Pick<Run, 'status'>): boolean =>
  status === 'queued' || status === 'running'
