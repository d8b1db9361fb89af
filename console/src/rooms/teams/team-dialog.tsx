/** A team's name and what it is for: of a new one, or another one for a team that there is. */
import type { Team } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextareaField, TextField } from '../../ui/field.tsx'

type Facts = { name: string; description: string | null }

export function TeamDialog({ team, onClose }: { team?: Team; onClose: () => void }) {
  const navigate = useNavigate()
  const [name, setName] = useState(team?.name ?? '')
  const [description, setDescription] = useState(team?.description ?? '')
  const { mutate, error, isPending } = useApiMutation(
    ({ workspace: { teams } }, facts: Facts) =>
      team === undefined ? teams.create(facts) : teams.update(team.id, facts),
    { changes: [['team'], ['teams']] },
  )
  const fieldErrors = fieldErrorsOf(error)
  const save = () => {
    const facts = { name: name.trim(), description: description.trim() || null }
    mutate(facts, {
      onSuccess: ({ id }) => {
        onClose()
        if (team === undefined) void navigate({ to: '/settings/teams/$teamId', params: { teamId: id } })
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      size="small"
      title={team === undefined ? 'New team' : 'Edit the team'}
      submitLabel={team === undefined ? 'Create the team' : 'Save'}
      busy={isPending}
      error={error}
      beside={['name', 'description']}
      onSubmit={save}
    >
      <TextField
        label="Name"
        error={fieldErrors.name}
        required
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <TextareaField
        label="What it is for"
        optional
        error={fieldErrors.description}
        rows={3}
        maxLength={1000}
        value={description}
        onChange={setDescription}
      />
    </FormDialog>
  )
}
