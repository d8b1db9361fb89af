/** What can be said of a collection: its name, what it holds, and which teams reach it. */
import type { Collection } from '@atrium/sdk'
import { useId, useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Choices } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { documentChanges } from './changes.ts'

type CollectionValues = {
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

/** Name, description and reach of a collection, changed in a dialog. */
export function EditCollection({ collection, onClose }: { collection: Collection; onClose: () => void }) {
  const formId = useId()
  const toasts = useToasts()
  const mayManage = useMay('teams:write')
  const [values, setValues] = useState({
    name: collection.name,
    description: collection.description ?? '',
    access: collection.access,
    teamIds: collection.teamIds,
  })
  const { mutate, error, isPending } = useApiMutation(
    (atrium, _: null) => atrium.knowledge.collections.update(collection.id, collectionOf(values, mayManage)),
    { changes: documentChanges },
  )
  const save = () =>
    mutate(null, {
      onSuccess: ({ name }) => {
        toasts.show({ title: `“${name}” is changed` })
        onClose()
      },
    })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit “${collection.name}”`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <CollectionFields
          values={values}
          onChange={changed => setValues({ ...changed, teamIds: [...changed.teamIds] })}
          errors={fieldErrorsOf(error)}
          withAccess={mayManage}
        />
        {!mayManage && collection.access === 'teams' && (
          <p className="text-muted">
            Only {count(collection.teamIds.length, 'team')} can reach it. An owner or admin can change that.
          </p>
        )}
        {error !== null && <ErrorNotice error={error} />}
      </form>
    </Dialog>
  )
}
