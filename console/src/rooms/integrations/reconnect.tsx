/** Reconnects a connection under the same id, so that its syncs and agents keep working. */

import type { Connection, Integration } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation } from '../../api/queries.ts'
import { useRoomParam } from '../../api/search-values.ts'
import { Card, Page } from '../../ui/page.tsx'
import { SaveForm } from '../../ui/save-form.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { AccessFields, Authorize, useAccess } from './access.tsx'
import { useCatalog, useConnection } from './connections.ts'

export function Room() {
  const connectionId = useRoomParam('connectionId')
  const connection = useConnection(connectionId)
  const catalog = useCatalog()
  const entry = catalog.data?.items.find(({ id }) => id === connection.data?.integrationId)
  return (
    <Page
      narrow
      back={{ to: `/integrations/${connectionId}`, label: connection.data?.name ?? 'Connection' }}
      title="Reconnect"
      description="The connection keeps its ID, settings and syncs. Only its credentials change."
    >
      <Loaded query={connection}>
        {shown => entry !== undefined && <ReconnectForm entry={entry} connection={shown} />}
      </Loaded>
    </Page>
  )
}

function ReconnectForm({ entry, connection }: { entry: Integration; connection: Connection }) {
  const { id, name } = connection
  const toasts = useToasts()
  const navigate = useNavigate()
  const access = useAccess(entry)
  const { mutate, data, error, isPending } = useApiMutation(
    (atrium, body: { credentials?: Record<string, unknown> }) => atrium.integrations.reconnect(id, body),
    { changes: [['integrations']] },
  )
  if (data?.connectUrl !== undefined) {
    return <Authorize entry={entry} connectionId={id} connectUrl={data.connectUrl} />
  }
  const reconnect = () =>
    mutate(access.body(), {
      onSuccess: ({ status }) => {
        if (status !== 'active') return
        toasts.show({ title: `“${name}” is connected` })
        void navigate({ to: '/integrations/$connectionId', params: { connectionId: id } })
      },
    })
  const errors = fieldErrorsOf(error)
  return (
    <SaveForm
      submitLabel="Reconnect"
      busy={isPending}
      error={error}
      beside={Object.keys(errors)}
      cancelTo={`/integrations/${id}`}
      onSubmit={reconnect}
    >
      <Card>
        <AccessFields entry={entry} access={access} errors={errors} />
      </Card>
    </SaveForm>
  )
}
