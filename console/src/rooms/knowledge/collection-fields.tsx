/** What can be said of a collection: its name, what it holds, and which teams reach it. */

import type { Collection } from '@atrium/sdk'
import { type FieldOf, useForm } from '../../api/form.ts'
import { RecordChoices } from '../../api/records.tsx'
import { useMay } from '../../api/scope.tsx'
import { Choices } from '../../ui/choices.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { FieldError, TextareaField, TextField } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { documentChanges } from './changes.ts'

type CollectionValues = { name: string; description: string } & Pick<Collection, 'access' | 'teamIds'>

export const emptyCollection: CollectionValues = {
  name: '',
  description: '',
  access: 'workspace',
  teamIds: [],
}

export const collectionOf = (
  { name, description, access, teamIds }: CollectionValues,
  withAccess: boolean,
) => {
  const named = { name: name.trim(), description: description.trim() || null }
  return withAccess ? { ...named, access, teamIds: access === 'teams' ? teamIds : [] } : named
}

type Props = {
  of: FieldOf<CollectionValues>
  /** Whether the person may say who reaches it. */
  withAccess: boolean
}

export function CollectionFields({ of, withAccess }: Props) {
  return (
    <>
      <TextField
        label="Name"
        hint="What belongs together, such as “Handbook”."
        required
        autoFocus
        maxLength={200}
        {...of('name')}
      />
      <TextareaField
        label="Description"
        optional
        hint="What it holds, for those who choose among collections."
        rows={3}
        maxLength={2_000}
        {...of('description')}
      />
      {withAccess && <AccessFields of={of} />}
    </>
  )
}

function AccessFields({ of }: Pick<Props, 'of'>) {
  const access = of('access')
  const teams = of('teamIds')
  const mayManage = useMay('teams:write')
  return (
    <div className="flex flex-col gap-3">
      <Choices
        legend="Who can see this collection"
        value={access.value}
        onChange={access.onChange}
        choices={[
          { value: 'workspace', label: 'Everyone', hint: 'Each member, as far as their role goes.' },
          {
            value: 'teams',
            label: 'Some teams',
            hint: 'For all others it does not exist, but for owners and admins.',
          },
        ]}
      />
      {access.value === 'teams' && (
        <RecordChoices
          of="teams"
          legend="Teams"
          value={teams.value}
          onChange={teams.onChange}
          none="There are no teams yet: until there are, only owners and admins reach it."
        />
      )}
      {access.value === 'teams' && !mayManage && (
        <p className="text-[13px] text-muted">Choose among the teams that you belong to.</p>
      )}
      <FieldError>{teams.error ?? access.error}</FieldError>
    </div>
  )
}

export function EditCollection({ collection, onClose }: { collection: Collection; onClose: () => void }) {
  const mayManage = useMay('teams:write')
  const { id, name, description, access, teamIds } = collection
  const { of, sending } = useForm({
    initial: { name, description: description ?? '', access, teamIds },
    write: ({ knowledge }, fields) => knowledge.collections.update(id, collectionOf(fields, mayManage)),
    changes: documentChanges,
    done: changed => ({ title: `“${changed.name}” is changed` }),
    onDone: onClose,
  })
  return (
    <FormDialog onClose={onClose} title={`Edit “${name}”`} submitLabel="Save" {...sending}>
      <CollectionFields of={of} withAccess={mayManage} />
      {!mayManage && access === 'teams' && (
        <p className="text-muted">
          Only {count(teamIds.length, 'team')} can reach it. An owner or admin can change that.
        </p>
      )}
    </FormDialog>
  )
}
