/** What all pages of one agent have in common: its name, its state, and the way from one to the other. */
import type { Agent } from '@atrium/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { useRoomParam } from '../../api/search-values.ts'
import { Badge, StateBadge } from '../../ui/badge.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/waiting.tsx'

const back = { to: '/agents', label: 'Agents' }

export function AgentFrame({ children }: { children: (agent: Agent) => ReactNode }) {
  const agentId = useRoomParam('agentId')
  const agent = useApiQuery(['agents', agentId], (atrium, options) => atrium.agents.get(agentId, options))
  return (
    <Page title={agent.data?.name ?? 'Agent'} description={agent.data?.description ?? undefined} back={back}>
      <Loaded query={agent} waiting={<Loading what="Loading the agent" />}>
        {data => (
          <>
            <AgentNavigation agent={data} />
            {children(data)}
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** On a phone, the view that is open may stand beyond the edge. */
const showCurrent = (navigation: HTMLElement | null): void =>
  navigation?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

function AgentNavigation({ agent }: { agent: Agent }) {
  const mayWrite = useMay('agents:write')
  const views = [
    { path: '', label: 'Playground' },
    { path: '/edit', label: mayWrite ? 'Edit' : 'Settings' },
    { path: '/runs', label: 'Runs' },
    { path: '/revisions', label: 'Revisions' },
    { path: '/starters', label: 'Schedules' },
    { path: '/embed', label: 'Embed' },
  ]
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b">
      <nav
        ref={showCurrent}
        aria-label="Views of the agent"
        className="-mb-px flex min-w-0 gap-1 overflow-x-auto"
      >
        {views.map(({ path, label }) => (
          <Link
            key={path}
            to={`/agents/${agent.id}${path}`}
            activeOptions={{ exact: true, includeSearch: false }}
            className="border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-muted -outline-offset-2 hover:text-ink aria-[current=page]:border-accent-text aria-[current=page]:text-ink"
          >
            {label}
          </Link>
        ))}
      </nav>
      <p className="flex flex-wrap gap-1.5 pb-2">
        {agent.status === 'paused' && <StateBadge label="Paused" />}
        {agent.access === 'teams' && <Badge>Teams only</Badge>}
        {agent.revision === agent.publishedRevision ? (
          <Badge>Revision {agent.revision}</Badge>
        ) : (
          <>
            <Badge tone="good">Revision {agent.publishedRevision} runs</Badge>
            <Badge tone="warn">Latest is {agent.revision}</Badge>
          </>
        )}
      </p>
    </div>
  )
}
