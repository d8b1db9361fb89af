/** One connection: whether it works, what it is set to, and how its service is kept in sync. */
import type { Connection, Integration } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, RefreshCw, Stethoscope, Unplug } from 'lucide-react'
import { useState } from 'react'
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { useRoomParam } from '../../api/search-values.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { ErrorNotice, Notice } from '../../ui/notices.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { statusWords, useCatalog, useConnection, useConnectionTest } from './connections.ts'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { fieldsOf, initialOf, SchemaFields, valuesOf } from './schema-fields.tsx'
import { SyncCard } from './sync-card.tsx'
import { Syncs } from './syncs.tsx'

type Asked = 'settings' | 'disconnect'

export function Room() {
  const connectionId = useRoomParam('connectionId')
  const mayWrite = useMay('integrations:write')
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked | null>(null)
  const connection = useConnection(connectionId)
  const catalog = useCatalog()
  const entry = catalog.data?.items.find(({ id }) => id === connection.data?.integrationId)
  const close = () => setAsked(null)
  const shown = connection.data
  return (
    <Page
      title={<span className="break-words">{shown?.name ?? 'Connection'}</span>}
      description={entry?.description}
      back={{ to: '/integrations', label: 'Integrations' }}
      actions={mayWrite && shown !== undefined && <Actions connection={shown} onAsk={setAsked} />}
    >
      <Loaded query={connection}>
        {found => (
          <>
            <Troubles connection={found} />
            <Card>
              <Facts connection={found} entry={entry} />
            </Card>
            {entry?.capabilities.includes('sync') === true && (
              <>
                <SyncCard key={JSON.stringify(found.sync)} connection={found} />
                <Syncs connection={found} />
              </>
            )}
            {asked === 'settings' && entry !== undefined && (
              <SettingsDialog connection={found} entry={entry} onClose={close} />
            )}
            {asked === 'disconnect' && (
              <DisconnectDialog
                connection={found}
                onClose={close}
                onEnded={() => void navigate({ to: '/integrations' })}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Actions({ connection, onAsk }: { connection: Connection; onAsk: (asked: Asked) => void }) {
  const navigate = useNavigate()
  const test = useConnectionTest(connection)
  return (
    <>
      <Button icon={Stethoscope} busy={test.isPending} disabled={!test.isPossible} onClick={test.run}>
        Test
      </Button>
      <Menu trigger={<IconButton icon={Ellipsis} label="More actions" />}>
        <MenuItem icon={Pencil} onSelect={() => onAsk('settings')}>
          Settings…
        </MenuItem>
        <MenuItem
          icon={RefreshCw}
          onSelect={() => void navigate({ to: `/integrations/${connection.id}/reconnect` })}
        >
          Reconnect…
        </MenuItem>
        <MenuItem icon={Unplug} danger onSelect={() => onAsk('disconnect')}>
          Disconnect…
        </MenuItem>
      </Menu>
    </>
  )
}

function Troubles({ connection: { id, status, lastError } }: { connection: Connection }) {
  if (status === 'active' && lastError === null) return null
  const { label, tone } = statusWords[status]
  const reconnectPath =
    status === 'active' || status === 'pending' ? undefined : `/integrations/${id}/reconnect`
  return (
    <Notice
      tone={tone === 'danger' ? 'danger' : 'warn'}
      title={status === 'active' ? 'The last attempt failed' : label}
      {...(reconnectPath === undefined
        ? {}
        : {
            action: (
              <ButtonLink to={reconnectPath} size="small">
                Reconnect
              </ButtonLink>
            ),
          })}
    >
      {lastError?.message ??
        (status === 'pending' ? 'Grant access at the service to finish connecting.' : '')}
    </Notice>
  )
}

type FactsProps = { connection: Connection; entry: Integration | undefined }

function Facts({ connection, entry }: FactsProps) {
  const { status, account, createdAt, integrationId } = connection
  const { label, tone } = statusWords[status]
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-4">
      <div>
        <dt className="text-[13px] text-muted">State</dt>
        <dd className="mt-1">
          <Badge tone={tone} dot>
            {label}
          </Badge>
        </dd>
      </div>
      <div className="min-w-0">
        <dt className="text-[13px] text-muted">Service</dt>
        <dd className="mt-1 break-words">
          {entry?.name ?? integrationId}
          {account !== null && ` · ${account.name}`}
        </dd>
      </div>
      <div className="min-w-0">
        <dt className="text-[13px] text-muted">Granted</dt>
        <dd className="mt-1 break-words">{grantOf(connection, entry)}</dd>
      </div>
      <div>
        <dt className="text-[13px] text-muted">Made</dt>
        <dd className="mt-1">
          <RelativeTime time={createdAt} />
        </dd>
      </div>
    </dl>
  )
}

function grantOf({ scopes }: Connection, entry: Integration | undefined): string {
  if (scopes.length > 0) return scopes.join(', ')
  return entry?.auth === 'none' ? 'Nothing is needed' : 'What its key may'
}

type SettingsDialogProps = { connection: Connection; entry: Integration; onClose: () => void }

/** Name and settings of a connection. */
function SettingsDialog({ connection, entry, onClose }: SettingsDialogProps) {
  const toasts = useToasts()
  const [name, setName] = useState(connection.name)
  const fields = fieldsOf(entry.configSchema)
  const before = initialOf(fields, connection.config)
  const [typed, setTyped] = useState(before)
  const isSame = JSON.stringify(before) === JSON.stringify(typed)
  const { mutate, error, isPending } = useApiMutation(
    (atrium, change: { name: string; config?: Record<string, unknown> }) =>
      atrium.integrations.update(connection.id, change),
    { changes: [['integrations']] },
  )
  const errors = fieldErrorsOf(error)
  const save = () =>
    mutate(withoutUndefined({ name: name.trim(), config: isSame ? undefined : valuesOf(fields, typed) }), {
      onSuccess: () => {
        toasts.show({ title: 'The connection is changed' })
        onClose()
      },
    })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Connection settings"
      {...(fields.length === 0
        ? {}
        : { description: 'If you change the settings, the next sync is a full sync.' })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="connection-settings" variant="primary" busy={isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id="connection-settings"
        className="flex flex-col gap-5"
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <Field label="Name" error={errors.name}>
          <Input
            required
            maxLength={200}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
        </Field>
        <SchemaFields fields={fields} value={typed} onChange={setTyped} within="config" errors={errors} />
        {error !== null && Object.keys(errors).length === 0 && <ErrorNotice error={error} />}
      </form>
    </Dialog>
  )
}
