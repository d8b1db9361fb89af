/** The workspace itself: its name, its plan, its budget, and how one parts with it. */

import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useMay, useScope } from '../../api/scope.tsx'
import { useRefreshSession } from '../../session/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatDate, formatUsd } from '../../ui/format.ts'
import { PlanLimits } from '../../ui/limits.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { SaveForm } from '../../ui/save-form.tsx'
import { Progress } from '../../ui/waiting.tsx'
import { DeleteCard, LeaveCard, TransferCard } from './parting.tsx'

export function Room() {
  const { environment, role } = useScope()
  const isLive = environment === 'live'
  const mayWrite = useMay('workspace:write') && isLive
  const maySeeUsage = useMay('usage:read')
  const workspace = useApiQuery(['workspace'], (atrium, options) => atrium.workspace.get(options))
  return (
    <Page
      narrow
      title="Workspace settings"
      description="Its name, what its plan allows, and what it may cost."
    >
      {!isLive && (
        <Notice title="You are in the sandbox">
          The workspace is the real one. Switch to live at the top to change it.
        </Notice>
      )}
      <Loaded query={workspace}>
        {loaded => (
          <>
            {/* The key makes the form start over when the stored name changes. */}
            <NameCard key={`name ${loaded.name}`} name={loaded.name} slug={loaded.slug} mayWrite={mayWrite} />
            {maySeeUsage && <PlanCard plan={loaded.plan} />}
            <BudgetCard
              key={`budget ${loaded.monthlyCostLimitUsd}`}
              limit={loaded.monthlyCostLimitUsd}
              mayWrite={mayWrite}
            />
            {isLive && role === 'owner' && <TransferCard />}
            {isLive && <LeaveCard name={loaded.name} />}
            {isLive && role === 'owner' && <DeleteCard name={loaded.name} slug={loaded.slug} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

type NameCardProps = { name: string; slug: string; mayWrite: boolean }

function NameCard({ name: present, slug, mayWrite }: NameCardProps) {
  const refresh = useRefreshSession()
  const { fields, of, sending } = useForm({
    initial: { name: present },
    write: async (atrium, wanted) => {
      const changed = await atrium.workspace.update({ name: wanted.name.trim() })
      // The switcher of workspaces reads its names from the session.
      await refresh()
      return changed
    },
    changes: [['workspace']],
    done: changed => ({ title: `It is ${changed.name} now` }),
  })
  const name = fields.name.trim()
  return (
    <Card title="Name">
      <SaveForm
        submitLabel="Save the name"
        disabled={name === '' || name === present}
        readOnly={!mayWrite}
        {...sending}
      >
        <TextField
          label="Name of the workspace"
          hint={
            <>
              In addresses and on the command line it stays <code className="font-mono">{slug}</code>.
            </>
          }
          required
          maxLength={100}
          readOnly={!mayWrite}
          {...of('name')}
        />
      </SaveForm>
    </Card>
  )
}

function PlanCard({ plan }: { plan: string }) {
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
      <Loaded query={usage}>{loaded => <PlanLimits usage={loaded} />}</Loaded>
    </Card>
  )
}

type BudgetCardProps = { limit: number | null; mayWrite: boolean }

function BudgetCard({ limit, mayWrite }: BudgetCardProps) {
  return (
    <Card
      title="Monthly budget"
      description="What the runs of one environment may cost in a calendar month. Beyond it no model is called."
    >
      <Spent limit={limit} />
      {mayWrite ? (
        <BudgetForm limit={limit} />
      ) : (
        limit === null && <p className="text-muted">No limit is set.</p>
      )}
    </Card>
  )
}

function Spent({ limit }: { limit: number | null }) {
  const { data } = useApiQuery(['usage'], (atrium, options) => atrium.workspace.usage(options), {
    enabled: useMay('usage:read'),
  })
  if (data === undefined) return limit === null ? null : <p>{formatUsd(limit)} a month</p>
  const { costUsd, resetsAt } = data.month
  return (
    <div className="flex flex-col gap-1.5">
      <p>
        <span className="font-medium tabular-nums">{formatUsd(costUsd.used)}</span>
        <span className="text-muted">
          {limit === null ? ' spent this month' : ` of ${formatUsd(limit)} spent`}; resets on{' '}
          {formatDate(resetsAt)}
        </span>
      </p>
      {limit !== null && (
        <Progress label="Spent of the monthly budget" value={limit === 0 ? 1 : costUsd.used / limit} />
      )}
    </div>
  )
}

const toText = (limit: number | null): string => (limit === null ? '' : String(limit))

function BudgetForm({ limit }: { limit: number | null }) {
  const { fields, of, sending } = useForm({
    initial: { monthlyCostLimitUsd: toText(limit) },
    write: (atrium, { monthlyCostLimitUsd: text }) =>
      atrium.workspace.update({ monthlyCostLimitUsd: text.trim() === '' ? null : Number(text) }),
    changes: [['workspace'], ['usage']],
    done: ({ monthlyCostLimitUsd: set }) => ({
      title: set === null ? 'There is no limit now' : `The limit is ${formatUsd(set)} now`,
    }),
  })
  return (
    <SaveForm
      submitLabel="Save the budget"
      disabled={fields.monthlyCostLimitUsd.trim() === toText(limit)}
      {...sending}
    >
      <TextField
        label="US dollars a month"
        hint="Leave it empty for no limit. With 0, only what costs nothing is begun."
        type="number"
        inputMode="decimal"
        min={0}
        max={1_000_000_000}
        step="any"
        {...of('monthlyCostLimitUsd')}
      />
    </SaveForm>
  )
}
