/** A new collection. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
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
      <form
        className="flex flex-col gap-6"
        onSubmit={event => {
          event.preventDefault()
          mutate(null, {
            onSuccess: ({ id }) =>
              void navigate({ to: '/knowledge/collections/$collectionId', params: { collectionId: id } }),
          })
        }}
      >
        <Card>
          <CollectionFields
            values={values}
            onChange={setValues}
            errors={fieldErrorsOf(error)}
            withAccess={withAccess}
          />
        </Card>
        {error !== null && <ErrorNotice error={error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={isPending}>
            Create the collection
          </Button>
          <ButtonLink to="/knowledge">Cancel</ButtonLink>
        </div>
      </form>
    </Page>
  )
}
