/** A team's name and what it is for: of a new one, or another one for a team that there is. */
import type { Team } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'

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
    const facts = { name: name.trim(), description: description.trim() === '' ? null : description.trim() }
    mutate(facts, {
      onSuccess: ({ id }) => {
        onClose()
        if (team === undefined) void navigate({ to: '/settings/teams/$teamId', params: { teamId: id } })
      },
    })
  }
  return (
    <Dialog open onClose={onClose} size="small" title={team === undefined ? 'New team' : 'Edit the team'}>
      <form
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <Field label="Name" error={fieldErrors.name}>
          <Input
            required
            maxLength={100}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
        </Field>
        <Field label="What it is for" optional error={fieldErrors.description}>
          <Textarea
            rows={3}
            maxLength={1000}
            value={description}
            onChange={event => setDescription(event.currentTarget.value)}
          />
        </Field>
        {error !== null && !isToldBeside(['name', 'description'], error) && <ErrorNotice error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            {team === undefined ? 'Create the team' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
