/** What can be said of a collection: its name, what it holds, and which teams reach it. */

import type { Collection } from '@atrium/sdk'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { RecordChoices } from '../../api/records.tsx'
import { useMay } from '../../api/scope.tsx'
import { Choices } from '../../ui/choices.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { FieldError, TextareaField, TextField } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { useToasts } from '../../ui/toast.tsx'
import { documentChanges } from './changes.ts'

type CollectionValues = {
  name: string
  description: string
  access: Collection['access']
  teamIds: string[]
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
  const named = { name: name.trim(), description: description.trim() || null }
  return withAccess ? { ...named, access, teamIds: access === 'teams' ? teamIds : [] } : named
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
    <>
      <TextField
        label="Name"
        hint="What belongs together, such as “Handbook”."
        error={errors.name}
        required
        autoFocus
        maxLength={200}
        value={values.name}
        onChange={text => onChange({ ...values, name: text })}
      />
      <TextareaField
        label="Description"
        optional
        hint="What it holds, for those who choose among collections."
        error={errors.description}
        rows={3}
        maxLength={2_000}
        value={values.description}
        onChange={text => onChange({ ...values, description: text })}
      />
      {withAccess && (
        <AccessFields values={values} onChange={onChange} error={errors.teamIds ?? errors.access} />
      )}
    </>
  )
}

type AccessProps = Pick<Props, 'values' | 'onChange'> & { error: string | undefined }

function AccessFields({ values, onChange, error }: AccessProps) {
  const mayManage = useMay('teams:write')
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
        <RecordChoices
          of="teams"
          legend="Teams"
          ids={values.teamIds}
          onChange={teamIds => onChange({ ...values, teamIds })}
          none="There are no teams yet: until there are, only owners and admins reach it."
        />
      )}
      {values.access === 'teams' && !mayManage && (
        <p className="text-[13px] text-muted">Choose among the teams that you belong to.</p>
      )}
      <FieldError>{error}</FieldError>
    </div>
  )
}

/** Name, description and reach of a collection, changed in a dialog. */
export function EditCollection({ collection, onClose }: { collection: Collection; onClose: () => void }) {
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
    <FormDialog
      onClose={onClose}
      title={`Edit “${collection.name}”`}
      submitLabel="Save"
      busy={isPending}
      error={error}
      onSubmit={save}
    >
      <CollectionFields
        values={values}
        onChange={setValues}
        errors={fieldErrorsOf(error)}
        withAccess={mayManage}
      />
      {!mayManage && collection.access === 'teams' && (
        <p className="text-muted">
          Only {count(collection.teamIds.length, 'team')} can reach it. An owner or admin can change that.
        </p>
      )}
    </FormDialog>
  )
}
