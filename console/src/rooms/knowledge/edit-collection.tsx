/** Name, description and reach of a collection, changed in a dialog. */
import type { Collection } from '@atrium/sdk'
import { useId, useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { count } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { documentChanges } from './changes.ts'
import { CollectionFields, collectionOf } from './collection-fields.tsx'

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
