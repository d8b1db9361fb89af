/** Connecting a service, by the form that its entry of the catalog asks for. */
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useRoomParam } from '../../api/search-values.ts'
import { Notice } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { ConnectForm } from './connect-form.tsx'

const mostEntries = 100

export function Room() {
  const integrationId = useRoomParam('integrationId')
  const catalog = useApiQuery(['integrations', 'catalog'], (atrium, options) =>
    atrium.integrations.catalog({ pageSize: mostEntries }, options).page(),
  )
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
