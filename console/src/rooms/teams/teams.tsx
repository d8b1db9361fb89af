/** The teams of the workspace. */
import type { Team } from '@atrium/sdk'
import { Plus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { usePagedQuery } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { type Column, PagedTable, RecordName } from '../../ui/table.tsx'
import { SandboxNotice, useMayChangeTeams } from './live-only.tsx'
import { TeamDialog } from './team-dialog.tsx'

export function Room() {
  const mayWrite = useMayChangeTeams()
  const [making, setMaking] = useState(false)
  const teams = usePagedQuery(['teams'], (atrium, query, options) =>
    atrium.workspace.teams.list(query, options),
  )
  const create = mayWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
      Create a team
    </Button>
  )
  return (
    <Page
      title="Teams"
      description="Groups of members. Collections and agents can be kept to some of them."
      actions={create}
    >
      <SandboxNotice />
      <PagedTable
        query={teams}
        caption="Teams"
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={UsersRound} title="No teams yet" action={create}>
            Without teams everybody reaches every collection and agent. Make one for those who share what the
            others should not see, then keep a collection or an agent to it.
          </EmptyState>
        }
      />
      {making && <TeamDialog onClose={() => setMaking(false)} />}
    </Page>
  )
}

const columns: readonly Column<Team>[] = [
  {
    header: 'Name',
    cell: ({ id, name, description }) => (
      <RecordName to={`/settings/teams/${id}`} name={name} below={description} />
    ),
  },
  { header: 'Members', cell: ({ memberCount }) => count(memberCount, 'member') },
  {
    header: 'Kept to it',
    cell: ({ collectionIds, agentIds }) =>
      collectionIds.length + agentIds.length === 0 ? (
        <span className="text-muted">Nothing</span>
      ) : (
        <span>
          {count(collectionIds.length, 'collection')}, {count(agentIds.length, 'agent')}
        </span>
      ),
  },
]
