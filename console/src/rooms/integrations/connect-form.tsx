/** What a service has to be told to be connected; for OAuth, the way to its own page. */
import type { Integration } from '@atrium/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { useApiMutation } from '../../api/queries.ts'
import { useScope } from '../../api/scope.tsx'
import { useSearchValue } from '../../api/search-values.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { ErrorNotice, Notice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { Authorize } from './authorize.tsx'
import { SchemaFields } from './schema-fields.tsx'
import { formOf, initialOf, type SchemaField, valuesOf } from './schema-values.ts'

export function ConnectForm({ entry }: { entry: Integration }) {
  const [givenName] = useSearchValue('name')
  const [name, setName] = useState(givenName)
  const config = formOf(entry.configSchema)
  // What a service grants on a page of its own needs no key besides.
  const credentialsSchema = entry.auth === 'oauth2' ? null : entry.credentialsSchema
  const credentials = formOf(credentialsSchema)
  const [configTyped, setConfigTyped] = useState(() => initialOf(config.fields))
  const [credentialsTyped, setCredentialsTyped] = useState(() => initialOf(credentials.fields))
  const { mutate, data, error, isPending } = useConnect()
  const errors = fieldErrorsOf(error)
  const beyond = [...config.beyond, ...credentials.beyond]
  if (data?.authorizationUrl !== undefined) {
    return <Authorize entry={entry} connectionId={data.id} authorizationUrl={data.authorizationUrl} />
  }
  if (beyond.length > 0) {
    return (
      <Notice tone="warn" title="This service needs more than a form can ask for">
        Connect it by the API, which takes {beyond.join(', ')} as well.
      </Notice>
    )
  }
  const shown = [
    'name',
    ...namesWithin('config', config.fields),
    ...namesWithin('credentials', credentials.fields),
  ]
  return (
    <form
      className="flex flex-col gap-6"
      onSubmit={event => {
        event.preventDefault()
        mutate({
          integrationId: entry.id,
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          config: valuesOf(config.fields, configTyped),
          ...(credentialsSchema === null
            ? {}
            : { credentials: valuesOf(credentials.fields, credentialsTyped) }),
        })
      }}
    >
      <Hints isAnew={givenName !== ''} />
      <Card>
        <div className="flex flex-col gap-5">
          <Field label="Name" optional hint={`“${entry.name}” unless given.`} error={errors.name}>
            <Input maxLength={200} value={name} onChange={event => setName(event.currentTarget.value)} />
          </Field>
          <SchemaFields
            fields={config.fields}
            value={configTyped}
            onChange={setConfigTyped}
            within="config"
            errors={errors}
          />
          <SchemaFields
            secret
            fields={credentials.fields}
            value={credentialsTyped}
            onChange={setCredentialsTyped}
            within="credentials"
            errors={errors}
          />
          {entry.auth === 'oauth2' && (
            <p className="text-muted">
              {entry.name} asks you itself, on a page of its own, whether this workspace may reach it.
            </p>
          )}
        </div>
      </Card>
      {error !== null && !isToldBeside(shown, error) && <ErrorNotice error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isPending}>
          Connect
        </Button>
        <ButtonLink to="/integrations">Cancel</ButtonLink>
      </div>
    </form>
  )
}

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
    { changes: [['integrations', 'connections']] },
  )
  return {
    ...connecting,
    mutate: (connection: NewConnection) =>
      connecting.mutate(connection, {
        onSuccess: ({ name, status }) => {
          if (status === 'pending') return
          toasts.show({ title: `“${name}” is connected` })
          void navigate({ to: '/integrations' })
        },
      }),
  }
}

function Hints({ isAnew }: { isAnew: boolean }) {
  const { environment } = useScope()
  return (
    <>
      {isAnew && <Notice>The old connection stays beside the new one until you disconnect it.</Notice>}
      {environment === 'test' && (
        <Notice tone="warn">In the sandbox no service is called, and no credentials are kept.</Notice>
      )}
    </>
  )
}

const namesWithin = (within: string, fields: readonly SchemaField[]): string[] =>
  fields.map(({ name }) => `${within}.${name}`)
