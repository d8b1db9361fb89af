/** Connecting a service, by the form that its entry of the catalog asks for. */

import type { Integration } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
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

function ConnectForm({ entry }: { entry: Integration }) {
  const { environment } = useScope()
  const toasts = useToasts()
  const navigate = useNavigate()
  const access = useAccess(entry)
  const inputs = fieldsOf(entry.configSchema)
  const { of, errors, data, sending } = useForm({
    initial: { name: '', config: initialOf(inputs) },
    write: ({ integrations }, { name, config }) =>
      integrations.connect(
        withoutUndefined({
          integrationId: entry.id,
          name: name.trim() || undefined,
          config: valuesOf(inputs, config),
          ...access.body(),
        }),
      ),
    changes: [['integrations']],
    onDone: ({ id, name, status }) => {
      if (status === 'pending') return
      toasts.show({ title: `“${name}” is connected` })
      void navigate({ to: `/integrations/${id}` })
    },
  })
  if (data?.connectUrl !== undefined) {
    return <Authorize entry={entry} connectionId={data.id} connectUrl={data.connectUrl} />
  }
  return (
    <SaveForm submitLabel="Connect" cancelTo="/integrations" {...sending} beside={toldBeside(errors)}>
      {environment === 'test' && (
        <Notice tone="warn">In the sandbox no service is called, and no credentials are kept.</Notice>
      )}
      <Card>
        <TextField
          label="Name"
          optional
          hint={`“${entry.name}” unless given.`}
          maxLength={200}
          {...of('name')}
        />
        <AccessFields entry={entry} access={access} errors={errors} />
        <SchemaFields fields={inputs} {...of('config')} within="config" errors={errors} />
      </Card>
    </SaveForm>
  )
}

/** Faults of settings and credentials stand beside their inputs, however deep they are. */
const toldBeside = (errors: Readonly<Record<string, string>>): string[] =>
  Object.keys(errors).filter(field => field === 'name' || /^(config|credentials)\./.test(field))
