/** What the plan allows, the present month, and use over time. */

import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { Page } from '../../ui/page.tsx'
import { Limits } from './limits.tsx'
import { OverTime } from './over-time.tsx'

const freshMs = 30_000

export function Room() {
  const { environment } = useScope()
  const usage = useApiQuery(['usage', 'now'], (atrium, options) => atrium.usage.get(options), {
    refetchInterval: freshMs,
  })
  return (
    <Page
      title="Usage"
      description={
        environment === 'test'
          ? 'What the sandbox uses. Nothing here costs anything.'
          : 'What this workspace uses, what it costs, and what its plan allows.'
      }
    >
      <Loaded query={usage}>{data => <Limits usage={data} />}</Loaded>
      <OverTime />
    </Page>
  )
}
