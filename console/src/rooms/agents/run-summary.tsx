/** A run in a few words: its state, what it took, and what to do where it has failed. */
import type { Run } from '@atrium/sdk'
import { type BadgeState, StateBadge } from '../../ui/badge.tsx'
import { formatDuration, formatNumber, formatUsd } from '../../ui/format.ts'
import { Notice } from '../../ui/notices.tsx'

/** The state of a run in a word. */
export type RunStatus = Run['status']

const statusWords: Record<RunStatus, BadgeState> = {
  queued: { label: 'Queued', tone: 'neutral' },
  running: { label: 'Running', tone: 'accent' },
  waiting: { label: 'Waiting', tone: 'warn' },
  succeeded: { label: 'Succeeded', tone: 'good' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export const runStatusLabel = (status: RunStatus): string => statusWords[status].label

export const runStatuses = Object.keys(statusWords) as RunStatus[]

export const RunStatusBadge = ({ status }: { status: RunStatus }) => <StateBadge {...statusWords[status]} />

export const costOf = ({ costUsd }: Run['usage']): string =>
  costUsd === null ? 'cost not known' : formatUsd(costUsd)

export function factsOf({ usage, durationMs, model, agentRevision }: Run): string[] {
  return [
    ...(durationMs === null ? [] : [formatDuration(durationMs)]),
    `${formatNumber(usage.inputTokens)} tokens read, ${formatNumber(usage.outputTokens)} written${usage.isEstimate ? ' (estimated)' : ''}`,
    costOf(usage),
    ...(model === null ? [] : [model]),
    `revision ${agentRevision}`,
  ]
}

export const isUnderWay = ({ status }: Pick<Run, 'status'>): boolean =>
  status === 'queued' || status === 'running'

export function RunFailure({ error: { code, message } }: { error: NonNullable<Run['error']> }) {
  return (
    <Notice tone="danger" title={message}>
      <p>{remedyOfRun(code)}</p>
      <p className="mt-1 font-mono text-[12px] text-muted">{code}</p>
    </Notice>
  )
}

const remedies: Readonly<Record<string, string>> = {
  model_not_configured: 'Choose another model in the editor, or ask your operator to configure this one.',
  model_unauthorized:
    'The provider rejects the API key. Ask the person who configured the model to enter a valid key.',
  model_not_found: 'The provider has no model of this name. Choose another model in the editor.',
  model_rate_limited: 'The provider is busy with other requests. Wait a minute, and run it again.',
  model_quota_exceeded: 'The provider’s quota is used up. Raise the limit there, or choose another model.',
  model_timeout: 'Run it again. If it happens often, choose a faster model or a fallback.',
  model_unavailable: 'Run it again later, or choose a fallback model in the editor.',
  model_request_rejected: 'Correct the part of the prompt or the agent that the message names.',
  model_invalid_response: 'Run it again. If the problem persists, choose another model.',
  context_too_long:
    'Make the prompt or the instructions shorter, begin a new conversation, or choose a model with a larger context window.',
  content_filtered: 'The provider blocked the answer. Rephrase the prompt, or choose another model.',
  output_truncated: 'Raise the limit of output tokens in the editor, or ask for a shorter answer.',
  output_invalid:
    'Make the response schema simpler, or say in the instructions what the answer has to look like.',
  max_steps: 'Raise the limit of steps in the editor, or ask for less at once.',
  max_cost: 'Raise the limit of cost in the editor, or choose a cheaper model.',
  budget_exceeded: 'Ask an owner to raise the monthly budget, or wait until it resets next month.',
  attachment_unavailable: 'The document was deleted or is no longer accessible. Attach it again.',
  run_timeout: 'Raise the time limit in the editor, or ask for less at once.',
  tool_error:
    'Read the tool’s message in the failed steps, and correct the instructions or the tool’s settings.',
  run_interrupted: 'The server was interrupted several times. Run it again.',
  crashed_server:
    'The run has ended the server twice. Change the prompt or the agent, and send the run’s ID to your operator.',
  approval_expired: 'The approval expired before a decision. Run it again and decide sooner.',
  tool_result_expired:
    'Your program sent no result in time. See that it runs and answers `pendingToolCalls`, then run it again.',
  access_revoked: 'The key or person who ran it has lost a permission. Run it with one that has it.',
  internal_error: 'Run it again. If the problem persists, send the run’s ID to your operator.',
}

const remedyOfRun = (code: string): string => remedies[code] ?? 'Run it again.'
