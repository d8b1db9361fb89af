/** Items of a sync: what it could not fetch or take in, and what is gone at the service. */
import type { ConnectionSync } from '@atrium/sdk'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { SideDrawer } from '../../ui/dialog.tsx'

const mostShown = 100

export function SyncItems({ sync, onClose }: { sync: ConnectionSync; onClose: () => void }) {
  return (
    <SideDrawer open onClose={onClose} title="What failed">
      <p className="mb-4 text-muted">Each is tried again at the next sync; its old document stays.</p>
      <ItemList sync={sync} status="failed" none="Nothing fails any more." />
    </SideDrawer>
  )
}

type ItemListProps = { sync: ConnectionSync; status: 'failed' | 'gone'; none: string }

export function ItemList({ sync, status, none }: ItemListProps) {
  const items = useApiQuery(['integrations', 'sync-items', sync.id, status], (atrium, options) =>
    atrium.integrations.syncs
      .items(sync.connectionId, sync.id, { status, pageSize: mostShown }, options)
      .page(),
  )
  return (
    <Loaded query={items}>
      {({ items: found, total }) =>
        found.length === 0 ? (
          <p>{none}</p>
        ) : (
          <>
            <ul className="flex flex-col gap-4">
              {found.map(({ externalId, title, error }) => (
                <li key={externalId} className="min-w-0 border-b pb-4 last:border-b-0">
                  <p className="font-medium break-words">{title ?? externalId}</p>
                  {title !== null && <p className="text-[13px] break-all text-muted">{externalId}</p>}
                  {error !== null && <p className="mt-1 break-words">{error.message}</p>}
                </li>
              ))}
            </ul>
            {total > found.length && (
              <p className="mt-4 text-muted">
                These are {found.length} of {total}.
              </p>
            )}
          </>
        )
      }
    </Loaded>
  )
}
