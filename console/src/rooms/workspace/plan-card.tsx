/** The plan with its limits, each with what is used of it. */
import type { Usage } from '@atrium/sdk'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'

export function PlanCard({ plan }: { plan: string }) {
  const usage = useApiQuery(['usage'], (atrium, options) => atrium.workspace.usage(options))
  return (
    <Card
      title="Plan and limits"
      description="What the plan allows, and how much of it is used in this environment. The operator changes the plan."
      actions={
        <Badge tone="accent">
          <span className="capitalize">{plan}</span>
        </Badge>
      }
    >
      <Loaded query={usage}>{loaded => <Limits usage={loaded} />}</Loaded>
    </Card>
  )
}

function Limits({ usage }: { usage: Usage }) {
  const { members, storageBytes, runsAtOnce, requestsPerMinute, uploadBytes } = usage
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      <Limit label="Members and pending invitations" {...members} />
      <Limit label="Storage" {...storageBytes} used={storageBytes.used ?? 0} format={formatBytes} />
      <Limit label="Runs at once" {...runsAtOnce} used={runsAtOnce.used ?? 0} />
      <Limit label="Requests this minute" {...requestsPerMinute} />
      <div>
        <dt className="text-muted">Largest file</dt>
        <dd className="font-medium tabular-nums">{formatBytes(uploadBytes.limit)}</dd>
      </div>
    </dl>
  )
}

type LimitProps = { label: string; used: number; limit: number; format?: (value: number) => string }

function Limit({ label, used, limit, format = formatNumber }: LimitProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <dt className="text-muted">{label}</dt>
      <dd className="flex flex-col gap-1.5">
        <span className="tabular-nums">
          <span className="font-medium">{format(used)}</span>
          <span className="text-muted"> of {format(limit)}</span>
        </span>
        <Progress label={label} value={limit === 0 ? 1 : used / limit} />
      </dd>
    </div>
  )
}
