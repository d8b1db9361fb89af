/** A collection: what is in it, and the way in for more. */
import type { Collection } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Pencil, Search, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { useRoomParam } from '../../api/search-values.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { count, formatBytes } from '../../ui/format.ts'
import { Notice } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useDeleteCollection } from './changes.ts'
import { EditCollection } from './collection-fields.tsx'
import { DocumentList } from './document-list.tsx'
import { UploadArea } from './uploads/upload-area.tsx'

const back = { to: '/knowledge', label: 'Knowledge' }

export function Room() {
  const collectionId = useRoomParam('collectionId')
  const mayWrite = useMay('knowledge:write')
  const collection = useApiQuery(['collections', collectionId], (atrium, options) =>
    atrium.knowledge.collections.get(collectionId, options),
  )
  const { data } = collection
  return (
    <Page
      back={back}
      title={<span className="[overflow-wrap:anywhere]">{data?.name ?? 'Collection'}</span>}
      description={data && <Summary collection={data} />}
      actions={data && <Actions collection={data} mayWrite={mayWrite} />}
    >
      <Loaded query={collection}>
        {({ embeddingUpdate }) => (
          <>
            {embeddingUpdate?.error != null && (
              <Notice tone="warn" title="Some of it is found by its words only, for now">
                The vectors of {embeddingUpdate.model} are missing: {embeddingUpdate.error.message}. They are
                made in the background as soon as the model answers.
              </Notice>
            )}
            {mayWrite && <UploadArea collectionId={collectionId} />}
            <DocumentList collectionId={collectionId} mayWrite={mayWrite} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Summary({ collection }: { collection: Collection }) {
  const { description, documentCount, chunkCount, sizeBytes, access, teamIds } = collection
  return (
    <>
      {description !== null && description !== '' && (
        <span dir="auto" className="block [overflow-wrap:anywhere]">
          {description}
        </span>
      )}
      <span className="block text-[13px]">
        {count(documentCount, 'document')} · {count(chunkCount, 'passage')} · {formatBytes(sizeBytes)}
        {access === 'teams' &&
          ` · ${teamIds.length === 0 ? 'for owners and admins only' : `for ${count(teamIds.length, 'team')}`}`}
      </span>
    </>
  )
}

function Actions({ collection, mayWrite }: { collection: Collection; mayWrite: boolean }) {
  const navigate = useNavigate()
  const toasts = useToasts()
  const remove = useDeleteCollection()
  const [isEdited, setEdited] = useState(false)
  const moveToTrash = async () => {
    // First away from here: this page would read what is no longer there.
    await navigate({ to: '/knowledge' })
    await remove(collection)
  }
  return (
    <>
      {mayWrite && (
        <>
          <Button icon={Trash2} onClick={() => void moveToTrash().catch(toasts.fail)}>
            Move to the trash
          </Button>
          <Button icon={Pencil} onClick={() => setEdited(true)}>
            Edit
          </Button>
        </>
      )}
      <ButtonLink to="/knowledge/search" search={{ collection: collection.id }} icon={Search}>
        Search in it
      </ButtonLink>
      {isEdited && <EditCollection collection={collection} onClose={() => setEdited(false)} />}
    </>
  )
}
