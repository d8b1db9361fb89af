/** Who reaches the agent: everybody in the workspace, or some teams. */
import { useMay } from '../../../api/scope.tsx'
import { Choices } from '../../../ui/choices.tsx'
import { Card } from '../../../ui/page.tsx'
import type { SectionProps } from './draft.ts'
import { IdChoices } from './id-choices.tsx'

/** Shown only to people who may change teams: for everyone else, the agent is either visible or missing. */
export function AccessFields({ draft, onChange, errors }: SectionProps) {
  const mayChange = useMay('teams:write')
  if (!mayChange) return null
  return (
    <Card title="Access" description="Takes effect when you save, and applies to all revisions.">
      <div className="flex flex-col gap-5">
        <Choices
          legend="Who can use this agent"
          value={draft.access}
          onChange={access => onChange({ access })}
          choices={[
            { value: 'workspace', label: 'Everyone', hint: 'In this workspace.' },
            {
              value: 'teams',
              label: 'Some teams',
              hint: 'Besides owners and admins. For all others it does not exist.',
            },
          ]}
        />
        {errors.access !== undefined && (
          <p role="alert" className="text-[13px] text-danger-text">
            {errors.access}
          </p>
        )}
        {draft.access === 'teams' && (
          <IdChoices
            legend="Teams"
            of="teams"
            ids={draft.teamIds}
            onChange={teamIds => onChange({ teamIds })}
            error={errors.teamIds}
            read={(atrium, query, options) => atrium.workspace.teams.list(query, options).page()}
          />
        )}
      </div>
    </Card>
  )
}
