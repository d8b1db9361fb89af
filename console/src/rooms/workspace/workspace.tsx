/** The workspace itself: its name, its plan, its budget, and how one parts with it. */
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useMay, useScope } from '../../api/scope.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { BudgetCard } from './budget-card.tsx'
import { DeleteCard } from './delete-card.tsx'
import { LeaveCard } from './leave-card.tsx'
import { NameCard } from './name-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { TransferCard } from './transfer-card.tsx'

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
