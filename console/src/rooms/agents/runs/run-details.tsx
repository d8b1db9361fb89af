/** What is on a run's record besides what it did. */
import type { Run } from '@atrium/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDuration, formatMoment, formatNumber } from '../../../ui/format.ts'
import { Card } from '../../../ui/page.tsx'
import { costOf } from '../run-facts.ts'
import { RunStatusBadge } from '../run-status.tsx'
import { ValueBlock } from '../value-block.tsx'

export function RunDetails({ run }: { run: Run }) {
  const { usage, variables, metadata, responseSchema } = run
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Card title="Details">
        <dl className="flex flex-col gap-2.5">
          <Detail label="State">
            <RunStatusBadge status={run.status} />
          </Detail>
          <Detail label="Model">
            <span className="font-mono text-[13px]">{run.model ?? '–'}</span>
          </Detail>
          <Detail label="Revision">
            <Link
              to={`/agents/${run.agentId}/revisions`}
              className="text-accent-text underline underline-offset-3"
            >
              {run.agentRevision}
            </Link>
          </Detail>
          <Detail label="Asked">{formatMoment(run.createdAt)}</Detail>
          <Detail label="Took">{run.durationMs === null ? '–' : formatDuration(run.durationMs)}</Detail>
          <Detail label="Tokens read">{formatNumber(usage.inputTokens)}</Detail>
          <Detail label="Tokens written">{formatNumber(usage.outputTokens)}</Detail>
          <Detail label="Cost">
            {costOf(usage)}
            {usage.isEstimate && ' (reckoned)'}
          </Detail>
          {run.endUserId !== null && <Detail label="End user">{run.endUserId}</Detail>}
          {run.parentRunId !== null && (
            <Detail label="Part of">
              <Link to={`/runs/${run.parentRunId}`} className="text-accent-text underline underline-offset-3">
                another run
              </Link>
            </Detail>
          )}
          <Detail label="Number">
            <span className="font-mono text-[12px] break-all">{run.id}</span>
          </Detail>
        </dl>
      </Card>
      {Object.keys(variables).length > 0 && (
        <ValueBlock label="Variables" caption="Variables" value={variables} />
      )}
      {Object.keys(metadata).length > 0 && (
        <ValueBlock label="Metadata" caption="Metadata" value={metadata} />
      )}
      {responseSchema !== null && (
        <ValueBlock label="Response schema" caption="Response schema" value={responseSchema} />
      )}
    </div>
  )
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="shrink-0 text-muted">{label}</dt>
      <dd dir="auto" className="min-w-0 text-right break-words">
        {children}
      </dd>
    </div>
  )
}
