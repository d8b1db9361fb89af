/** A team's name and what it is for: of a new one, or another one for a team that there is. */
import type { Team } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from '../../api/form.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextareaField, TextField } from '../../ui/field.tsx'

export function TeamDialog({ team, onClose }: { team?: Team; onClose: () => void }) {
  const navigate = useNavigate()
  const { of, sending } = useForm({
    initial: { name: team?.name ?? '', description: team?.description ?? '' },
    write: ({ workspace: { teams } }, { name, description }) => {
      const facts = { name: name.trim(), description: description.trim() || null }
      return team === undefined ? teams.create(facts) : teams.update(team.id, facts)
    },
    changes: [['team'], ['teams']],
    onDone: ({ id }) => {
      onClose()
      if (team === undefined) void navigate({ to: `/settings/teams/${id}` })
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      size="small"
      title={team === undefined ? 'New team' : 'Edit the team'}
      submitLabel={team === undefined ? 'Create the team' : 'Save'}
      {...sending}
    >
      <TextField label="Name" required maxLength={100} {...of('name')} />
      <TextareaField label="What it is for" optional rows={3} maxLength={1000} {...of('description')} />
    </FormDialog>
  )
}
