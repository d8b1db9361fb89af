/** A new collection. */

import { useNavigate } from '@tanstack/react-router'
import { useForm } from '../../api/form.ts'
import { useMay } from '../../api/scope.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { SaveForm } from '../../ui/save-form.tsx'
import { documentChanges } from './changes.ts'
import { CollectionFields, collectionOf, emptyCollection } from './collection-fields.tsx'

export function Room() {
  const navigate = useNavigate()
  const withAccess = useMay('members:read')
  const { of, sending } = useForm({
    initial: emptyCollection,
    write: ({ knowledge }, fields) => knowledge.collections.create(collectionOf(fields, withAccess)),
    changes: documentChanges,
    onDone: ({ id }) => navigate({ to: `/knowledge/collections/${id}` }),
  })
  return (
    <Page
      narrow
      back={{ to: '/knowledge', label: 'Knowledge' }}
      title="New collection"
      description="Documents that belong together. Agents and keys can be narrowed to some collections."
    >
      <SaveForm submitLabel="Create the collection" cancelTo="/knowledge" {...sending}>
        <Card>
          <CollectionFields of={of} withAccess={withAccess} />
        </Card>
      </SaveForm>
    </Page>
  )
}
