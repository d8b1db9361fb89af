/** A new collection. */

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { SaveForm } from '../../ui/save-form.tsx'
import { documentChanges } from './changes.ts'
import { CollectionFields, collectionOf, emptyCollection } from './collection-fields.tsx'

export function Room() {
  const navigate = useNavigate()
  const withAccess = useMay('members:read')
  const [values, setValues] = useState(emptyCollection)
  const { mutate, error, isPending } = useApiMutation(
    (atrium, _: null) => atrium.knowledge.collections.create(collectionOf(values, withAccess)),
    { changes: documentChanges },
  )
  return (
    <Page
      narrow
      back={{ to: '/knowledge', label: 'Knowledge' }}
      title="New collection"
      description="Documents that belong together. Agents and keys can be narrowed to some collections."
    >
      <SaveForm
        submitLabel="Create the collection"
        busy={isPending}
        error={error}
        cancelTo="/knowledge"
        onSubmit={() =>
          mutate(null, {
            onSuccess: ({ id }) =>
              void navigate({ to: '/knowledge/collections/$collectionId', params: { collectionId: id } }),
          })
        }
      >
        <Card>
          <CollectionFields
            values={values}
            onChange={setValues}
            errors={fieldErrorsOf(error)}
            withAccess={withAccess}
          />
        </Card>
      </SaveForm>
    </Page>
  )
}
