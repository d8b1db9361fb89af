/** What can be said of a collection: its name, what it holds, and which teams reach it. */
import type { Collection } from '@atrium/sdk'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { Checkbox, Choices } from '../../ui/choices.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'

export type CollectionValues = {
  name: string
  description: string
  access: Collection['access']
  teamIds: readonly string[]
}

export const emptyCollection: CollectionValues = {
  name: '',
  description: '',
  access: 'workspace',
  teamIds: [],
}

/** As the API takes them. */
export const collectionOf = (
  { name, description, access, teamIds }: CollectionValues,
  withAccess: boolean,
) => {
  const named = { name: name.trim(), description: description.trim() === '' ? null : description.trim() }
  return withAccess ? { ...named, access, teamIds: access === 'teams' ? [...teamIds] : [] } : named
}

type Props = {
  values: CollectionValues
  onChange: (values: CollectionValues) => void
  errors: Readonly<Record<string, string>>
  /** Whether the person may say who reaches it. */
  withAccess: boolean
}

export function CollectionFields({ values, onChange, errors, withAccess }: Props) {
  return (
    <div className="flex flex-col gap-5">
      <Field label="Name" hint="What belongs together, such as “Handbook”." error={errors.name}>
        <Input
          required
          autoFocus
          maxLength={200}
          value={values.name}
          onChange={event => onChange({ ...values, name: event.currentTarget.value })}
        />
      </Field>
      <Field
        label="Description"
        optional
        hint="What it holds, for those who choose among collections."
        error={errors.description}
      >
        <Textarea
          rows={3}
          maxLength={2_000}
          value={values.description}
          onChange={event => onChange({ ...values, description: event.currentTarget.value })}
        />
      </Field>
      {withAccess && (
        <AccessFields values={values} onChange={onChange} error={errors.teamIds ?? errors.access} />
      )}
    </div>
  )
}

/** As many teams as one page has; a workspace with more says it by the API. */
const mostTeams = 100

type AccessProps = Pick<Props, 'values' | 'onChange'> & { error: string | undefined }

function AccessFields({ values, onChange, error }: AccessProps) {
  const mayManage = useMay('teams:write')
  const teams = useApiQuery(
    ['teams', { pageSize: mostTeams }],
    (atrium, options) => atrium.workspace.teams.list({ pageSize: mostTeams }, options).page(),
    { enabled: values.access === 'teams' },
  )
  const toggle = (id: string, on: boolean) =>
    onChange({
      ...values,
      teamIds: on ? [...values.teamIds, id] : values.teamIds.filter(one => one !== id),
    })
  return (
    <div className="flex flex-col gap-3">
      <Choices
        legend="Who can see this collection"
        value={values.access}
        onChange={access => onChange({ ...values, access })}
        choices={[
          { value: 'workspace', label: 'Everyone', hint: 'Each member, as far as their role goes.' },
          {
            value: 'teams',
            label: 'Some teams',
            hint: 'For all others it does not exist, but for owners and admins.',
          },
        ]}
      />
      {values.access === 'teams' && (
        <fieldset className="min-w-0">
          <legend className="mb-2 font-medium">Teams</legend>
          <Loaded query={teams}>
            {({ items }) =>
              items.length === 0 ? (
                <p className="text-muted">
                  There are no teams yet: until there are, only owners and admins reach it.
                </p>
              ) : (
                <div className="flex max-h-48 flex-col gap-2.5 overflow-y-auto">
                  {items.map(({ id, name }) => (
                    <Checkbox
                      key={id}
                      label={name}
                      checked={values.teamIds.includes(id)}
                      onChange={on => toggle(id, on)}
                    />
                  ))}
                </div>
              )
            }
          </Loaded>
          {!mayManage && (
            <p className="mt-2 text-[13px] text-muted">Choose among the teams that you belong to.</p>
          )}
        </fieldset>
      )}
      {error !== undefined && (
        <p role="alert" className="text-[13px] text-danger-text">
          {error}
        </p>
      )}
    </div>
  )
}
