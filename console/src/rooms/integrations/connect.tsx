/** Connecting a service, by the form that its entry of the catalog asks for. */
import { Loaded } from '../../api/loaded.tsx'
import { useRoomParam } from '../../api/search-values.ts'
import { Notice } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { ConnectForm } from './connect-form.tsx'
import { useCatalog } from './connection-queries.ts'

export function Room() {
  const integrationId = useRoomParam('integrationId')
  const catalog = useCatalog()
  const entry = catalog.data?.items.find(({ id }) => id === integrationId)
  return (
    <Page
      narrow
      back={{ to: '/integrations', label: 'Integrations' }}
      title={entry === undefined ? 'Connect a service' : `Connect ${entry.name}`}
      description={entry?.description}
    >
      <Loaded query={catalog}>
        {() =>
          entry === undefined ? (
            <Notice tone="warn" title="The catalog has no such service">
              Go back, and choose one that it has.
            </Notice>
          ) : (
            <ConnectForm key={entry.id} entry={entry} />
          )
        }
      </Loaded>
    </Page>
  )
}
