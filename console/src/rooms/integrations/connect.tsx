/** Connecting a service, by the form that its entry of the catalog asks for. */

import type { Integration } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { useRoomParam } from '../../api/search-values.ts'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { SaveForm } from '../../ui/save-form.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { AccessFields, Authorize, useAccess } from './access.tsx'
import { useCatalog } from './connections.ts'
import { fieldsOf, initialOf, SchemaFields, valuesOf } from './schema-fields.tsx'

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

/** What a service has to be told to be connected; for OAuth, the way to its own page. */
function ConnectForm({ entry }: { entry: Integration }) {
  const { environment } = useScope()
  const [name, setName] = useState('')
  const fields = fieldsOf(entry.configSchema)
  const [typed, setTyped] = useState(() => initialOf(fields))
  const access = useAccess(entry)
  const { mutate, data, error, isPending } = useConnect()
  const errors = fieldErrorsOf(error)
  if (data?.connectUrl !== undefined) {
    return <Authorize entry={entry} connectionId={data.id} connectUrl={data.connectUrl} />
  }
  const connect = () =>
    mutate(
      withoutUndefined({
        integrationId: entry.id,
        name: name.trim() || undefined,
        config: valuesOf(fields, typed),
        ...access.body(),
      }),
    )
  return (
    <SaveForm
      submitLabel="Connect"
      busy={isPending}
      error={error}
      beside={toldBeside(errors)}
      cancelTo="/integrations"
      onSubmit={connect}
    >
      {environment === 'test' && (
        <Notice tone="warn">In the sandbox no service is called, and no credentials are kept.</Notice>
      )}
      <Card>
        <TextField
          label="Name"
          optional
          hint={`“${entry.name}” unless given.`}
          error={errors.name}
          maxLength={200}
          value={name}
          onChange={setName}
        />
        <AccessFields entry={entry} access={access} errors={errors} />
        <SchemaFields fields={fields} value={typed} onChange={setTyped} within="config" errors={errors} />
      </Card>
    </SaveForm>
  )
}

/** Faults of settings and credentials stand beside their inputs, however deep they are. */
const toldBeside = (errors: Readonly<Record<string, string>>): string[] =>
  Object.keys(errors).filter(field => field === 'name' || /^(config|credentials)\./.test(field))

type NewConnection = {
  integrationId: string
  name?: string
  config: Record<string, unknown>
  credentials?: Record<string, unknown>
}

function useConnect() {
  const toasts = useToasts()
  const navigate = useNavigate()
  const connecting = useApiMutation(
    (atrium, connection: NewConnection) => atrium.integrations.connect(connection),
    { changes: [['integrations']] },
  )
  return {
    ...connecting,
    mutate: (connection: NewConnection) =>
      connecting.mutate(connection, {
        onSuccess: ({ id, name, status }) => {
          if (status === 'pending') return
          toasts.show({ title: `“${name}” is connected` })
          void navigate({ to: '/integrations/$connectionId', params: { connectionId: id } })
        },
      }),
  }
}
