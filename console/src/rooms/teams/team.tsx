/** One team: who belongs to it, and what is kept to it. */
import type { Team } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { useRoomParam } from '../../api/search-values.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { count } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useMayChangeTeams } from './may-change.ts'
import { Reach } from './reach.tsx'
import { SandboxNotice } from './sandbox-notice.tsx'
import { TeamDialog } from './team-dialog.tsx'
import { TeamMembers } from './team-members.tsx'

const back = { to: '/settings/teams', label: 'Teams' }

export function Room() {
  const teamId = useRoomParam('teamId')
  const mayWrite = useMayChangeTeams()
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null)
  const close = () => setAsked(null)
  const team = useApiQuery(['team', teamId], (atrium, options) => atrium.workspace.teams.get(teamId, options))
  return (
    <Page
      narrow
      back={back}
      title={team.data?.name ?? 'Team'}
      {...(team.data?.description != null && { description: team.data.description })}
      actions={
        mayWrite &&
        team.data !== undefined && (
          <>
            <Button icon={Trash2} onClick={() => setAsked('delete')}>
              Delete…
            </Button>
            <Button icon={Pencil} onClick={() => setAsked('edit')}>
              Edit
            </Button>
          </>
        )
      }
    >
      <SandboxNotice />
      <Loaded query={team}>
        {loaded => (
          <>
            <TeamMembers team={loaded} mayWrite={mayWrite} />
            <Reach team={loaded} />
            {asked === 'edit' && <TeamDialog team={loaded} onClose={close} />}
            {asked === 'delete' && <DeleteDialog team={loaded} onClose={close} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function DeleteDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const navigate = useNavigate()
  const toasts = useToasts()
  const { mutateAsync } = useApiMutation((atrium, id: string) => atrium.workspace.teams.delete(id), {
    changes: [['teams'], ['members']],
  })
  const kept = team.collectionIds.length + team.agentIds.length
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the team “${team.name}”?`}
      confirmLabel="Delete the team"
      onConfirm={async () => {
        await mutateAsync(team.id)
        toasts.show({ title: `The team “${team.name}” is deleted` })
        await navigate({ to: '/settings/teams' })
      }}
    >
      <p>
        {team.memberCount === 0
          ? 'It has no members.'
          : `${count(team.memberCount, 'member')} stay in the workspace.`}
      </p>
      <p>
        {kept === 0
          ? 'Nothing is kept to it.'
          : 'Nothing that is kept to it is opened: what no other team reaches is left to owners and admins.'}
      </p>
    </ConfirmDialog>
  )
}
